#include "shedding.h"

#include <stdlib.h>
#include <string.h>

/* The fate of a node that stays. Other fates, before the nodes move, are 0, where it depends on the node's weight, and
 * with XHPROF_SHEDDING_FOLDED the parent's id before. */
#define PINNED UINT32_MAX

/* The most weights that are sorted: so few that qsort() takes no memory, as native memory may be recorded. */
#define PROBES 127u

#define ALL (UINT64_C(1) << 40) /* the weight of everything */

bool xhprof_shedding_begin(xhprof_shedding *shedding, xhprof_calltree *tree)
{
	*shedding = (xhprof_shedding){.tree = tree, .nodes = tree->nodes};
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
	return xhprof_calltree_node(shedding->tree, xhprof_shedding_id(shedding, id));
}

/* Returns an amount, or 0 if it is negative: a counter may have stepped back, and an estimate may be below zero. */
static uint64_t positive(uint64_t amount)
{
	return (int64_t)amount > 0 ? amount : 0;
}

static uint64_t time_of(const xhprof_shedding *shedding, const xhprof_node *node)
{
	return shedding->samples ? node->calls : positive(node->self_wall);
}

/* Gives all of a node's own amounts except its time, including those that were folded into it. */
static void amounts_of(const xhprof_shedding *shedding, const xhprof_node *node, uint64_t amounts[XHPROF_WEIGHTS])
{
	const xhprof_node_blocks *blocks = &shedding->tree->blocks[node->id];
	amounts[XHPROF_WEIGHT_ALLOCATED] = positive(blocks->allocated_bytes);
	amounts[XHPROF_WEIGHT_LIVE] = positive(blocks->allocated_bytes - blocks->freed_bytes);
	amounts[XHPROF_WEIGHT_PEAK] = node->id <= shedding->peak.count ? shedding->peak.bytes[node->id] : 0;
}

static void weigh_all(xhprof_shedding *shedding)
{
	double sums[XHPROF_WEIGHTS] = {0};
	uint64_t amounts[XHPROF_WEIGHTS] = {0};
	for (uint32_t id = 1; id <= shedding->nodes; id++) {
		const xhprof_node *node = xhprof_calltree_node(shedding->tree, id);
		if (shedding->tree->blocks) {
			amounts_of(shedding, node, amounts);
		}
		amounts[XHPROF_WEIGHT_TIME] = time_of(shedding, node);
		for (int i = 0; i < XHPROF_WEIGHTS; i++) {
			sums[i] += (double)amounts[i];
		}
	}
	for (int i = 0; i < XHPROF_WEIGHTS; i++) {
		shedding->scale[i] = sums[i] > 0 ? (double)ALL / sums[i] : 0;
	}
}

/* Returns a node's largest share of any of the amounts. */
static uint64_t weight_of(const xhprof_shedding *shedding, const xhprof_node *node)
{
	double most = (double)time_of(shedding, node) * shedding->scale[XHPROF_WEIGHT_TIME];
	if (shedding->tree->blocks) {
		uint64_t amounts[XHPROF_WEIGHTS];
		amounts_of(shedding, node, amounts);
		for (int i = XHPROF_WEIGHT_TIME + 1; i < XHPROF_WEIGHTS; i++) {
			double share = (double)amounts[i] * shedding->scale[i];
			most = share > most ? share : most;
		}
	}
	return (uint64_t)most;
}

static int by_size(const void *a, const void *b)
{
	uint64_t one = *(const uint64_t *)a, other = *(const uint64_t *)b;
	return one < other ? -1 : one > other;
}

/* Returns a weight that about a quarter of the nodes do not exceed. */
static uint64_t light_weight(const xhprof_shedding *shedding)
{
	uint64_t weights[PROBES];
	uint32_t step = shedding->nodes / PROBES + 1, count = 0;
	for (uint32_t id = 1; id <= shedding->nodes && count < PROBES; id += step) {
		weights[count++] = weight_of(shedding, xhprof_calltree_node(shedding->tree, id));
	}
	qsort(weights, count, sizeof(*weights), by_size);
	return weights[count / 4];
}

static bool is_folded(const xhprof_shedding *shedding, uint32_t id)
{
	return shedding->fates[id] != PINNED && xhprof_shedding_folded(shedding, id);
}

static void fold_blocks(xhprof_node_blocks *blocks, uint32_t node, uint32_t parent)
{
	blocks[parent].allocated_bytes += blocks[node].allocated_bytes;
	blocks[parent].allocated_blocks += blocks[node].allocated_blocks;
	blocks[parent].freed_bytes += blocks[node].freed_bytes;
	blocks[parent].freed_blocks += blocks[node].freed_blocks;
}

