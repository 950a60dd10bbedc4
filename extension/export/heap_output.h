/* A heap snapshot in one of its formats, whoever takes it: what the walk tells is summed up on its way to the format's writer. */
#ifndef XHPROF_EXPORT_HEAP_OUTPUT_H
#define XHPROF_EXPORT_HEAP_OUTPUT_H

#include "heap/graph.h"
#include "heap_jsonl.h"

#define XHPROF_HEAP_MAX_STRING 80 /* bytes of a string that are told, unless other is asked for */
#define XHPROF_HEAP_MAX_STRING_MOST 1048576

typedef enum xhprof_heap_format {
	XHPROF_HEAP_FORMAT_JSONL,
	XHPROF_HEAP_FORMAT_RELI,
	XHPROF_HEAP_FORMAT_DEVTOOLS,
	XHPROF_HEAP_FORMAT_SUMMARY, /* JSON lines without nodes: the header and the footer */
	XHPROF_HEAP_FORMATS,
} xhprof_heap_format;

/* What users call them; NULL after the last. */
extern const char *const xhprof_heap_format_names[XHPROF_HEAP_FORMATS + 1];

/* Zeroed where it has not begun. */
typedef struct xhprof_heap_output {
	xhprof_heap_format format;
	bool pretty; /* of reli: indented */
	xhprof_writer *writer;
	const xhprof_heap_facts *facts;
	xhprof_heap_summary summary; /* of what has been told, until the release */
	xhprof_heap_jsonl jsonl;
	xhprof_graph graph;
} xhprof_heap_output;

/* Begins one whose format, writer and facts are set; `visitor` is who is to be told. The rest (paths NULL: none) is as in
 * xhprof_heap_jsonl_begin(). False when there is no memory; errors of output are the writer's. */
bool xhprof_heap_output_begin(xhprof_heap_output *output, const xhprof_heap_paths *paths, xhprof_heap_visitor *visitor);

/* Writes what is left when the walk has ended; the writer is yet to be flushed. False when there is no memory for it. */
bool xhprof_heap_output_end(xhprof_heap_output *output, const xhprof_walk_result *result, uint64_t took_ns);

/* In any case, at any point; more than once does no harm. */
void xhprof_heap_output_release(xhprof_heap_output *output);

#endif
