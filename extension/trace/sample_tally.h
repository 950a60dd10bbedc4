/* The samples of one job where many are open in one tree: how often each node was met. It is small, as thousands of jobs
 * may be open. Nodes are known by their ids, so they must not move meanwhile (xhprof_tracer_hold()). */
#ifndef XHPROF_TRACE_SAMPLE_TALLY_H
#define XHPROF_TRACE_SAMPLE_TALLY_H

#include "base/pool.h"

#include "calltree.h"

typedef struct xhprof_tally_entry {
	uint32_t node;                              /* id */
	uint32_t calls;                             /* samples, with the node innermost */
	uint64_t allocated_bytes, allocated_blocks; /* of sampled blocks; the latter in parts, as in xhprof_node_blocks */
} xhprof_tally_entry;

/* All zero at first, but for its pool. */
typedef struct xhprof_sample_tally {
	xhprof_pool *pool;
	xhprof_tally_entry *entries; /* in the order in which the nodes were met */
	uint32_t used, capacity;
	uint64_t samples, taken, delayed, dropped, blocks_dropped; /* as in xhprof_sample_log */
} xhprof_sample_tally;

/* Returns whether anything was counted. */
static inline bool xhprof_sample_tally_any(const xhprof_sample_tally *tally)
{
	return tally->used || tally->dropped || tally->blocks_dropped;
}

/* Counts samples of a node; as dropped without memory. */
void xhprof_sample_tally_add(xhprof_sample_tally *tally, uint32_t node, uint64_t count);

/* Counts a sampled block that a node has allocated, of an estimate of so many bytes and parts of a block. */
void xhprof_sample_tally_allocate(xhprof_sample_tally *tally, uint32_t node, uint64_t bytes, uint64_t blocks);

/* Empties the tally, and gives its memory back. */
void xhprof_sample_tally_clear(xhprof_sample_tally *tally);

#endif
