#include "exemplar.h"

#include "base/arena.h"

#include <string.h>

#define FIRST_ROOM 256u
#define LARGEST_KEY ((UINT64_C(1) << 53) - 1)

static void entry_clear(xhprof_exemplar_route *entry)
{
	for (size_t i = 0; i < XHPROF_EXEMPLAR_KINDS; i++) {
		entry->of[i].key = 0;
		entry->of[i].used = 0;
	}
}

void xhprof_exemplars_clear(xhprof_exemplars *exemplars)
{
	for (uint32_t i = 0; i < exemplars->count; i++) {
		entry_clear(&exemplars->routes[i]);
	}
	exemplars->count = 0;
}

void xhprof_exemplars_release(xhprof_exemplars *exemplars)
{
	for (uint32_t i = 0; i < XHPROF_EXEMPLAR_ROUTES; i++) {
		for (size_t kind = 0; kind < XHPROF_EXEMPLAR_KINDS; kind++) {
			xhprof_exemplar *exemplar = &exemplars->routes[i].of[kind];
			xhprof_pages_unmap(exemplar->nodes, exemplar->room * sizeof(*exemplar->nodes));
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
	return key > LARGEST_KEY ? LARGEST_KEY : key ? key : 1;
}

typedef struct pruning {
	uint64_t below; /* samples of a node and its callees */
	uint32_t parent;
	uint32_t last; /* by depth: the node that is open there */
} pruning;

static uint32_t count_from(const pruning *of, uint32_t count, uint64_t least)
{
	uint32_t kept = 0;
	for (uint32_t i = 0; i < count; i++) {
		kept += of[i].below >= least;
	}
	return kept;
}

static void sum_below(pruning *of, const xhprof_exemplar_node *nodes, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		uint32_t depth = nodes[i].depth;
		of[depth].last = i;
		of[i].parent = depth ? of[depth - 1].last : i;
		of[i].below = nodes[i].calls;
	}
	for (uint32_t i = count; i-- > 1;) {
		of[of[i].parent].below += of[i].below;
	}
}

/* A node is never kept without its caller, which has no fewer samples. */
static uint32_t keep_from(const pruning *of, xhprof_exemplar_node *nodes, uint32_t count, uint64_t least)
{
	uint32_t kept = 0;
	for (uint32_t i = count; i-- > 1;) {
		if (of[i].below < least) {
			nodes[of[i].parent].calls += nodes[i].calls;
		}
	}
	for (uint32_t i = 0; i < count; i++) {
		if (i == 0 || of[i].below >= least) {
			nodes[kept++] = nodes[i];
		}
	}
	return kept;
}

uint32_t xhprof_exemplar_prune(xhprof_exemplar_node *nodes, uint32_t count)
{
	pruning *of = count ? xhprof_pages_map(count * sizeof(*of)) : NULL;
	uint64_t least = 1;
	uint32_t kept = 0;
	if (!of) {
		return 0;
	}
	sum_below(of, nodes, count);
	if (of[0].below) {
		while (count_from(of, count, least) > XHPROF_EXEMPLAR_NODES && least <= of[0].below) {
			least += 1 + least / 8;
		}
		kept = keep_from(of, nodes, count, least);
	}
	xhprof_pages_unmap(of, count * sizeof(*of));
	return kept;
}

static bool exemplar_room(xhprof_exemplar *exemplar, uint32_t count)
{
	uint32_t room = FIRST_ROOM;
	if (count <= exemplar->room) {
		return true;
	}
	while (room < count) {
		room *= 2;
	}
	xhprof_exemplar_node *nodes = xhprof_pages_map(room * sizeof(*nodes));
	if (!nodes) {
		return false;
	}
	xhprof_pages_unmap(exemplar->nodes, exemplar->room * sizeof(*nodes));
	exemplar->nodes = nodes;
	exemplar->room = room;
	return true;
}

void xhprof_exemplar_set(xhprof_exemplar *exemplar, uint64_t key, const xhprof_exemplar_figures *figures,
						 const xhprof_exemplar_node *nodes, uint32_t count)
{
	exemplar->key = 0;
	exemplar->used = 0;
	if (!count || count > XHPROF_EXEMPLAR_NODES || !exemplar_room(exemplar, count)) {
		return;
	}
	exemplar->key = key;
	exemplar->figures = *figures;
	exemplar->used = count;
	memcpy(exemplar->nodes, nodes, count * sizeof(*nodes));
}
