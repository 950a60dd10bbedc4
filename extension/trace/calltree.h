/* The call tree of a profile. A node is a call path: a function, called from the parent's path; its recursion level
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
	/* The members that each call touches, in one cache line. */
	xhprof_symbol_ref symbol;      /* id and flags */
	uint32_t id;                   /* from 1, in order of creation */
	const xhprof_node *last_child; /* the child entered last: the first guess for the next call */
	const xhprof_node *successor;  /* the sibling entered after this one last time: the second guess */
	uint64_t calls;
	uint64_t self_wall; /* wall time; ticks while profiling, ns once stopped */
	uint64_t self_cpu;  /* CPU time, in the same unit */
	int64_t self_memory;
	int64_t self_peak; /* growth of the heap's peak in bytes; in samples with blocks: live bytes at the peak */
};

/* The links of a node, used only while a tree is made or read, and the place of figures that few calls touch: a node is
 * full. Each link is the distance to the other node, in units of a node's size, of which a group is a multiple; 0: no
 * such node. */
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
	uint64_t freed_bytes, freed_blocks; /* of the node's own blocks, wherever they were freed */
} xhprof_node_blocks;

/* The sampled blocks of a node that have outlived their requests, and those of them that were freed after that: estimates
 * in parts, as above. */
typedef struct xhprof_node_kept {
	uint64_t kept_bytes, kept_blocks;
	uint64_t released_bytes, released_blocks;
} xhprof_node_kept;

/* The requests to the heap that a node made itself. Blocks that it freed count here even if other nodes allocated
 * them. */
typedef struct xhprof_node_requests {
	uint64_t allocations, bytes, frees;
} xhprof_node_requests;

/* The system time within a node's CPU time, in its unit. */
typedef uint64_t xhprof_node_system;

/* A placeholder before there is a node to guess: no call has its symbol. */
extern const xhprof_node xhprof_no_node;

#define XHPROF_NODE_GROUP 16u

/* A group of nodes, with their links behind them, so that each node is aligned to a cache line and no memory is
 * lost. */
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
	uint32_t group_count; /* number of groups; the last ones may be empty */
	uint32_t nodes;
	uint32_t max_nodes;
	uint32_t moves;             /* how often nodes have moved */
	uint32_t ordered;           /* number of nodes when children were last put in order; 0: never */
	uint64_t dropped;           /* calls without a node of their own */
	xhprof_folded_calls folded; /* the dropped calls by function; not for samples, which become their callers' */
	xhprof_node_blocks *blocks; /* by id; NULL when allocations are not recorded */
	size_t blocks_size;
	uint32_t block_unit;
	xhprof_node_requests *requests; /* by id; NULL when they are not counted */
	size_t requests_size;
	xhprof_node_system *system; /* by id; NULL where the CPU clock does not have it apart */
	size_t system_size;
	xhprof_node_kept *kept; /* by id; NULL while nothing is known to be kept: only trees of merged requests have it */
	size_t kept_size;
} xhprof_calltree;

/* Returns a node's place in its group, which follows from its id. */
static inline size_t xhprof_node_place(const xhprof_node *node)
{
	return (node->id - 1) % XHPROF_NODE_GROUP;
}

static inline xhprof_node_links *xhprof_node_links_of(const xhprof_node *node)
{
	size_t place = xhprof_node_place(node);
	return (xhprof_node_links *)(node - place + XHPROF_NODE_GROUP) + place;
}

/* Returns the member call_line of a node's links. */
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

/* Begins a tree that holds main() only, in the memory that a recycled one has left. False without memory. */
bool xhprof_calltree_begin(xhprof_calltree *tree, uint32_t max_nodes);

/* Drops all nodes. At most `*budget` bytes of memory stay for the next tree, and are taken off the budget. */
void xhprof_calltree_recycle(xhprof_calltree *tree, size_t *budget);

/* Makes room for the blocks of max_nodes nodes: the tree counts blocks from now on. False without memory. */
bool xhprof_calltree_count_blocks(xhprof_calltree *tree, uint32_t block_unit);

/* Makes room for the requests of max_nodes nodes. False without memory. */
bool xhprof_calltree_count_requests(xhprof_calltree *tree);

/* Makes room for the system times of max_nodes nodes. False without memory. */
bool xhprof_calltree_count_system(xhprof_calltree *tree);
/* Makes room for what max_nodes nodes keep, if there is none yet. False without memory. */
bool xhprof_calltree_count_kept(xhprof_calltree *tree);

/* Ends the counting of blocks. */
void xhprof_calltree_drop_blocks(xhprof_calltree *tree);

/* Returns, for samples, whether any block was allocated, or was live at the peak. */
bool xhprof_calltree_has_blocks(const xhprof_calltree *tree);

/* Resets the allocated blocks to 0 but keeps the live ones: allocated less freed stays, so that "freed" wraps below
 * 0. */
void xhprof_calltree_forget_blocks(xhprof_calltree *tree);
void xhprof_calltree_release(xhprof_calltree *tree);

/* Returns the child of `parent` for `symbol`, and makes it when it is new. Never NULL: in a full tree it is the
 * parent's child (truncated), or in the end the parent itself. */
xhprof_node *xhprof_calltree_child(xhprof_calltree *tree, xhprof_node *parent, xhprof_symbol_ref symbol);

/* Returns the child of `parent` for `symbol`; NULL without one. */
xhprof_node *xhprof_calltree_known(const xhprof_calltree *tree, const xhprof_node *parent, xhprof_symbol_ref symbol);

/* Move all nodes together. Restart empties the tree, but leaves the nodes where they are. Put then adds each node that
 * stays below its parent (NULL: it is the root), in the order of creation: the node gets the next id and no guesses,
 * and its blocks move too. */
void xhprof_calltree_restart(xhprof_calltree *tree);
xhprof_node *xhprof_calltree_put(xhprof_calltree *tree, xhprof_node *parent, const xhprof_node *moved);

/* Makes main()'s child (truncated) after the profile has stopped, and below it a child for each function that has
 * folded calls, with these calls only. These nodes may exceed the limit, by one for each function. */
void xhprof_calltree_show_folded(xhprof_calltree *tree);

/* Returns the node of this id, 1 to `nodes`. */
static inline xhprof_node *xhprof_calltree_node(const xhprof_calltree *tree, uint32_t id)
{
	return &tree->groups[(id - 1) / XHPROF_NODE_GROUP]->nodes[(id - 1) % XHPROF_NODE_GROUP];
}

/* Puts the children of all nodes in the order of first call, after the profile has stopped. */
void xhprof_calltree_order(xhprof_calltree *tree);

/* Return the node after `node` in preorder; NULL at the end. The second one also updates its depth, 0 at the root. */
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

/* Returns the place of each node in preorder, by node id; 0 for the root. They are `*size` bytes of the scratch, which
 * the caller gives back. NULL without memory. */
uint32_t *xhprof_calltree_places(const xhprof_calltree *tree, xhprof_scratch *scratch, size_t *size);

#endif
