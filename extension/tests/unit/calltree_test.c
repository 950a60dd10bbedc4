/* A tree of many paths: children are found and keep their order; memory is reused, bounded, and small. */
#include "nodes.h"
#include "unit.h"

#include "trace/tracer.h"

#include <stdlib.h>

enum { PATHS = 60000, SYMBOLS = 500 };

static xhprof_calltree tree;
static xhprof_node *made[PATHS + 1];
static uint32_t parents[PATHS + 1];

static xhprof_symbol_ref symbol(uint32_t number)
{
	return (number + 3) << XHPROF_SYMBOL_FLAG_BITS;
}

/* Random paths below random nodes; every one of them is also looked up again. */
static int make_paths(uint32_t count)
{
	int wrong = 0;
	made[1] = tree.root;
	while (tree.nodes < count) {
		uint32_t parent = 1 + (uint32_t)rand() % tree.nodes, nodes = tree.nodes;
		xhprof_symbol_ref ref = symbol((uint32_t)rand() % SYMBOLS);
		xhprof_node *node = xhprof_calltree_child(&tree, made[parent], ref);
		if (tree.nodes > nodes) {
			made[tree.nodes] = node;
			parents[tree.nodes] = parent;
		}
		wrong += node->symbol != ref || xhprof_node_parent(node) != made[parent];
		wrong += xhprof_calltree_child(&tree, made[parent], ref) != node;
	}
	return wrong;
}

/* What the recycled tree keeps mapped. */
static size_t kept_bytes(void)
{
	size_t whole = (size_t)1 << 40, left = whole;
	xhprof_calltree_recycle(&tree, &left);
	return whole - left;
}

static void nodes_are_found_and_ordered(void)
{
	CHECK(xhprof_calltree_begin(&tree, PATHS));
	CHECK(make_paths(PATHS) == 0 && tree.nodes == PATHS && tree.dropped == 0);
	int wrong = 0;
	for (uint32_t id = 1; id <= PATHS; id++) {
		wrong += xhprof_calltree_node(&tree, id) != made[id] || made[id]->id != id || *xhprof_node_call_line(made[id]);
	}
	CHECK(wrong == 0);
	for (int round = 0; round < 2; round++) { /* once more changes nothing */
		static uint32_t last[PATHS + 1], children;
		memset(last, 0, sizeof(last));
		children = 0;
		xhprof_calltree_order(&tree);
		for (const xhprof_node *node = tree.root; node; node = xhprof_calltree_next(node)) {
			for (const xhprof_node *child = xhprof_node_first_child(node); child;
				 child = xhprof_node_next_sibling(child)) {
				wrong += parents[child->id] != node->id || child->id <= last[node->id];
				last[node->id] = child->id;
				children++;
			}
		}
		CHECK(wrong == 0 && children == PATHS - 1);
	}
	xhprof_calltree_release(&tree);
}

/* The first half of the nodes goes, and the others are the root's. */
static void moved_nodes_keep_what_is_theirs(void)
{
	CHECK(xhprof_calltree_begin(&tree, 200));
	CHECK(make_paths(200) == 0);
	for (uint32_t id = 1; id <= 200; id++) {
		made[id]->calls = *xhprof_node_call_line(made[id]) = id;
	}
	xhprof_calltree_restart(&tree);
	xhprof_node *root = xhprof_calltree_put(&tree, NULL, made[1]);
	for (uint32_t id = 101; id <= 200; id++) {
		made[id]->symbol = symbol(id); /* one child of the root each */
		xhprof_calltree_put(&tree, root, made[id]);
	}
	int wrong = tree.nodes != 101 || xhprof_node_parent(root);
	for (uint32_t id = 2; id <= 101; id++) {
		const xhprof_node *node = xhprof_calltree_node(&tree, id);
		wrong += node->calls != id + 99 || *xhprof_node_call_line(node) != id + 99 ||
				 xhprof_node_parent(node) != root || xhprof_node_first_child(node) ||
				 xhprof_calltree_known(&tree, root, symbol(id + 99)) != node;
	}
	CHECK(wrong == 0);
	xhprof_calltree_release(&tree);
}

static void a_full_tree_makes_no_more_nodes(void)
{
	CHECK(xhprof_calltree_begin(&tree, 100));
	make_paths(100);
	xhprof_node *beyond = xhprof_calltree_child(&tree, tree.root, symbol(SYMBOLS));
	CHECK(xhprof_node_is_truncated(beyond) && xhprof_node_parent(beyond) == tree.root && tree.dropped == 1);
	CHECK(xhprof_calltree_child(&tree, tree.root, symbol(SYMBOLS + 1)) == beyond);
	xhprof_calltree_release(&tree);
}

