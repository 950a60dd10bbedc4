/* The overhead of profiling, and the figures corrected by it.
 *
 * An observed call takes longer than the same call unobserved. Part of that is charged to the callee (between the two
 * readings of the clock, at its begin and its end), the rest to its caller. Both parts are measured once, in batches of
 * calls (hook/calibration.c), from which the cost is computed here and subtracted node by node. The result is an
 * estimate, shown beside the measured figures and never instead of them. */
#ifndef XHPROF_TRACE_OVERHEAD_H
#define XHPROF_TRACE_OVERHEAD_H

#include "symbol.h"

#include "base/scratch.h"

/* The cost of a call, in ns. */
typedef struct xhprof_call_cost {
	double callee_wall, callee_cpu;
	double caller_wall, caller_cpu;
} xhprof_call_cost;

/* Decimals of a cost in ns. Costs are rounded to that, so that a text with as many decimals shows them exactly. */
#define XHPROF_COST_DECIMALS 3

#define XHPROF_COST_BATCHES 31
#define XHPROF_COST_CALLS 64 /* calls of each batch */

/* Measured ticks per batch: charges, and the time of the same calls unobserved. */
typedef struct xhprof_cost_batches {
	double wall[XHPROF_COST_BATCHES], cpu[XHPROF_COST_BATCHES], idle[XHPROF_COST_BATCHES];
} xhprof_cost_batches;

typedef struct xhprof_overhead {
	bool known;
	xhprof_call_cost user, internal;
} xhprof_overhead;

/* Corrected exclusive ns per node in preorder, never negative: where the estimate subtracts more from a node than it
 * has, the rest is subtracted from its caller. So inclusive figures, summed over subtrees, stay as accurate as
 * possible. */
typedef struct xhprof_corrected {
	int64_t *wall;
	int64_t *cpu;            /* NULL with `only_wall` */
	size_t size;             /* bytes of each array */
	xhprof_scratch *scratch; /* set before: where the arrays come from; may be NULL */
	bool only_wall;          /* set before: the profile has no CPU time */
} xhprof_corrected;

/* The state of a correction while nodes are added. */
typedef struct xhprof_correction {
	const xhprof_overhead *overhead;
	const xhprof_symbols *symbols;
	xhprof_corrected *corrected;
	size_t count;
	uint32_t *path; /* depth -> place of the node that is open there */
	size_t path_capacity;
	uint32_t open;   /* number of nodes on the path */
	uint32_t folded; /* number of nodes on the path up to (truncated); 0: that is not on it */
} xhprof_correction;

/* Measured figures of nodes, a column of each. */
typedef struct xhprof_measured {
	size_t count;
	const xhprof_symbol_ref *symbols;
	const int64_t *depth, *calls;
	const int64_t *wall, *cpu; /* exclusive, ns; cpu may be NULL with `only_wall` */
} xhprof_measured;

/* Computes both parts in ticks per call: the charge of a callee that does nothing, and the charge of its caller beyond
 * the idle time. Sorts the batches. */
void xhprof_overhead_share(xhprof_cost_batches *callees, xhprof_cost_batches *callers, xhprof_call_cost *cost);

/* Scales both parts so that together they are the whole cost in a running program. `charges`: those of that program. */
void xhprof_overhead_total(xhprof_cost_batches *charges, xhprof_call_cost *cost);

void xhprof_overhead_scale(xhprof_call_cost *cost, double factor);

/* Rounds all costs to XHPROF_COST_DECIMALS, as the last step. */
void xhprof_overhead_round(xhprof_overhead *overhead);

/* Begins the correction of this number of nodes. False without memory; then nothing may be added. */
bool xhprof_correction_begin(xhprof_correction *correction, const xhprof_overhead *overhead,
							 const xhprof_symbols *symbols, size_t nodes, xhprof_corrected *corrected);

/* Corrects the next nodes in preorder. False without memory. */
bool xhprof_correction_add(xhprof_correction *correction, const xhprof_measured *nodes);

/* Ends the correction. `complete`: all nodes were added; otherwise the corrected figures are dropped. */
void xhprof_correction_end(xhprof_correction *correction, bool complete);

void xhprof_corrected_free(xhprof_corrected *corrected);

#endif
