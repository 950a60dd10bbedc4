#include "exemplar.h"

#include "distribution.h"

#include <string.h>

#define FIRST_ROOM 256u
#define SHARES ((double)(1 << 20)) /* parts of the whole, where several measures count */

static void entry_clear(xhprof_exemplar_route *entry)
{
	for (size_t i = 0; i < XHPROF_EXEMPLAR_KINDS; i++) {
		entry->by_kind[i].key = 0;
		entry->by_kind[i].used = 0;
	}
}

void xhprof_exemplars_clear(xhprof_exemplars *exemplars)
{
	for (uint32_t i = 0; i < exemplars->count; i++) {
		entry_clear(&exemplars->routes[i]);
	}
	exemplars->count = 0;
}

static void release_nodes(xhprof_exemplar *exemplar)
{
	xhprof_pages_unmap(exemplar->nodes, exemplar->room * sizeof(*exemplar->nodes));
	xhprof_pages_unmap(exemplar->blocks, exemplar->room * sizeof(*exemplar->blocks));
	exemplar->nodes = NULL;
	exemplar->blocks = NULL;
	exemplar->room = 0;
}

void xhprof_exemplars_release(xhprof_exemplars *exemplars)
{
	for (uint32_t i = 0; i < XHPROF_EXEMPLAR_ROUTES; i++) {
		for (size_t kind = 0; kind < XHPROF_EXEMPLAR_KINDS; kind++) {
			release_nodes(&exemplars->routes[i].by_kind[kind]);
		}
	}
	memset(exemplars, 0, sizeof(*exemplars));
}

xhprof_exemplar_route *xhprof_exemplars_route(xhprof_exemplars *exemplars, xhprof_symbol_ref symbol, uint64_t weight)
{
	xhprof_exemplar_route *lightest = NULL;
	for (uint32_t i = 0; i < exemplars->count; i++) {
		xhprof_exemplar_route *entry = &exemplars->routes[i];
		if (entry->symbol == symbol) {
			entry->weight = weight;
			return entry;
		}
		lightest = lightest && lightest->weight <= entry->weight ? lightest : entry;
	}
	if (exemplars->count < XHPROF_EXEMPLAR_ROUTES) {
		lightest = &exemplars->routes[exemplars->count++];
	} else if (weight <= lightest->weight + lightest->weight / 4) { /* routes that are alike do not take turns */
		return NULL;
	}
	entry_clear(lightest);
	lightest->symbol = symbol;
	lightest->weight = weight;
	return lightest;
}

uint64_t xhprof_exemplar_key(xhprof_exemplar_kind kind, uint64_t wall_us, uint64_t random)
{
	uint64_t key = kind == XHPROF_EXEMPLAR_SLOWEST ? wall_us : random >> 11;
	return key > XHPROF_DISTRIBUTION_LARGEST ? XHPROF_DISTRIBUTION_LARGEST : key ? key : 1;
}

typedef struct pruning {
	uint64_t below;  /* the amount of one measure: a node's and its callees' */
	uint64_t weight; /* samples below it, or its largest share of any measure */
	uint32_t parent;
	uint32_t last; /* by depth: the node that is open there */
} pruning;

/* The measures of which a node may have a share that it is kept for. */
typedef enum measure {
	SAMPLES,
	ALLOCATED, /* this and the following: where allocations are sampled */
	HELD,
	MEASURES
} measure;

static uint64_t own_of(const xhprof_exemplar *request, uint32_t i, measure measure)
{
	switch (measure) {
		case ALLOCATED:
			return request->blocks[i].allocated_bytes;
		case HELD:
			return request->blocks[i].peak_bytes;
		default:
			return request->nodes[i].calls;
	}
}

static void find_parents(pruning *nodes, const xhprof_exemplar *request)
{
	for (uint32_t i = 0; i < request->used; i++) {
		uint32_t depth = request->nodes[i].depth;
		nodes[depth].last = i;
		nodes[i].parent = depth ? nodes[depth - 1].last : i;
	}
}

static void sum_below(pruning *nodes, const xhprof_exemplar *request, measure measure)
{
	for (uint32_t i = 0; i < request->used; i++) {
		nodes[i].below = own_of(request, i, measure);
	}
	for (uint32_t i = request->used; i-- > 1;) {
		nodes[nodes[i].parent].below = xhprof_distribution_sum(nodes[nodes[i].parent].below, nodes[i].below);
	}
}

/* Returns the share of a part. It is 0 only for nothing: a node with anything of a measure is kept if there is room. A
 * callee has no more than its caller. */
static uint64_t share_of(uint64_t part, uint64_t whole)
{
	double share = part < whole ? (double)part / (double)whole : 1;
	return part ? 1 + (uint64_t)(share * SHARES) : 0;
}

