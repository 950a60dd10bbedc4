/* The numbers of calls whose paths were folded because the tree was full, by function, so that each function's calls
 * stay exact. Their time and memory are at the nodes that they were folded into. */
#ifndef XHPROF_TRACE_FOLDED_CALLS_H
#define XHPROF_TRACE_FOLDED_CALLS_H

#include "symbol.h"

typedef struct xhprof_folded_function {
	xhprof_symbol_ref symbol;
	uint64_t calls;
} xhprof_folded_function;

typedef struct xhprof_folded_calls {
	xhprof_folded_function *functions; /* by symbol id; mapped at the first call */
	size_t capacity;
	uint32_t count; /* functions with such calls */
	uint64_t other; /* calls of functions without memory for them */
} xhprof_folded_calls;

/* Adds calls of a function. `symbol` may be 0: a function without a name. */
void xhprof_folded_calls_add(xhprof_folded_calls *folded, xhprof_symbol_ref symbol, uint64_t calls);

static inline bool xhprof_folded_calls_any(const xhprof_folded_calls *folded)
{
	return folded->count || folded->other;
}

/* Drops all and releases the memory. */
void xhprof_folded_calls_release(xhprof_folded_calls *folded);

#endif
