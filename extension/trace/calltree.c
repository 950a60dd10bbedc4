#include "calltree.h"

#include <string.h>

_Static_assert(sizeof(xhprof_node) == 64, "a node is one cache line");
_Static_assert(offsetof(xhprof_node_group, links) == XHPROF_NODE_GROUP * sizeof(xhprof_node), "links follow the nodes");
_Static_assert(sizeof(xhprof_node_group) % sizeof(xhprof_node) == 0, "distances are whole numbers of nodes");

/* The bytes within which all nodes lie, so that distances between any two fit into 32 bits. */
#define REACH (sizeof(xhprof_node) << 30) /* 64 GB */
#define GROUPS_AT_FIRST 512

const xhprof_node xhprof_no_node = {.symbol = UINT32_MAX, .last_child = &xhprof_no_node, .successor = &xhprof_no_node};

static int32_t distance(const xhprof_node *from, const xhprof_node *to)
{
	return (int32_t)(((intptr_t)to - (intptr_t)from) / (intptr_t)sizeof(*to));
}

static xhprof_node_group *calltree_new_group(xhprof_calltree *tree)
{
	size_t number = tree->group_count;
	if (number == tree->groups_capacity &&
		!xhprof_pages_double((void **)&tree->groups, sizeof(*tree->groups), &tree->groups_capacity, GROUPS_AT_FIRST)) {
		return NULL;
	}
	xhprof_node_group *group = xhprof_arena_alloc(&tree->arena, sizeof(*group), sizeof(xhprof_node));
	if (group) {
		tree->groups[tree->group_count++] = group;
	}
	return group;
}

/* Writes all links of the last node. What is no link stays as in `own`. */
static void calltree_link(xhprof_node *node, xhprof_node *parent, xhprof_node_links own)
{
	xhprof_node_links *links = xhprof_node_links_of(node);
	own.parent = own.first_child = own.next_sibling = 0;
	*links = own;
	if (parent) {
		xhprof_node_links *of_parent = xhprof_node_links_of(parent);
		int32_t up = distance(node, parent);
		links->parent = up;
		links->next_sibling = of_parent->first_child ? up + of_parent->first_child : 0;
		of_parent->first_child = -up;
	}
}

static xhprof_node *calltree_new(xhprof_calltree *tree, xhprof_node *parent, xhprof_symbol_ref symbol)
{
	uint32_t number = tree->nodes / XHPROF_NODE_GROUP;
	xhprof_node_group *group = number < tree->group_count ? tree->groups[number] : calltree_new_group(tree);
	if (!group) {
		return NULL;
	}
	xhprof_node *node = &group->nodes[tree->nodes % XHPROF_NODE_GROUP];
	/* All of it: the memory is not zeroed. */
	*node = (xhprof_node){
		.symbol = symbol, .id = ++tree->nodes, .last_child = &xhprof_no_node, .successor = &xhprof_no_node};
	calltree_link(node, parent, (xhprof_node_links){0});
	return node;
}

/* Returns the most nodes of a tree: a sixteenth more than max_nodes, for (truncated) ones. */
static uint32_t calltree_node_limit(const xhprof_calltree *tree)
{
	return tree->max_nodes + tree->max_nodes / 16 + 16;
}

void xhprof_calltree_drop_blocks(xhprof_calltree *tree)
{
	xhprof_pages_unmap(tree->blocks, tree->blocks_size);
	tree->blocks = NULL;
}

bool xhprof_calltree_count_blocks(xhprof_calltree *tree, uint32_t block_unit)
{
	tree->blocks_size = ((size_t)calltree_node_limit(tree) + 1) * sizeof(*tree->blocks);
	tree->blocks = xhprof_pages_reserve(tree->blocks_size);
	tree->block_unit = block_unit;
	return tree->blocks != NULL;
}

bool xhprof_calltree_count_requests(xhprof_calltree *tree)
{
	tree->requests_size = ((size_t)calltree_node_limit(tree) + 1) * sizeof(*tree->requests);
	tree->requests = xhprof_pages_reserve(tree->requests_size);
	return tree->requests != NULL;
}

