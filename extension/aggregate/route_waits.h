/* Waits of a window's routes, where time is not the program's own: samples in functions that wait for something, in
 * the compiler, in the collector of garbage, and in functions that hand output on to a client. No PHP. */
#ifndef XHPROF_AGGREGATE_ROUTE_WAITS_H
#define XHPROF_AGGREGATE_ROUTE_WAITS_H

#include "merged.h"

#include "base/operation_kind.h"

/* The kinds of operations, and one more. */
#define XHPROF_WAIT_OUTPUT XHPROF_OPERATION_KINDS
#define XHPROF_WAIT_KINDS (XHPROF_OPERATION_KINDS + 1)

typedef struct xhprof_route_waits {
	const xhprof_merged *merged;
	uint8_t *kind_of; /* by symbol; 0: not yet known */
	size_t size;
} xhprof_route_waits;

/* Begins to work out waits. False without memory. */
bool xhprof_route_waits_begin(xhprof_route_waits *waits, const xhprof_merged *merged);
void xhprof_route_waits_release(xhprof_route_waits *waits);

/* Counts the samples of a route by what it waited for. */
void xhprof_route_waits_of(xhprof_route_waits *waits, const xhprof_merged_route *route,
						   uint64_t samples[XHPROF_WAIT_KINDS]);

/* Returns the name of a kind, "sql", "gc", "output", ... as files have it. */
const char *xhprof_wait_name(unsigned kind);

#endif
