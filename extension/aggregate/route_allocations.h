/* The memory that the requests of a window's route have allocated, and held at their peak: estimates from samples,
 * the sums of the route's part of the tree. No PHP. */
#ifndef XHPROF_AGGREGATE_ROUTE_ALLOCATIONS_H
#define XHPROF_AGGREGATE_ROUTE_ALLOCATIONS_H

#include "merged.h"

typedef struct xhprof_route_allocations {
	uint64_t requests; /* whose allocations were sampled; 0 if what goes on has allocated */
	uint64_t allocated_bytes, peak_bytes;
	uint64_t unheld;       /* of these requests, without peak_bytes: they took turns with others */
	uint64_t followed;     /* requests of which it is known what they keep */
	xhprof_node_kept kept; /* blocks in parts */
} xhprof_route_allocations;

/* Adds up a route's allocations. False if they are not known: no request was sampled, or the tree had no room for
 * the route. */
bool xhprof_route_allocations_of(const xhprof_merged *merged, const xhprof_merged_route *route,
								 xhprof_route_allocations *allocations);

#endif