static void fold_requests(xhprof_node_requests *requests, uint32_t node, uint32_t parent)
{
	requests[parent].allocations += requests[node].allocations;
	requests[parent].bytes += requests[node].bytes;
	requests[parent].frees += requests[node].frees;
}

static void fold(xhprof_shedding *shedding, const xhprof_node *node, xhprof_node *parent)
{
	xhprof_calltree *tree = shedding->tree;
	parent->self_wall += node->self_wall;
	parent->self_cpu += node->self_cpu;
	parent->self_memory += node->self_memory;
	parent->self_peak += node->self_peak;
	if (shedding->samples) {
		parent->calls += node->calls;
	} else {
		xhprof_folded_calls_add(&tree->folded, node->symbol, node->calls);
	}
	tree->dropped += xhprof_node_is_truncated(node) ? 0 : node->calls; /* the others are counted already */
	if (tree->blocks) {
		fold_blocks(tree->blocks, node->id, parent->id);
	}
	if (tree->requests) {
		fold_requests(tree->requests, node->id, parent->id);
	}
	if (tree->system) {
		tree->system[parent->id] += tree->system[node->id];
	}
	if (node->id <= shedding->peak.count) { /* the parent was made before */
		shedding->peak.bytes[parent->id] += shedding->peak.bytes[node->id];
		shedding->peak.bytes[node->id] = 0;
	}
	shedding->fates[node->id] = XHPROF_SHEDDING_FOLDED | parent->id;
}

/* Folds leaves of at most this weight, and what becomes a leaf by that. Nodes that stay mark their parents by
 * `first_child`. Returns the number of nodes folded. */
static uint32_t fold_light(xhprof_shedding *shedding, uint64_t most)
{
	xhprof_calltree *tree = shedding->tree;
	uint32_t folded = 0;
	for (uint32_t id = 1; id <= tree->nodes; id++) {
		xhprof_node_links_of(xhprof_calltree_node(tree, id))->first_child = 0;
	}
	for (uint32_t id = tree->nodes; id > 1; id--) {
		if (is_folded(shedding, id)) {
			continue;
		}
		const xhprof_node *node = xhprof_calltree_node(tree, id);
		xhprof_node *parent = xhprof_node_parent(node);
		bool stays = shedding->fates[id] == PINNED || xhprof_node_links_of(node)->first_child;
		if (stays || weight_of(shedding, node) > most) {
			xhprof_node_links_of(parent)->first_child = 1;
		} else {
			fold(shedding, node, parent);
			folded++;
		}
	}
	return folded;
}

/* Moves the nodes that stay to the front; a parent comes before its children. */
static void move_together(xhprof_shedding *shedding)
{
	xhprof_calltree *tree = shedding->tree;
	uint32_t nodes = shedding->nodes;
	for (uint32_t id = 2; id <= nodes; id++) { /* before anything moves */
		const xhprof_node *node = xhprof_calltree_node(tree, id);
		xhprof_node_links_of(node)->next_sibling = (int32_t)xhprof_node_parent(node)->id;
	}
	xhprof_calltree_restart(tree);
	for (uint32_t id = 1; id <= nodes; id++) {
		if (is_folded(shedding, id)) {
			uint32_t parent = shedding->fates[id] & ~XHPROF_SHEDDING_FOLDED;
			shedding->fates[id] = XHPROF_SHEDDING_FOLDED | xhprof_shedding_id(shedding, parent);
			continue;
		}
		const xhprof_node *from = xhprof_calltree_node(tree, id);
		uint32_t parent = id > 1 ? shedding->fates[xhprof_node_links_of(from)->next_sibling] : 0;
		xhprof_node *node = xhprof_calltree_put(tree, parent ? xhprof_calltree_node(tree, parent) : NULL, from);
		shedding->fates[id] = node->id;
	}
	if (tree->blocks) {
		memset(&tree->blocks[tree->nodes + 1], 0, (nodes - tree->nodes) * sizeof(*tree->blocks));
	}
	if (tree->requests) {
		memset(&tree->requests[tree->nodes + 1], 0, (nodes - tree->nodes) * sizeof(*tree->requests));
	}
	if (tree->system) {
		memset(&tree->system[tree->nodes + 1], 0, (nodes - tree->nodes) * sizeof(*tree->system));
	}
}

uint32_t xhprof_shedding_run(xhprof_shedding *shedding)
{
	uint32_t folded = 0;
	weigh_all(shedding);
	uint64_t most = light_weight(shedding);
	for (int tries = 0; folded < shedding->nodes / 4 && tries < 24; tries++) {
		folded += fold_light(shedding, most);
		most = most > UINT64_MAX / 8 ? UINT64_MAX : most * 4 + 1;
	}
	move_together(shedding);
	return folded;
}