bool xhprof_calltree_count_system(xhprof_calltree *tree)
{
	tree->system_size = ((size_t)calltree_node_limit(tree) + 1) * sizeof(*tree->system);
	tree->system = xhprof_pages_reserve(tree->system_size);
	return tree->system != NULL;
}

bool xhprof_calltree_count_kept(xhprof_calltree *tree)
{
	if (!tree->kept) {
		tree->kept_size = ((size_t)calltree_node_limit(tree) + 1) * sizeof(*tree->kept);
		tree->kept = xhprof_pages_reserve(tree->kept_size);
	}
	return tree->kept != NULL;
}

bool xhprof_calltree_has_blocks(const xhprof_calltree *tree)
{
	for (uint32_t id = 1; tree->blocks && id <= tree->nodes; id++) {
		if (tree->blocks[id].allocated_bytes || xhprof_calltree_node(tree, id)->self_peak) {
			return true;
		}
	}
	return false;
}

void xhprof_calltree_forget_blocks(xhprof_calltree *tree)
{
	for (uint32_t id = 1; tree->blocks && id <= tree->nodes; id++) {
		xhprof_node_blocks *blocks = &tree->blocks[id];
		blocks->freed_bytes -= blocks->allocated_bytes;
		blocks->freed_blocks -= blocks->allocated_blocks;
		blocks->allocated_bytes = blocks->allocated_blocks = 0;
	}
}

bool xhprof_calltree_begin(xhprof_calltree *tree, uint32_t max_nodes)
{
	if (tree->root) {
		xhprof_calltree_release(tree);
	}
	tree->arena.unzeroed = true;
	tree->arena.reach = REACH;
	tree->dropped = 0;
	tree->max_nodes = max_nodes;
	tree->root = calltree_new(tree, NULL, (xhprof_symbol_ref)XHPROF_SYMBOL_MAIN << XHPROF_SYMBOL_FLAG_BITS);
	return tree->root != NULL;
}

static void calltree_forget(xhprof_calltree *tree)
{
	xhprof_calltree_drop_blocks(tree);
	xhprof_pages_unmap(tree->requests, tree->requests_size);
	tree->requests = NULL;
	xhprof_pages_unmap(tree->system, tree->system_size);
	tree->system = NULL;
	xhprof_pages_unmap(tree->kept, tree->kept_size);
	tree->kept = NULL;
	xhprof_folded_calls_release(&tree->folded);
	tree->root = NULL;
	tree->nodes = tree->group_count = tree->ordered = 0;
}

void xhprof_calltree_recycle(xhprof_calltree *tree, size_t *budget)
{
	size_t groups = tree->groups_capacity * sizeof(*tree->groups);
	if (groups > *budget) {
		xhprof_pages_unmap(tree->groups, groups);
		tree->groups = NULL;
		tree->groups_capacity = 0;
	} else {
		*budget -= groups;
	}
	xhprof_child_index_recycle(&tree->children, budget);
	xhprof_arena_recycle(&tree->arena, budget);
	calltree_forget(tree);
}

void xhprof_calltree_release(xhprof_calltree *tree)
{
	size_t nothing = 0;
	xhprof_calltree_recycle(tree, &nothing);
}

/* Finds a child. Returns NULL if the node has no such child: `*empty` is then a slot for it, or NULL. */
static xhprof_node *calltree_find(const xhprof_calltree *tree, uint32_t key, xhprof_symbol_ref symbol,
								  xhprof_child_slot **empty)
{
	const xhprof_child_index *index = &tree->children;
	*empty = NULL;
	if (!index->capacity) {
		return NULL;
	}
	xhprof_child_search search = xhprof_child_index_search(index, key);
	for (; search.slot->place; xhprof_child_index_next(index, key, &search)) {
		if (search.slot->key == key) {
			xhprof_node *node = xhprof_node_at(tree->root, search.slot->place);
			if (node->symbol == symbol) {
				return node;
			}
		}
	}
	*empty = search.slot;
	return NULL;
}

