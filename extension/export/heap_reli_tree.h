/* The tree of contexts of heap_reli.h: what each root leads to, everything told where the way to it is shortest. */
#ifndef XHPROF_EXPORT_HEAP_RELI_TREE_H
#define XHPROF_EXPORT_HEAP_RELI_TREE_H

#include "heap_facts.h"
#include "heap_reli_names.h"
#include "json_layout.h"

/* JSON readers have limits: jq 1.6 ends at 128 objects within each other, PHP's json_decode() at 512. */
#define XHPROF_RELI_DEPTH 120

typedef struct xhprof_reli_tree {
	const xhprof_graph *graph;
	uint32_t *told_by; /* by node: the edge that it is told at, or XHPROF_RELI_... */
	uint32_t *queue;   /* nodes; later those that are told under "continued" */
	size_t room;       /* of these, in nodes */
	uint32_t continued;
	uint64_t ids; /* numbers of contexts given so far; those of the graph's nodes come first */
} xhprof_reli_tree;

/* False when there is no memory. */
bool xhprof_reli_tree_begin(xhprof_reli_tree *tree, const xhprof_graph *graph);

/* Writes the members of "context". */
void xhprof_reli_tree_write(xhprof_reli_tree *tree, xhprof_json *json);
void xhprof_reli_tree_release(xhprof_reli_tree *tree);

#endif
