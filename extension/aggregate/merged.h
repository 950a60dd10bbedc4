/* Sampled call paths of many requests in one tree, main() ==> route ==> path, and figures per route. Bounded: overflow
 * is (truncated), or of "(other routes)", and counted. */
#ifndef XHPROF_AGGREGATE_MERGED_H
#define XHPROF_AGGREGATE_MERGED_H

#include "distribution.h"
#include "exemplar.h"

#include "trace/tracer.h"

#define XHPROF_MERGED_ROUTES 1000 /* until they are folded (merged_fold.h) */
#define XHPROF_MERGED_OTHER_ROUTES "(other routes)"
#define XHPROF_MERGED_BETWEEN "(between requests)" /* the route of what runs for none: without requests, never folded */
#define XHPROF_MERGED_NAME_MAX 1024                /* bytes of a function's name; more are cut off */

/* The figures of requests of which a route has distributions. */
typedef enum xhprof_merged_measure {
	XHPROF_MERGED_WALL, /* us */
	XHPROF_MERGED_CPU,  /* us */
	XHPROF_MERGED_PEAK, /* bytes */
	XHPROF_MERGED_MEASURES
} xhprof_merged_measure;

/* The end of a request. */
typedef struct xhprof_merged_request {
	uint64_t values[XHPROF_MERGED_MEASURES];
	bool failed;    /* answered with a status from 500, or ended by a fatal error or a signal */
	bool aborted;   /* its client was gone */
	bool whole;     /* all of its samples are in the profile that ends with it, so that it may be an exemplar */
	bool early;     /* it went on for after_us when the client had its answer, which is where its wall time ends */
	bool cut;       /* a span whose samples and CPU time end where the span of another fiber began */
	bool mixed;     /* a span in whose profile other fibers than its own ran */
	bool parted;    /* samples of it were added before */
	bool turns;     /* its allocations were sampled in its turns alone: what it held at the peak is not known */
	bool suspended; /* its fiber was suspended, if only for less than a microsecond */
	uint64_t after_us;
	uint64_t unsampled_us;    /* at its end, in which it was not sampled; 0: none */
	uint64_t suspended_us;    /* of its wall time: others ran, or the loop waited */
	uint64_t ended;           /* seconds since the epoch */
	uint64_t random;          /* any number: which request is kept by chance */
	xhprof_trace_ids context; /* by which it is found in its trace; or none */
} xhprof_merged_request;

typedef struct xhprof_merged_route {
	xhprof_symbol_ref symbol;
	xhprof_node *node;
	uint64_t requests, failed, aborted, samples, wall_us, cpu_us, max_us;
	xhprof_distribution distributions[XHPROF_MERGED_MEASURES];
	uint64_t kept_requests;           /* of which it is known what the process kept of them */
	int64_t kept;                     /* bytes, of these together */
	uint64_t early, after_us;         /* requests that went on after their answer, and for how long together */
	uint64_t cut;                     /* spans that the span of another fiber has cut */
	uint64_t mixed;                   /* spans that have samples and CPU time of other fibers */
	uint64_t unsampled, unsampled_us; /* requests that were not sampled to their end, and for how long together */
	uint64_t suspended, suspended_us; /* requests whose fiber was suspended, and for how long together */
	uint64_t allocating;              /* requests whose allocations were sampled; the tree has what they allocated */
	uint64_t unheld;                  /* of these, without what they held at the peak */
	uint64_t followed;                /* requests of which it is known which of these blocks are kept */
} xhprof_merged_route;

typedef struct xhprof_merged {
	xhprof_tracer tracer; /* never runs: its symbols, tree, and counts of samples */
	size_t max_names;     /* bytes */
	uint64_t alloc_bytes; /* from one sampled allocation to the next, on average; 0: the tree has none */
	uint64_t from, to;    /* seconds since the epoch; 0 while empty */
	uint64_t requests;
	uint64_t unfollowed;           /* sampled blocks of which it is not known whether they are kept, or were freed */
	uint32_t route_count, fold_at; /* fold_at: as many are looked at again; see merged_fold.h */
	xhprof_merged_route routes[XHPROF_MERGED_ROUTES + 1]; /* the last one for all others */
	xhprof_table by_name;                                 /* hash -> 1 + the route's index */
	xhprof_arena buckets;                                 /* of their distributions; at most max_names bytes too */
	xhprof_exemplars exemplars;
} xhprof_merged;

/* Empties the tree (all zero at first). `alloc_bytes`: as above. False without memory: release it then. */
bool xhprof_merged_begin(xhprof_merged *merged, uint32_t interval_us, xhprof_sample_clock clock, uint64_t alloc_bytes,
						 uint32_t max_nodes, size_t max_names);
void xhprof_merged_release(xhprof_merged *merged);

