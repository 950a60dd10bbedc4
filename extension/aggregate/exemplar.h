/* Requests of a window that are kept as trees of their own: the slowest one of each route, and one by chance.
 * Bounded: routes that take little time give way to others, and the light paths of a large tree count for their
 * callers. No PHP. */
#ifndef XHPROF_AGGREGATE_EXEMPLAR_H
#define XHPROF_AGGREGATE_EXEMPLAR_H

#include "base/trace_context.h"
#include "trace/calltree.h"

#define XHPROF_EXEMPLAR_ROUTES 24
#define XHPROF_EXEMPLAR_NODES 1000

typedef enum xhprof_exemplar_kind {
	XHPROF_EXEMPLAR_SLOWEST,
	XHPROF_EXEMPLAR_RANDOM,
	XHPROF_EXEMPLAR_KINDS
} xhprof_exemplar_kind;

typedef struct xhprof_exemplar_node {
	xhprof_symbol_ref symbol;
	uint32_t depth; /* 0: the route, which is the request's main() */
	uint32_t calls; /* samples */
	uint32_t line;
} xhprof_exemplar_node;

/* The blocks that such a node allocated itself: estimates from samples. */
typedef struct xhprof_exemplar_blocks {
	uint64_t allocated_bytes, allocated_blocks; /* blocks in parts, as in the tree */
	uint64_t peak_bytes;                        /* live when the request's heap was largest */
} xhprof_exemplar_blocks;

/* The figures of such a request. */
typedef struct xhprof_exemplar_figures {
	uint64_t wall_us, cpu_us, peak; /* peak: bytes */
	uint64_t ended;                 /* seconds since the epoch */
	uint64_t failed;                /* or 0 */
	xhprof_trace_ids context;       /* of its outermost span; or none */
} xhprof_exemplar_figures;

typedef struct xhprof_exemplar {
	uint64_t key; /* the request with the largest one is kept: its time, or a random number. 0: none */
	xhprof_exemplar_figures figures;
	xhprof_exemplar_node *nodes;    /* in preorder */
	xhprof_exemplar_blocks *blocks; /* by node; NULL where allocations are not sampled */
	uint32_t used, room;            /* room: of those that are kept, which are mapped */
} xhprof_exemplar;

typedef struct xhprof_exemplar_route {
	xhprof_symbol_ref symbol;
	uint64_t weight; /* us of all requests of the route, when it was last counted */
	xhprof_exemplar by_kind[XHPROF_EXEMPLAR_KINDS];
} xhprof_exemplar_route;

/* Initially all zero. */
typedef struct xhprof_exemplars {
	xhprof_exemplar_route routes[XHPROF_EXEMPLAR_ROUTES];
	uint32_t count;
} xhprof_exemplars;

/* Forget all exemplars; the first keeps the memory for others, the second frees it. */
void xhprof_exemplars_clear(xhprof_exemplars *exemplars);
void xhprof_exemplars_release(xhprof_exemplars *exemplars);

/* Returns the entry of a route whose requests took `weight` us together. A new one replaces a route that took
 * clearly less; NULL: all others took more. */
xhprof_exemplar_route *xhprof_exemplars_route(xhprof_exemplars *exemplars, xhprof_symbol_ref symbol, uint64_t weight);

/* Returns the key of a request for one kind. `random`: any number. */
uint64_t xhprof_exemplar_key(xhprof_exemplar_kind kind, uint64_t wall_us, uint64_t random);

/* Removes the nodes without samples and, beyond XHPROF_EXEMPLAR_NODES, those with the smallest inclusive share of
 * time or memory: their figures count for their callers. Without samples, or memory, all nodes go. */
void xhprof_exemplar_prune(xhprof_exemplar *request);

/* Keeps a copy of a request with at most XHPROF_EXEMPLAR_NODES nodes. Without memory nothing is kept. */
void xhprof_exemplar_set(xhprof_exemplar *exemplar, const xhprof_exemplar *request);

#endif
