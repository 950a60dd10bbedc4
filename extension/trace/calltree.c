#include "calltree.h"

#define TRUNCATED_REF ((xhprof_symbol_ref)XHPROF_SYMBOL_TRUNCATED << XHPROF_SYMBOL_FLAG_BITS)

_Static_assert(offsetof(xhprof_node, parent) == 64, "the hot half of a node is one cache line");

static xhprof_node *calltree_new(xhprof_calltree *tree, xhprof_node *parent, xhprof_symbol_ref symbol)
{
	xhprof_node *node = xhprof_arena_alloc(&tree->arena, sizeof(*node), 32);
	if (!node) {
		return NULL;
	}
	node->symbol = symbol;
	node->id = ++tree->nodes;
	node->parent = parent;
	if (parent) {
		node->next_sibling = parent->first_child;
		parent->first_child = node;
	}
	return node;
}

bool xhprof_calltree_begin(xhprof_calltree *tree, uint32_t max_nodes)
{
	xhprof_arena_reset(&tree->arena);
	xhprof_table_clear(&tree->children);
	tree->nodes = 0;
	tree->dropped = 0;
	tree->max_nodes = max_nodes;
	tree->root = calltree_new(tree, NULL, (xhprof_symbol_ref)XHPROF_SYMBOL_MAIN << XHPROF_SYMBOL_FLAG_BITS);
	return tree->root != NULL;
}

void xhprof_calltree_release(xhprof_calltree *tree)
{
	xhprof_arena_release(&tree->arena);
	xhprof_table_release(&tree->children);
	tree->root = NULL;
	tree->nodes = 0;
}

static xhprof_node *calltree_truncated(xhprof_calltree *tree, xhprof_node *parent)
{
	tree->dropped++;
	if (xhprof_node_is_truncated(parent)) {
		return parent;
	}
	/* A sixteenth more nodes may be (truncated) ones; beyond that the call is its caller's own time. */
	if (!parent->truncated && tree->nodes < tree->max_nodes + tree->max_nodes / 16 + 16) {
		parent->truncated = calltree_new(tree, parent, TRUNCATED_REF);
	}
	return parent->truncated ? parent->truncated : parent;
}

xhprof_node *xhprof_calltree_child(xhprof_calltree *tree, xhprof_node *parent, xhprof_symbol_ref symbol)
{
	uint64_t key = (uint64_t)parent->id << 32 | symbol;
	xhprof_node *node = xhprof_table_find(&tree->children, key);
	if (node) {
		return node;
	}
	if (!symbol || XHPROF_SYMBOL_ID(symbol) == XHPROF_SYMBOL_TRUNCATED || xhprof_node_is_truncated(parent) ||
		tree->nodes >= tree->max_nodes) {
		return calltree_truncated(tree, parent);
	}
	node = calltree_new(tree, parent, symbol);
	if (node && !xhprof_table_put(&tree->children, key, node)) {
		/* Linked but not findable: a later call would make a second node, so close the tree here. */
		tree->max_nodes = tree->nodes;
	}
	return node ? node : calltree_truncated(tree, parent);
}

void xhprof_calltree_order(xhprof_calltree *tree)
{
	for (xhprof_node *node = tree->root; node; node = xhprof_calltree_next(node)) {
		xhprof_node *ordered = NULL, *child = node->first_child;
		while (child) {
			xhprof_node *next = child->next_sibling;
			child->next_sibling = ordered;
			ordered = child;
			child = next;
		}
		node->first_child = ordered;
	}
}

xhprof_node *xhprof_calltree_next(const xhprof_node *node)
{
	uint32_t depth = 0; /* nobody asks */
	return xhprof_calltree_next_at(node, &depth);
}

xhprof_node *xhprof_calltree_next_at(const xhprof_node *node, uint32_t *depth)
{
	if (node->first_child) {
		++*depth;
		return node->first_child;
	}
	while (node && !node->next_sibling) {
		node = node->parent;
		--*depth;
	}
	return node ? node->next_sibling : NULL;
}
