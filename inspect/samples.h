/* Aggregated samples: a tree of calls with the count of samples in which each was innermost, and the counts of the
 * names. */
#ifndef XHPROF_INSPECT_SAMPLES_H
#define XHPROF_INSPECT_SAMPLES_H

#include "stack.h"
#include "export/writer.h"

typedef struct xhprof_sample_node {
	uint32_t parent;
	uint64_t self;
	const xhprof_name *name; /* NULL: main() */
} xhprof_sample_node;

typedef struct xhprof_samples {
	xhprof_sample_node *nodes; /* 0 is main() */
	size_t count, capacity;
	xhprof_table children; /* parent << 32 | id of the name -> node + 1 */
	uint64_t taken;
	uint64_t recent; /* of them since names' recent counts were set to 0 */
} xhprof_samples;

/* Adds the stack just read; a cut stack belongs below "(truncated)". False without memory. */
bool xhprof_samples_add(xhprof_samples *samples, xhprof_stack *stack);

/* One line for each path: names with ";" between, and the count. */
void xhprof_samples_write_folded(const xhprof_samples *samples, xhprof_writer *writer);

/* The stack just read, in phpspy's format: a line for each call, from the innermost, and an empty one. */
void xhprof_samples_write_lines(xhprof_stack *stack, xhprof_writer *writer);

void xhprof_samples_release(xhprof_samples *samples);

#endif
