/* The overhead of profiling, and the figures without it.
 *
 * An observed call takes longer than the same call unobserved. Part of that is charged to the callee (from its begin's
 * reading of the clock to its end's), the rest to its caller. Both parts are measured once (hook/calibration.c) and
 * taken off here, node by node: an estimate, to be shown beside the measured figures and never instead of them. */
#ifndef XHPROF_TRACE_OVERHEAD_H
#define XHPROF_TRACE_OVERHEAD_H

#include "calltree.h"
#include "symbol.h"

/* ns per call. */
typedef struct xhprof_call_cost {
	double callee_wall, callee_cpu;
	double caller_wall, caller_cpu;
} xhprof_call_cost;

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

/* False without memory; then there is nothing to free. */
bool xhprof_overhead_correct(const xhprof_overhead *overhead, const xhprof_calltree *tree,
							 const xhprof_symbols *symbols, xhprof_corrected *corrected);
void xhprof_corrected_free(xhprof_corrected *corrected);

#endif
