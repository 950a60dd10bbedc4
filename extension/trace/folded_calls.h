/* Calls by function whose paths a tree does not have, as it was full: the calls of each function stay exact. Their time and
 * memory are in the tree, at the nodes that they were folded into. */
#ifndef XHPROF_TRACE_FOLDED_CALLS_H
#define XHPROF_TRACE_FOLDED_CALLS_H

#include "symbol.h"

typedef struct xhprof_folded_function {
	xhprof_symbol_ref symbol;
	uint64_t calls;
} xhprof_folded_function;

typedef struct xhprof_folded_calls {
	xhprof_folded_function *functions; /* by symbol id; made with the first call */
	size_t capacity;
	uint32_t count; /* functions that have any */
	uint64_t other; /* calls of functions that there was no memory for */
} xhprof_folded_calls;

/* `symbol` may be 0, that of a function without a name. */
void xhprof_folded_calls_add(xhprof_folded_calls *folded, xhprof_symbol_ref symbol, uint64_t calls);

static inline bool xhprof_folded_calls_any(const xhprof_folded_calls *folded)
{
	return folded->count || folded->other;
}

/* Forgets them all and gives the memory back. */
void xhprof_folded_calls_release(xhprof_folded_calls *folded);

#endif
