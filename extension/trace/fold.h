/* The fold of a stopped call tree into the classic edges: caller ==> callee, each with its recursion level, inclusive.
 *
 * Times are rounded to microseconds along the preorder of the tree (error diffusion), not edge by edge: every inclusive
 * time is within 1 us of the truth per path, no exclusive time is negative, and all exclusive times add up to
 * main(). System time is a part of CPU time, and rounded so that it stays one. */
#ifndef XHPROF_TRACE_FOLD_H
#define XHPROF_TRACE_FOLD_H

#include "columns.h"

/* A function at a recursion level. Here and below, 0 stands for a missing entry, and so each index is stored as "+ 1". */
typedef struct xhprof_fold_label {
	uint32_t symbol;    /* id */
	uint32_t level;     /* recursion level: how often the function was on the path already */
	uint32_t deeper;    /* label + 1 of the next level */
	uint32_t last_edge; /* edge + 1 to the callee that returned last */
} xhprof_fold_label;

typedef struct xhprof_edge {
	uint32_t caller; /* index into labels; XHPROF_FOLD_NO_CALLER for main() */
	uint32_t callee;
	uint32_t successor; /* edge + 1 of the same caller that followed this one last time: the first guess */
	uint32_t chain;     /* next edge + 1 with the same hash */
	uint64_t calls;     /* 0: a generator that was only resumed here */
	uint64_t wall_us;
	uint64_t cpu_us;
	uint64_t system_us; /* of that, where the CPU clock has it; else 0 */
	int64_t memory;     /* of sampled allocations: bytes allocated */
	int64_t peak;       /* of sampled allocations: samples */
} xhprof_edge;

#define XHPROF_FOLD_NO_CALLER UINT32_MAX

typedef struct xhprof_fold {
	xhprof_fold_label *labels;
	xhprof_edge *edges; /* in order of completion, main() last */
	uint32_t label_count, edge_count;
	size_t label_capacity, edge_capacity;
	xhprof_scratch *scratch; /* memory of the profile's readers */
} xhprof_fold;

/* Folds the tree. `symbol_count`: highest symbol id in the tree. `keep_run_init`: a file's top-level code has edges of
 * its own; otherwise it counts to its caller. False without memory. The caller releases the fold in either case. */
bool xhprof_fold_tree(xhprof_fold *fold, xhprof_columns *columns, uint32_t symbol_count, bool keep_run_init);
void xhprof_fold_release(xhprof_fold *fold);

#endif