static void weigh(pruning *nodes, const xhprof_exemplar *request)
{
	sum_below(nodes, request, SAMPLES);
	for (uint32_t i = request->used; i-- > 0;) {
		nodes[i].weight = request->blocks ? share_of(nodes[i].below, nodes[0].below) : nodes[i].below;
	}
	for (int measure = ALLOCATED; request->blocks && measure < MEASURES; measure++) {
		sum_below(nodes, request, (enum measure)measure);
		for (uint32_t i = request->used; i-- > 0;) {
			uint64_t share = share_of(nodes[i].below, nodes[0].below);
			nodes[i].weight = share > nodes[i].weight ? share : nodes[i].weight;
		}
	}
}

static uint32_t count_from(const pruning *nodes, uint32_t count, uint64_t least)
{
	uint32_t kept = 0;
	for (uint32_t i = 0; i < count; i++) {
		kept += nodes[i].weight >= least;
	}
	return kept;
}

static void charge_caller(xhprof_exemplar *request, uint32_t caller, uint32_t i)
{
	uint64_t calls = (uint64_t)request->nodes[caller].calls + request->nodes[i].calls;
	request->nodes[caller].calls = calls < UINT32_MAX ? (uint32_t)calls : UINT32_MAX;
	if (request->blocks) {
		xhprof_exemplar_blocks *to = &request->blocks[caller];
		const xhprof_exemplar_blocks *from = &request->blocks[i];
		to->allocated_bytes = xhprof_distribution_sum(to->allocated_bytes, from->allocated_bytes);
		to->allocated_blocks = xhprof_distribution_sum(to->allocated_blocks, from->allocated_blocks);
		to->peak_bytes = xhprof_distribution_sum(to->peak_bytes, from->peak_bytes);
	}
}

/* Keeps the nodes that weigh at least `least`. No node is kept without its caller, which weighs no less. */
static uint32_t keep_from(const pruning *nodes, xhprof_exemplar *request, uint64_t least)
{
	uint32_t kept = 0;
	for (uint32_t i = request->used; i-- > 1;) {
		if (nodes[i].weight < least) {
			charge_caller(request, nodes[i].parent, i);
		}
	}
	for (uint32_t i = 0; i < request->used; i++) {
		if (i == 0 || nodes[i].weight >= least) {
			request->nodes[kept] = request->nodes[i];
			if (request->blocks) {
				request->blocks[kept] = request->blocks[i];
			}
			kept++;
		}
	}
	return kept;
}

void xhprof_exemplar_prune(xhprof_exemplar *request)
{
	uint32_t count = request->used, kept = 0;
	pruning *nodes = count ? xhprof_pages_map(count * sizeof(*nodes)) : NULL;
	uint64_t least = 1;
	if (nodes) {
		find_parents(nodes, request);
		weigh(nodes, request);
		if (nodes[0].weight) {
			while (count_from(nodes, count, least) > XHPROF_EXEMPLAR_NODES && least <= nodes[0].weight) {
				least += 1 + least / 8;
			}
			kept = keep_from(nodes, request, least);
		}
		xhprof_pages_unmap(nodes, count * sizeof(*nodes));
	}
	request->used = kept;
}

static bool exemplar_room(xhprof_exemplar *exemplar, uint32_t count, bool blocks)
{
	uint32_t room = exemplar->room > FIRST_ROOM ? exemplar->room : FIRST_ROOM;
	if (count <= exemplar->room && blocks == (exemplar->blocks != NULL)) {
		return true;
	}
	while (room < count) {
		room *= 2;
	}
	xhprof_exemplar made = {.room = room, .nodes = xhprof_pages_map(room * sizeof(*made.nodes))};
	made.blocks = blocks ? xhprof_pages_map(room * sizeof(*made.blocks)) : NULL;
	if (!made.nodes || (blocks && !made.blocks)) {
		release_nodes(&made);
		return false;
	}
	release_nodes(exemplar);
	*exemplar = made;
	return true;
}

void xhprof_exemplar_set(xhprof_exemplar *exemplar, const xhprof_exemplar *request)
{
	uint32_t count = request->used;
	exemplar->key = 0;
	exemplar->used = 0;
	if (!count || count > XHPROF_EXEMPLAR_NODES || !exemplar_room(exemplar, count, request->blocks != NULL)) {
		return;
	}
	exemplar->key = request->key;
	exemplar->figures = request->figures;
	exemplar->used = count;
	memcpy(exemplar->nodes, request->nodes, count * sizeof(*request->nodes));
	if (request->blocks) {
		memcpy(exemplar->blocks, request->blocks, count * sizeof(*request->blocks));
	}
}
