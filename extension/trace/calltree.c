#include "calltree.h"

#define TRUNCATED_REF ((xhprof_symbol_ref)XHPROF_SYMBOL_TRUNCATED << XHPROF_SYMBOL_FLAG_BITS)

_Static_assert(sizeof(xhprof_node) == 64, "a node is one cache line");
_Static_assert(offsetof(xhprof_node_group, links) == XHPROF_NODE_GROUP * sizeof(xhprof_node), "links follow the nodes");
_Static_assert(sizeof(xhprof_node_group) % 64 == 0, "nothing is left empty between two groups");

const xhprof_node xhprof_no_node = {.symbol = UINT32_MAX, .last_child = &xhprof_no_node, .successor = &xhprof_no_node};

static xhprof_node *calltree_new(xhprof_calltree *tree, xhprof_node *parent, xhprof_symbol_ref symbol)
{
	size_t place = tree->nodes % XHPROF_NODE_GROUP;
	if (!place) {
		xhprof_node_group *group = xhprof_arena_alloc(&tree->arena, sizeof(*group), 64);
		if (!group) {
			return NULL;
		}
		tree->group = group;
	}
	xhprof_node *node = &tree->group->nodes[place];
	node->symbol = symbol;
	node->id = ++tree->nodes;
	node->last_child = node->successor = &xhprof_no_node;
	xhprof_node_links *links = xhprof_node_links_of(node);
	links->parent = parent;
	if (parent) {
		links->next_sibling = xhprof_node_first_child(parent);
		xhprof_node_links_of(parent)->first_child = node;
	}
	return node;
}

/* A sixteenth more nodes may be (truncated) ones. */
static uint32_t calltree_node_limit(const xhprof_calltree *tree)
{
	return tree->max_nodes + tree->max_nodes / 16 + 16;
}

static void calltree_forget_blocks(xhprof_calltree *tree)
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

void xhprof_calltree_round_blocks(xhprof_calltree *tree)
{
	if (!tree->blocks || tree->block_unit == 1) {
		return;
	}
	for (uint32_t id = 1; id <= tree->nodes; id++) {
		tree->blocks[id].allocated_blocks /= tree->block_unit;
		tree->blocks[id].freed_blocks /= tree->block_unit;
	}
	tree->block_unit = 1;
}

bool xhprof_calltree_begin(xhprof_calltree *tree, uint32_t max_nodes)
{
	calltree_forget_blocks(tree);
	xhprof_arena_reset(&tree->arena);
	xhprof_table_clear(&tree->children);
	tree->nodes = 0;
	tree->group = NULL;
	tree->dropped = 0;
	tree->max_nodes = max_nodes;
	tree->root = calltree_new(tree, NULL, (xhprof_symbol_ref)XHPROF_SYMBOL_MAIN << XHPROF_SYMBOL_FLAG_BITS);
	return tree->root != NULL;
}

void xhprof_calltree_release(xhprof_calltree *tree)
{
	xhprof_arena_release(&tree->arena);
	xhprof_table_release(&tree->children);
	calltree_forget_blocks(tree);
	tree->root = NULL;
	tree->group = NULL;
	tree->nodes = 0;
}

static uint64_t child_key(const xhprof_node *parent, xhprof_symbol_ref symbol)
{
	return (uint64_t)parent->id << 32 | symbol;
}

static xhprof_node *calltree_truncated(xhprof_calltree *tree, xhprof_node *parent)
{
	tree->dropped++;
	if (xhprof_node_is_truncated(parent)) {
		return parent;
	}
	uint64_t key = child_key(parent, TRUNCATED_REF);
	xhprof_node *truncated = xhprof_table_find(&tree->children, key);
	/* Without room even for that, the call is its caller's own time. */
	if (!truncated && tree->nodes < calltree_node_limit(tree) && xhprof_table_reserve(&tree->children)) {
		truncated = calltree_new(tree, parent, TRUNCATED_REF);
		if (truncated) {
			xhprof_table_put(&tree->children, key, truncated);
		}
	}
	return truncated ? truncated : parent;
}

xhprof_node *xhprof_calltree_child(xhprof_calltree *tree, xhprof_node *parent, xhprof_symbol_ref symbol)
{
	if (!symbol || XHPROF_SYMBOL_ID(symbol) == XHPROF_SYMBOL_TRUNCATED || xhprof_node_is_truncated(parent)) {
		return calltree_truncated(tree, parent);
	}
	uint64_t key = child_key(parent, symbol);
	xhprof_node *node = xhprof_table_find(&tree->children, key);
	if (node) {
		return node;
	}
	if (tree->nodes >= tree->max_nodes) {
		return calltree_truncated(tree, parent);
	}
	/* A linked node that lookups miss would be made a second time: reserve the room first, then make the node. */
	node = xhprof_table_reserve(&tree->children) ? calltree_new(tree, parent, symbol) : NULL;
	if (!node) {
		return calltree_truncated(tree, parent);
	}
	xhprof_table_put(&tree->children, key, node);
	return node;
}

void xhprof_calltree_order_children(xhprof_node *node)
{
	xhprof_node_links *links = xhprof_node_links_of(node);
	xhprof_node *ordered = NULL, *child = links->first_child;
	while (child) {
		xhprof_node_links *of_child = xhprof_node_links_of(child);
		xhprof_node *next = of_child->next_sibling;
		of_child->next_sibling = ordered;
		ordered = child;
		child = next;
	}
	links->first_child = ordered;
}

xhprof_node *xhprof_calltree_next(const xhprof_node *node)
{
	uint32_t depth = 0; /* the depth is not used */
	return xhprof_calltree_next_at(node, &depth);
}

xhprof_node *xhprof_calltree_next_at(const xhprof_node *node, uint32_t *depth)
{
	const xhprof_node_links *links = xhprof_node_links_of(node);
	if (links->first_child) {
		++*depth;
		return links->first_child;
	}
	while (!links->next_sibling) {
		if (!links->parent) {
			return NULL;
		}
		links = xhprof_node_links_of(links->parent);
		--*depth;
	}
	return links->next_sibling;
}

uint32_t *xhprof_calltree_places(const xhprof_calltree *tree, size_t *size)
{
	uint32_t place = 0;
	*size = ((size_t)tree->nodes + 1) * sizeof(uint32_t);
	uint32_t *places = xhprof_pages_map(*size);
	for (const xhprof_node *node = tree->root; places && node; node = xhprof_calltree_next(node)) {
		places[node->id] = place++;
	}
	return places;
}
