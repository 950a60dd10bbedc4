/* A visitor that keeps all nodes and edges, for formats that have to look at all of it more than once. Nodes are numbered from 0
 * as they are first heard of; names and values are kept once each. In memory of its own, never the Zend heap's. */
#ifndef XHPROF_HEAP_GRAPH_H
#define XHPROF_HEAP_GRAPH_H

#include "base/arena.h"
#include "walk.h"

#define XHPROF_GRAPH_SEGMENT_BITS 15
#define XHPROF_GRAPH_SEGMENT ((uint32_t)1 << XHPROF_GRAPH_SEGMENT_BITS)

/* Items in segments that stay where they are. */
typedef struct xhprof_graph_list {
	char **segments;
	size_t segment_capacity;
	size_t item_size;
	uint32_t count;
} xhprof_graph_list;

typedef struct xhprof_graph_string {
	const char *bytes;
	uint32_t length, hash;
} xhprof_graph_string;

typedef struct xhprof_graph_node {
	uint64_t address, size, block;
	uint64_t length;            /* as xhprof_heap_node's */
	uint32_t name, file, value; /* strings; 0: none */
	uint32_t refcount, line, path;
	uint32_t first_edge, edge_count;
	uint8_t type; /* xhprof_heap_type */
	bool shared, has_refcount;
	bool known; /* has been told; what has not is left out once the graph is finished, and nothing refers to it */
} xhprof_graph_node;

typedef struct xhprof_graph_edge {
	union {
		int64_t index; /* of XHPROF_EDGE_INDEX */
		struct {
			uint32_t name;   /* a string */
			uint32_t repeat; /* how many references of this node before it have the same name, once finished */
		};
	};
	uint32_t to;          /* a node; of a scalar: XHPROF_GRAPH_NONE */
	uint32_t kind : 3;    /* xhprof_edge_kind */
	uint32_t scalar : 29; /* a string */
} xhprof_graph_edge;

#define XHPROF_GRAPH_NONE UINT32_MAX

typedef struct xhprof_graph {
	xhprof_graph_list nodes, edges, strings; /* string 0 is "" */
	uint32_t *by_address, *by_text;          /* open addressing, of nodes' and strings' numbers + 1 */
	size_t address_capacity, text_capacity;  /* powers of two */
	xhprof_arena arena;                      /* of strings */
	uint32_t current;                        /* node that edges are added to, or XHPROF_GRAPH_NONE */
	uint32_t known;                          /* nodes that have been told, once finished */
	uint32_t dropped;                        /* references to others */
	bool no_memory;                          /* some is missing */
	size_t max_string;
	bool redact;
} xhprof_graph;

/* `max_string`: bytes of strings' values that are kept, no part of a character at the end. With `redact` no values of strings
 * are, and no scalars. False when there is no memory at all. */
bool xhprof_graph_begin(xhprof_graph *graph, size_t max_string, bool redact);
void xhprof_graph_release(xhprof_graph *graph);
xhprof_heap_visitor xhprof_graph_visitor(xhprof_graph *graph);

/* To be called when the walk has ended: drops references to what has not been told. False when there was no memory for all. */
bool xhprof_graph_finish(xhprof_graph *graph);

/* The node at an address, or XHPROF_GRAPH_NONE. */
uint32_t xhprof_graph_find(const xhprof_graph *graph, uint64_t address);

static inline void *xhprof_graph_item(const xhprof_graph_list *list, uint32_t number)
{
	return list->segments[number >> XHPROF_GRAPH_SEGMENT_BITS] +
		   (number & (XHPROF_GRAPH_SEGMENT - 1)) * list->item_size;
}

static inline xhprof_graph_node *xhprof_graph_node_at(const xhprof_graph *graph, uint32_t number)
{
	return xhprof_graph_item(&graph->nodes, number);
}

static inline xhprof_graph_edge *xhprof_graph_edge_at(const xhprof_graph *graph, uint32_t number)
{
	return xhprof_graph_item(&graph->edges, number);
}

static inline const xhprof_graph_string *xhprof_graph_string_at(const xhprof_graph *graph, uint32_t number)
{
	return xhprof_graph_item(&graph->strings, number);
}

#endif
