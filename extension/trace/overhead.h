/* The overhead of profiling, and the figures without it.
 *
 * An observed call takes longer than the same call unobserved. Part of that is charged to the callee (from its begin's
 * reading of the clock to its end's), the rest to its caller. Both parts are measured once (hook/calibration.c) in
 * batches of calls, from which the cost is found here; it is taken off node by node: an estimate, to be shown beside the measured figures and never instead of them. */
#ifndef XHPROF_TRACE_OVERHEAD_H
#define XHPROF_TRACE_OVERHEAD_H

#include "symbol.h"

#include "base/scratch.h"

/* ns per call. */
typedef struct xhprof_call_cost {
	double callee_wall, callee_cpu;
	double caller_wall, caller_cpu;
} xhprof_call_cost;

/* Costs are whole thousandths of a nanosecond: a text with so many decimals shows them as they are. */
#define XHPROF_COST_DECIMALS 3

#define XHPROF_COST_BATCHES 31
#define XHPROF_COST_CALLS 64 /* of each batch */

/* Ticks per batch: charges, and the time of the same calls unobserved. */
typedef struct xhprof_cost_batches {
	double wall[XHPROF_COST_BATCHES], cpu[XHPROF_COST_BATCHES], idle[XHPROF_COST_BATCHES];
} xhprof_cost_batches;

typedef struct xhprof_overhead {
	bool known;
	xhprof_call_cost user, internal;
} xhprof_overhead;

/* Exclusive ns per node in preorder, never negative: where the estimate takes more off a node than it has, the rest is
 * taken off its caller. So inclusive figures, summed over subtrees, stay as near as they can. */
typedef struct xhprof_corrected {
	int64_t *wall;
	int64_t *cpu;            /* NULL with `only_wall` */
	size_t size;             /* of each, bytes */
	xhprof_scratch *scratch; /* set before: where they come from; may be NULL */
	bool only_wall;          /* set before: the profile has no CPU time */
} xhprof_corrected;

/* While nodes are added. */
typedef struct xhprof_correction {
	const xhprof_overhead *overhead;
	const xhprof_symbols *symbols;
	xhprof_corrected *corrected;
	size_t count;
	uint32_t *path; /* depth -> place of the node that is open there */
	size_t path_capacity;
	uint32_t open;   /* nodes on the path */
	uint32_t folded; /* so many are on it up to (truncated); 0: that is not on it */
} xhprof_correction;

/* Nodes as they were measured, a column of each figure. */
typedef struct xhprof_measured {
	size_t count;
	const xhprof_symbol_ref *symbols;
	const int64_t *depth, *calls;
	const int64_t *wall, *cpu; /* exclusive, ns; cpu may be NULL with `only_wall` */
} xhprof_measured;

/* Ticks per call of both parts: what was charged to a callee that does nothing, and to its caller beyond the idle time. Sorts the batches. */
void xhprof_overhead_share(xhprof_cost_batches *callees, xhprof_cost_batches *callers, xhprof_call_cost *cost);

/* Scales both parts to the whole cost in a running program, whose charges these are. */
void xhprof_overhead_total(xhprof_cost_batches *charges, xhprof_call_cost *cost);

void xhprof_overhead_scale(xhprof_call_cost *cost, double factor);

/* Rounds to XHPROF_COST_DECIMALS; the last step. */
void xhprof_overhead_round(xhprof_overhead *overhead);

/* For this number of nodes. False without memory; then nothing may be added. */
bool xhprof_correction_begin(xhprof_correction *correction, const xhprof_overhead *overhead,
							 const xhprof_symbols *symbols, size_t nodes, xhprof_corrected *corrected);

/* The next nodes in preorder. False without memory. */
bool xhprof_correction_add(xhprof_correction *correction, const xhprof_measured *nodes);

/* After the last node, or where memory was missing: then nothing is left of it. */
void xhprof_correction_end(xhprof_correction *correction, bool complete);

void xhprof_corrected_free(xhprof_corrected *corrected);

#endif