static inline bool xhprof_merged_empty(const xhprof_merged *merged)
{
	return !merged->from;
}

/* Returns whether `nodes` more may not fit. */
bool xhprof_merged_full(const xhprof_merged *merged, uint32_t nodes);

/* Extends the covered time. */
void xhprof_merged_span(xhprof_merged *merged, uint64_t from, uint64_t to);

/* Returns the route of this name, created if new; "(other routes)" if there are too many; NULL without memory. */
xhprof_merged_route *xhprof_merged_find(xhprof_merged *merged, const char *name, size_t length);

/* Adds the end of a request to the sums of its route, not to the distributions. */
void xhprof_merged_request_sums(xhprof_merged_route *route, const xhprof_merged_request *request);

/* Adds the bytes that the process has kept of this number of requests; below 0: it has given memory back. */
void xhprof_merged_keep(xhprof_merged_route *route, uint64_t requests, int64_t bytes);

/* Returns the child of `parent`, created if new. A symbol that is (truncated) itself has been counted as dropped
 * before, and is not counted again. */
xhprof_node *xhprof_merged_child(xhprof_merged *merged, xhprof_node *parent, xhprof_symbol_ref symbol);

/* Returns the symbol of a name from another profile, created if new. */
xhprof_symbol_ref xhprof_merged_symbol(xhprof_merged *merged, const char *name, size_t length, uint32_t flags);

/* Gives a symbol of this tree the place that the same one has in another profile, unless it has one. */
void xhprof_merged_place(xhprof_merged *merged, xhprof_symbol_ref symbol, const xhprof_place *place);

/* Sets the line from which the path of a node was called, unless it has one. */
void xhprof_merged_call_line(const xhprof_node *node, uint32_t line);

/* Returns what a profile has allocated, by node id, if that belongs into this tree; else NULL. */
static inline const xhprof_node_blocks *xhprof_merged_blocks(const xhprof_merged *merged, const xhprof_calltree *tree)
{
	return merged->alloc_bytes ? tree->blocks : NULL;
}

/* Returns the node after this one in a route's part of the tree, which begins with the route's own node at depth 0;
 * or NULL. */
static inline const xhprof_node *xhprof_merged_next_of_route(const xhprof_node *node, uint32_t *depth)
{
	node = xhprof_calltree_next_at(node, depth);
	return node && (int32_t)*depth > 0 ? node : NULL;
}

/* Returns whether the allocations of a request that ends with this profile (either may be NULL) were sampled for
 * this tree, if only in part. */
static inline bool xhprof_merged_counts_allocations(const xhprof_merged *merged, const xhprof_tracer *profile,
													const xhprof_merged_request *request)
{
	return merged->alloc_bytes && request && (profile || request->parted || request->turns);
}

/* Returns whether a profile (or NULL) has samples that belong into this tree. */
bool xhprof_merged_takes(const xhprof_merged *merged, const xhprof_tracer *profile);

/* Adds to what a node has allocated, and held at the peak of the heap. */
void xhprof_merged_allocate(xhprof_merged *merged, xhprof_node *node, const xhprof_node_blocks *blocks, uint64_t held);

/* Adds to the blocks that a node has kept, and to those of them that it has released. */
void xhprof_merged_add_kept(xhprof_merged *merged, const xhprof_node *node, const xhprof_node_kept *kept);

/* Adds the samples of a profile (or NULL) below `route`. `request` ends with it; NULL: it goes on. */
void xhprof_merged_add(xhprof_merged *merged, xhprof_merged_route *route, const xhprof_tracer *profile,
					   const xhprof_merged_request *request);

/* Adds to a distribution of a route. Without memory nothing is counted, which readers see by the number of requests. */
void xhprof_merged_count(xhprof_merged *merged, xhprof_merged_route *route, xhprof_merged_measure measure,
						 uint32_t bucket, uint64_t count);

/* Keeps the request as an exemplar of its route if it is slower than the one that is kept, or chance has it. */
void xhprof_merged_offer(xhprof_merged *merged, const xhprof_merged_route *route, const xhprof_tracer *profile,
						 const xhprof_merged_request *request);

/* Offers an exemplar whose nodes have symbols of this tree. Its nodes and its key are changed. */
void xhprof_merged_offer_nodes(xhprof_merged *merged, const xhprof_merged_route *route, xhprof_exemplar *offered,
							   uint64_t random);

/* Offers an exemplar that another tree had kept. */
void xhprof_merged_offer_kept(xhprof_merged *merged, const xhprof_merged_route *route, xhprof_exemplar_kind kind,
							  const xhprof_exemplar *kept);

/* Readies the tree to be written as a profile. Nothing can be added after that. */
void xhprof_merged_finish(xhprof_merged *merged);

#endif
