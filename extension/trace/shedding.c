#include "shedding.h"

#include <stdlib.h>

/* Fates; 0: it depends on its weight. */
#define PINNED UINT32_MAX
#define GONE (UINT32_MAX - 1)

#define PROBES 1023u

bool xhprof_shedding_begin(xhprof_shedding *shedding, xhprof_calltree *tree)
{
	shedding->tree = tree;
	shedding->size = ((size_t)tree->nodes + 1) * sizeof(*shedding->fates);
	shedding->fates = xhprof_pages_map(shedding->size);
	if (shedding->fates) {
		xhprof_shedding_pin(shedding, tree->root->id);
	}
	return shedding->fates != NULL;
}

void xhprof_shedding_end(xhprof_shedding *shedding)
{
	xhprof_pages_unmap(shedding->fates, shedding->size);
	shedding->fates = NULL;
}

void xhprof_shedding_pin(xhprof_shedding *shedding, uint32_t id)
{
	shedding->fates[id] = PINNED;
}

xhprof_node *xhprof_shedding_moved(const xhprof_shedding *shedding, uint32_t id)
{
	return xhprof_calltree_node(shedding->tree, shedding->fates[id]);
}

/* Its own time, with that of what was folded into it. A counter may have stepped back. */
static uint64_t weight_of(const xhprof_node *node)
{
	return (int64_t)node->self_wall > 0 ? node->self_wall : 0;
}

static int by_size(const void *a, const void *b)
{
	uint64_t one = *(const uint64_t *)a, other = *(const uint64_t *)b;
	return one < other ? -1 : one > other;
}

/* A quarter of the nodes is at most this heavy. */
static uint64_t light_weight(const xhprof_calltree *tree)
{
	uint64_t weights[PROBES];
	uint32_t step = tree->nodes / PROBES + 1, count = 0;
	for (uint32_t id = 1; id <= tree->nodes && count < PROBES; id += step) {
		weights[count++] = weight_of(xhprof_calltree_node(tree, id));
	}
	qsort(weights, count, sizeof(*weights), by_size);
	return weights[count / 4];
}

static void fold(xhprof_calltree *tree, const xhprof_node *node, xhprof_node *parent)
{
	parent->self_wall += node->self_wall;
	parent->self_cpu += node->self_cpu;
	parent->self_memory += node->self_memory;
	parent->self_peak += node->self_peak;
	tree->dropped += xhprof_node_is_truncated(node) ? 0 : node->calls; /* the others are counted already */
}

/* Folds leaves of at most this weight, and what becomes a leaf by that. Nodes that stay mark their parents by
 * `first_child`. The number of nodes folded. */
static uint32_t fold_light(xhprof_shedding *shedding, uint64_t most)
{
	xhprof_calltree *tree = shedding->tree;
	uint32_t folded = 0;
	for (uint32_t id = 1; id <= tree->nodes; id++) {
		xhprof_node_links_of(xhprof_calltree_node(tree, id))->first_child = 0;
	}
	for (uint32_t id = tree->nodes; id > 1; id--) {
		if (shedding->fates[id] == GONE) {
			continue;
		}
		const xhprof_node *node = xhprof_calltree_node(tree, id);
		xhprof_node *parent = xhprof_node_parent(node);
		bool stays = shedding->fates[id] == PINNED || xhprof_node_links_of(node)->first_child;
		if (stays || weight_of(node) > most) {
			xhprof_node_links_of(parent)->first_child = 1;
		} else {
			fold(tree, node, parent);
			shedding->fates[id] = GONE;
			folded++;
		}
	}
	return folded;
}

/* Moves the nodes that stay to the front; a parent comes before its children. */
static void move_together(xhprof_shedding *shedding)
{
	xhprof_calltree *tree = shedding->tree;
	uint32_t nodes = tree->nodes;
	for (uint32_t id = 2; id <= nodes; id++) { /* before anything moves */
		const xhprof_node *node = xhprof_calltree_node(tree, id);
		xhprof_node_links_of(node)->next_sibling = (int32_t)xhprof_node_parent(node)->id;
	}
	xhprof_calltree_restart(tree);
	for (uint32_t id = 1; id <= nodes; id++) {
		if (shedding->fates[id] == GONE) {
			continue;
		}
		const xhprof_node *from = xhprof_calltree_node(tree, id);
		uint32_t parent = id > 1 ? shedding->fates[xhprof_node_links_of(from)->next_sibling] : 0;
		xhprof_node *node = xhprof_calltree_put(tree, parent ? xhprof_calltree_node(tree, parent) : NULL, from);
		shedding->fates[id] = node->id;
	}
}

uint32_t xhprof_shedding_run(xhprof_shedding *shedding)
{
	uint32_t nodes = shedding->tree->nodes, folded = 0;
	uint64_t most = light_weight(shedding->tree);
	for (int tries = 0; folded < nodes / 4 && tries < 24; tries++) {
		folded += fold_light(shedding, most);
		most = most > UINT64_MAX / 8 ? UINT64_MAX : most * 4 + 1;
	}
	move_together(shedding);
	return folded;
}
