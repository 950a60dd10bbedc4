/* The allocations of edges as tideways_xhprof has them: the requests to the heap of the callee itself, when called
 * from this caller. */
#ifndef XHPROF_EXPORT_EDGE_REQUESTS_H
#define XHPROF_EXPORT_EDGE_REQUESTS_H

#include "php_xhprof.h"
#include "trace/tracer.h"

/* Adds "mem.na" (blocks allocated), "mem.nf" (blocks freed, also those of other functions) and "mem.aa" (bytes asked
 * for) to the edges of the profile, an array of xhprof_edge_array(). `as_mu`: the bytes are "mu" too. The profile
 * counts requests. */
void xhprof_edge_requests_add(const xhprof_tracer *tracer, bool keep_run_init, bool as_mu, HashTable *edges);

#endif
