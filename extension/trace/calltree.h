/* The record of a profile: a tree of call paths. A node is "this function, called from that node"; its recursion level
 * follows from its ancestors. Figures are exclusive (self); inclusive ones are derived when the profile is folded. */
#ifndef XHPROF_TRACE_CALLTREE_H
#define XHPROF_TRACE_CALLTREE_H

#include "base/arena.h"
#include "base/scratch.h"
#include "child_index.h"
#include "folded_calls.h"

#include <stddef.h>

typedef struct xhprof_node xhprof_node;

struct xhprof_node {
	/* One cache line: all that a call touches. */
	xhprof_symbol_ref symbol;      /* id and flags */
	uint32_t id;                   /* 1.. in order of creation */
	const xhprof_node *last_child; /* the child entered last: the first guess for the next call */
	const xhprof_node *successor;  /* the sibling entered after this one last time: the second guess */
	uint64_t calls;
	uint64_t self_wall; /* ticks while profiling, ns once stopped */
	uint64_t self_cpu;  /* the same */
	int64_t self_memory;
	int64_t self_peak; /* growth of the heap's peak in bytes; in samples with blocks: live bytes when it was largest */
};

/* Used only while a tree is made or read, and the place of figures that few calls touch: a node is full. Other nodes are
 * given by their distance, in nodes, as a group is as large as a number of nodes; 0 for none. */
typedef struct xhprof_node_links {
	int32_t parent;
	int32_t first_child; /* newest first while profiling, in order of first call once stopped */
	int32_t next_sibling;
	uint32_t call_line; /* in the caller, from which the path was first called; 0: not known */
} xhprof_node_links;

/* The blocks of memory that a node allocated itself, and how many were freed. For sampled blocks these are estimates,
 * and blocks are counted in parts, `block_unit` to each. */
typedef struct xhprof_node_blocks {
	uint64_t allocated_bytes, allocated_blocks;
	uint64_t freed_bytes, freed_blocks; /* of those, wherever they were freed */
} xhprof_node_blocks;

/* What a node asked the heap for itself: every block, and every block that it freed, also of other nodes. */
typedef struct xhprof_node_requests {
	uint64_t allocations, bytes, frees;
} xhprof_node_requests;

/* A placeholder before there is a node to guess: no call has its symbol. */
extern const xhprof_node xhprof_no_node;

#define XHPROF_NODE_GROUP 16u

/* Nodes come in groups, so that each has a line to itself and nothing is left empty. */
typedef struct xhprof_node_group {
	xhprof_node nodes[XHPROF_NODE_GROUP];
	xhprof_node_links links[XHPROF_NODE_GROUP];
} xhprof_node_group;

typedef struct xhprof_calltree {
	xhprof_arena arena; /* groups only */
	xhprof_child_index children;
	xhprof_node *root;
	xhprof_node_group **groups; /* in order of ids */
	size_t groups_capacity;
	uint32_t group_count; /* the last ones may be empty */
	uint32_t nodes;
	uint32_t max_nodes;
	uint32_t moves;             /* how often nodes have moved */
	uint32_t ordered;           /* nodes when children were put in order last; 0: they were not */
	uint64_t dropped;           /* calls without a node of their own */
	xhprof_folded_calls folded; /* the same by function; not of samples, which become their callers' */
	xhprof_node_blocks *blocks; /* by id; NULL when allocations are not recorded */
	size_t blocks_size;
	uint32_t block_unit;
	xhprof_node_requests *requests; /* by id; NULL when they are not counted */
	size_t requests_size;
} xhprof_calltree;

/* Ids are given out in order, so an id gives the place in the group. */
static inline size_t xhprof_node_place(const xhprof_node *node)
{
	return (node->id - 1) % XHPROF_NODE_GROUP;
}

static inline xhprof_node_links *xhprof_node_links_of(const xhprof_node *node)
{
	size_t place = xhprof_node_place(node);
	return (xhprof_node_links *)(node - place + XHPROF_NODE_GROUP) + place;
}

/* The line in the caller from which the path was first called; 0: not known. */
static inline uint32_t *xhprof_node_call_line(const xhprof_node *node)
{
	return &xhprof_node_links_of(node)->call_line;
}