/* Adds a child. `empty`: as calltree_find() gave it. */
static xhprof_node *calltree_add(xhprof_calltree *tree, xhprof_node *parent, xhprof_symbol_ref symbol, uint32_t key,
								 xhprof_child_slot *empty)
{
	/* A linked node that lookups miss would be made a second time: reserve the room first, then make the node. */
	bool room = xhprof_child_index_has_room(&tree->children);
	xhprof_node *node = room || xhprof_child_index_reserve(&tree->children) ? calltree_new(tree, parent, symbol) : NULL;
	if (!node) {
		tree->max_nodes = 0; /* the tree is full: calls do not ask the system again and again */
	} else if (room && empty) {
		xhprof_child_index_fill(&tree->children, empty, key, distance(tree->root, node));
		xhprof_child_index_prefetch(&tree->children, node->id);
	} else {
		xhprof_child_index_add(&tree->children, key, distance(tree->root, node));
	}
	return node;
}

xhprof_node *xhprof_calltree_known(const xhprof_calltree *tree, const xhprof_node *parent, xhprof_symbol_ref symbol)
{
	xhprof_child_slot *empty;
	return calltree_find(tree, xhprof_child_key(parent->id, symbol), symbol, &empty);
}

void xhprof_calltree_restart(xhprof_calltree *tree)
{
	xhprof_child_index_empty(&tree->children);
	tree->nodes = tree->ordered = 0;
	tree->moves++;
}

xhprof_node *xhprof_calltree_put(xhprof_calltree *tree, xhprof_node *parent, const xhprof_node *moved)
{
	xhprof_node_links links = *xhprof_node_links_of(moved);
	xhprof_node copy = *moved, *node = xhprof_calltree_node(tree, ++tree->nodes);
	copy.id = tree->nodes;
	copy.last_child = copy.successor = &xhprof_no_node;
	if (tree->blocks) {
		tree->blocks[copy.id] = tree->blocks[moved->id]; /* whose memory may be the node's */
	}
	if (tree->requests) {
		tree->requests[copy.id] = tree->requests[moved->id];
	}
	if (tree->system) {
		tree->system[copy.id] = tree->system[moved->id];
	}
	*node = copy;
	calltree_link(node, parent, links);
	if (parent) {
		xhprof_child_index_add(&tree->children, xhprof_child_key(parent->id, node->symbol), distance(tree->root, node));
	}
	return node;
}

static xhprof_node *calltree_truncated(xhprof_calltree *tree, xhprof_node *parent)
{
	tree->dropped++;
	if (xhprof_node_is_truncated(parent)) {
		return parent;
	}
	uint32_t key = xhprof_child_key(parent->id, XHPROF_SYMBOL_TRUNCATED_REF);
	xhprof_child_slot *empty;
	xhprof_node *truncated = calltree_find(tree, key, XHPROF_SYMBOL_TRUNCATED_REF, &empty);
	/* Without room even for that, the call is its caller's own time. */
	if (!truncated && tree->nodes < calltree_node_limit(tree)) {
		truncated = calltree_add(tree, parent, XHPROF_SYMBOL_TRUNCATED_REF, key, empty);
	}
	return truncated ? truncated : parent;
}

xhprof_node *xhprof_calltree_child(xhprof_calltree *tree, xhprof_node *parent, xhprof_symbol_ref symbol)
{
	if (!symbol || XHPROF_SYMBOL_ID(symbol) == XHPROF_SYMBOL_TRUNCATED || xhprof_node_is_truncated(parent)) {
		return calltree_truncated(tree, parent);
	}
	uint32_t key = xhprof_child_key(parent->id, symbol);
	xhprof_child_slot *empty;
	xhprof_node *node = calltree_find(tree, key, symbol, &empty);
	if (!node && tree->nodes < tree->max_nodes) {
		node = calltree_add(tree, parent, symbol, key, empty);
	}
	return node ? node : calltree_truncated(tree, parent);
}