/* The next tree of the same size takes the memory over: not one page is asked for. */
static void memory_is_taken_over(void)
{
	size_t budget = 64 * 1024 * 1024;
	xhprof_calltree_begin(&tree, PATHS);
	make_paths(PATHS);
	for (uint32_t id = 1; id <= PATHS; id++) {
		memset(made[id], 0xff, sizeof(*made[id])); /* what was there must not matter */
		*xhprof_node_links_of(made[id]) = (xhprof_node_links){7, 7, 7, 7};
	}
	xhprof_calltree_recycle(&tree, &budget);
	CHECK(tree.root == NULL && tree.nodes == 0 && budget < 64 * 1024 * 1024 - PATHS * 80);
	unit_mmaps = 0;
	CHECK(xhprof_calltree_begin(&tree, PATHS));
	CHECK(make_paths(PATHS) == 0 && tree.dropped == 0);
	unit_mmaps = -1;
	int wrong = 0;
	for (uint32_t id = 1; id <= PATHS; id++) {
		wrong += made[id]->calls || made[id]->self_wall || made[id]->self_cpu || made[id]->self_memory ||
				 made[id]->self_peak || *xhprof_node_call_line(made[id]);
	}
	CHECK(wrong == 0);
	size_t kept = kept_bytes();
	CHECK(kept > PATHS * 80);
	budget = kept / 2;
	xhprof_calltree_recycle(&tree, &budget);
	CHECK(kept_bytes() <= kept / 2);
	budget = 0;
	xhprof_calltree_recycle(&tree, &budget);
	CHECK(kept_bytes() == 0 && tree.groups == NULL && tree.arena.spare == NULL);
}

/* One node has all of them, as many as there are symbols. */
static void very_many_children_are_found(void)
{
	xhprof_calltree_begin(&tree, PATHS);
	for (int round = 0; round < 2; round++) {
		for (uint32_t i = 0; tree.nodes < PATHS || (round && i < PATHS - 1); i++) {
			xhprof_calltree_child(&tree, tree.root, symbol(i));
		}
	}
	CHECK(tree.nodes == PATHS && tree.dropped == 0);
	xhprof_calltree_release(&tree);
}

static void a_small_tree_gives_up_a_large_index(void)
{
	size_t budget = 64 * 1024 * 1024;
	xhprof_calltree_begin(&tree, PATHS);
	make_paths(PATHS);
	xhprof_calltree_recycle(&tree, &budget);
	xhprof_calltree_recycle(&tree, &budget); /* at the request's end, and at the next start */
	xhprof_calltree_begin(&tree, PATHS);
	CHECK(tree.children.capacity > PATHS);
	make_paths(100);
	xhprof_calltree_recycle(&tree, &budget);
	CHECK(tree.children.capacity == 0);
	xhprof_calltree_release(&tree);
}

static void a_path_takes_less_than_100_bytes(void)
{
	size_t most = 0;
	xhprof_calltree_begin(&tree, PATHS);
	for (uint32_t count = 1000; count <= PATHS; count += 500) {
		make_paths(count);
		size_t bytes = sizeof(xhprof_node_group) / XHPROF_NODE_GROUP * count +
					   tree.children.capacity * sizeof(xhprof_child_slot) + tree.groups_capacity * sizeof(*tree.groups);
		most = bytes / count > most && count > 20000 ? bytes / count : most;
	}
	printf("# at most %zu bytes\n", most);
	CHECK(most < 100);
	xhprof_calltree_release(&tree);
}

static int by_value(const void *a, const void *b)
{
	uint32_t one = *(const uint32_t *)a, other = *(const uint32_t *)b;
	return one < other ? -1 : one > other;
}

/* Searches compare no parents: the index relies on this. */
static void keys_differ_by_parent(void)
{
	static uint32_t keys[PATHS];
	int wrong = 0;
	for (uint32_t ref = 16; ref < 16 * 40; ref += 17) {
		for (uint32_t i = 0; i < PATHS; i++) {
			keys[i] = xhprof_child_key(i + 1 + ref * 1000, ref);
		}
		qsort(keys, PATHS, sizeof(*keys), by_value);
		for (uint32_t i = 1; i < PATHS; i++) {
			wrong += keys[i] == keys[i - 1];
		}
	}
	CHECK(wrong == 0);
}

int main(void)
{
	srand(17);
	nodes_are_found_and_ordered();
	moved_nodes_keep_what_is_theirs();
	a_full_tree_makes_no_more_nodes();
	memory_is_taken_over();
	very_many_children_are_found();
	a_small_tree_gives_up_a_large_index();
	a_path_takes_less_than_100_bytes();
	keys_differ_by_parent();
	return unit_end();
}
