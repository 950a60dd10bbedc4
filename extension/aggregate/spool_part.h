/* The contribution of one request to a merged tree, as a record of a spool. */
#ifndef XHPROF_AGGREGATE_SPOOL_PART_H
#define XHPROF_AGGREGATE_SPOOL_PART_H

#include "spool_fields.h"

typedef struct xhprof_spool_part {
	const xhprof_merged_route *route;     /* its name */
	const xhprof_tracer *profile;         /* or NULL */
	const xhprof_merged_request *request; /* that ends with it; NULL: it goes on */
	uint64_t from;                        /* of the window, seconds since the epoch */
	const int64_t *kept;                  /* bytes, of an earlier request of the route; or NULL */
	uint64_t cpu_us;                      /* of no request */
} xhprof_spool_part;

/* Puts a record of the part alone at `to`, which is aligned; returns its size, or 0 if it does not fit. `merged`: the
 * tree that the part was added to. */
size_t xhprof_spool_part_put(char *to, size_t room, const xhprof_spool_part *part, const xhprof_merged *merged,
							 uint64_t process);

#endif