static inline xhprof_node *xhprof_node_at(const xhprof_node *node, int32_t distance)
{
	return distance ? (xhprof_node *)((intptr_t)node + (intptr_t)distance * (intptr_t)sizeof(*node)) : NULL;
}

static inline xhprof_node *xhprof_node_parent(const xhprof_node *node)
{
	return xhprof_node_at(node, xhprof_node_links_of(node)->parent);
}

static inline bool xhprof_node_is_truncated(const xhprof_node *node)
{
	return XHPROF_SYMBOL_ID(node->symbol) == XHPROF_SYMBOL_TRUNCATED;
}

/* A new tree that holds main() only, in the memory that a recycled one has left. False when there is no memory. */
bool xhprof_calltree_begin(xhprof_calltree *tree, uint32_t max_nodes);

/* Drops all nodes. Memory stays for the next tree as far as `*budget` bytes go, and is taken off it. */
void xhprof_calltree_recycle(xhprof_calltree *tree, size_t *budget);

/* Makes room for the blocks of all nodes there may be. False without memory. */
bool xhprof_calltree_count_blocks(xhprof_calltree *tree, uint32_t block_unit);

/* The same for requests. */
bool xhprof_calltree_count_requests(xhprof_calltree *tree);

/* Blocks are no longer counted. */
void xhprof_calltree_drop_blocks(xhprof_calltree *tree);

/* In samples: whether any block was allocated, or held at the peak. */
bool xhprof_calltree_has_blocks(const xhprof_calltree *tree);

/* Forgets what was allocated, but not what is live: freed less allocated stays, so that "freed" wraps below 0. */
void xhprof_calltree_forget_blocks(xhprof_calltree *tree);
void xhprof_calltree_release(xhprof_calltree *tree);

/* The child of `parent` for `symbol`, made when it is new. Never NULL: in a full tree it is the parent's (truncated)
 * child, or at the very end the parent itself. */
xhprof_node *xhprof_calltree_child(xhprof_calltree *tree, xhprof_node *parent, xhprof_symbol_ref symbol);

/* The child if there is one; or NULL. */
xhprof_node *xhprof_calltree_known(const xhprof_calltree *tree, const xhprof_node *parent, xhprof_symbol_ref symbol);

/* For moving all nodes together: forgets all, but leaves them where they are. Then each that stays is put below its
 * parent (NULL: it is the root), in the order of creation; it has the next id and no guesses, and its blocks move too. */
void xhprof_calltree_restart(xhprof_calltree *tree);
xhprof_node *xhprof_calltree_put(xhprof_calltree *tree, xhprof_node *parent, const xhprof_node *moved);

/* After the profile has stopped: makes main()'s child (truncated), and in it a child of each function that has folded calls,
 * with these calls and nothing else. These nodes are beyond the limit: one for each function at most. */
void xhprof_calltree_show_folded(xhprof_calltree *tree);

/* By the order of creation, 1 .. nodes. */
static inline xhprof_node *xhprof_calltree_node(const xhprof_calltree *tree, uint32_t id)
{
	return &tree->groups[(id - 1) / XHPROF_NODE_GROUP]->nodes[(id - 1) % XHPROF_NODE_GROUP];
}

/* Puts the children of all nodes in the order of first call, after the profile has stopped. */
void xhprof_calltree_order(xhprof_calltree *tree);

/* The node after `node` in preorder (NULL at the end), and the same with the depth, 0 at the root, kept up to date. */
xhprof_node *xhprof_calltree_next(const xhprof_node *node);
static inline xhprof_node *xhprof_calltree_next_at(const xhprof_node *node, uint32_t *depth)
{
	const xhprof_node_links *links = xhprof_node_links_of(node);
	if (links->first_child) {
		++*depth;
		return xhprof_node_at(node, links->first_child);
	}
	while (!links->next_sibling) {
		if (!links->parent) {
			return NULL;
		}
		node = xhprof_node_at(node, links->parent);
		links = xhprof_node_links_of(node);
		--*depth;
	}
	return xhprof_node_at(node, links->next_sibling);
}

/* By node id: its place in preorder, 0 for the root. `*size` bytes of the scratch, to be given back; or NULL without
 * memory. */
uint32_t *xhprof_calltree_places(const xhprof_calltree *tree, xhprof_scratch *scratch, size_t *size);

#endif