/* Makes room in an array by ids, which may be NULL, for this number of further nodes. */
static bool calltree_extend(const xhprof_calltree *tree, void **array, size_t *array_size, size_t item, uint32_t more)
{
	size_t used = ((size_t)tree->nodes + 1) * item, size = used + more * item;
	if (!*array || size <= *array_size) {
		return true;
	}
	void *extended = xhprof_pages_reserve(size);
	if (!extended) {
		return false;
	}
	memcpy(extended, *array, used);
	xhprof_pages_unmap(*array, *array_size);
	*array = extended;
	*array_size = size;
	return true;
}

/* Returns a child, made beyond the limit if it is new; NULL without memory. */
static xhprof_node *calltree_child_beyond(xhprof_calltree *tree, xhprof_node *parent, xhprof_symbol_ref symbol)
{
	uint32_t key = xhprof_child_key(parent->id, symbol);
	xhprof_child_slot *empty;
	xhprof_node *node = calltree_find(tree, key, symbol, &empty);
	return node ? node : calltree_add(tree, parent, symbol, key, empty);
}

void xhprof_calltree_show_folded(xhprof_calltree *tree)
{
	xhprof_folded_calls *folded = &tree->folded;
	if (!xhprof_folded_calls_any(folded)) {
		return;
	}
	uint32_t more = folded->count + 1;
	bool room = calltree_extend(tree, (void **)&tree->blocks, &tree->blocks_size, sizeof(*tree->blocks), more) &&
				calltree_extend(tree, (void **)&tree->requests, &tree->requests_size, sizeof(*tree->requests), more) &&
				calltree_extend(tree, (void **)&tree->system, &tree->system_size, sizeof(*tree->system), more);
	xhprof_node *truncated = room ? calltree_child_beyond(tree, tree->root, XHPROF_SYMBOL_TRUNCATED_REF) : NULL;
	truncated = truncated ? truncated : tree->root; /* then at least the sum is right */
	for (size_t id = 0; id < folded->capacity; id++) {
		const xhprof_folded_function *function = &folded->functions[id];
		if (function->calls) {
			bool shown = truncated != tree->root;
			xhprof_node *node = shown ? calltree_child_beyond(tree, truncated, function->symbol) : NULL;
			(node ? node : truncated)->calls += function->calls;
		}
	}
	truncated->calls += folded->other;
	xhprof_folded_calls_release(folded);
}

static void calltree_order_node(xhprof_node *node)
{
	xhprof_node_links *links = xhprof_node_links_of(node);
	xhprof_node_links *of_parent = xhprof_node_links_of(xhprof_node_at(node, links->parent));
	int32_t first = of_parent->first_child, own = -links->parent;
	links->next_sibling = first && first != own ? first - own : 0;
	of_parent->first_child = own;
}

/* Orders the children of all nodes, by ids and not along the tree: memory is passed through in order. From the last
 * child to the first, each is put before those that came after it. The last one is its parent's first so far, unless
 * some were in order. */
void xhprof_calltree_order(xhprof_calltree *tree)
{
	if (tree->ordered == tree->nodes) {
		return;
	}
	for (uint32_t id = 1; tree->ordered && id <= tree->nodes; id++) {
		xhprof_node_links_of(xhprof_calltree_node(tree, id))->first_child = 0;
	}
	for (uint32_t id = tree->nodes; id > 1;) {
		xhprof_node *nodes = tree->groups[(id - 1) / XHPROF_NODE_GROUP]->nodes;
		do {
			calltree_order_node(&nodes[(id - 1) % XHPROF_NODE_GROUP]);
		} while (--id % XHPROF_NODE_GROUP && id > 1);
	}
	tree->ordered = tree->nodes;
}

xhprof_node *xhprof_calltree_next(const xhprof_node *node)
{
	uint32_t depth = 0; /* the depth is not used */
	return xhprof_calltree_next_at(node, &depth);
}

uint32_t *xhprof_calltree_places(const xhprof_calltree *tree, xhprof_scratch *scratch, size_t *size)
{
	uint32_t place = 0;
	*size = ((size_t)tree->nodes + 1) * sizeof(uint32_t);
	uint32_t *places = xhprof_scratch_take(scratch, *size);
	for (const xhprof_node *node = tree->root; places && node; node = xhprof_calltree_next(node)) {
		places[node->id] = place++;
	}
	return places;
}
