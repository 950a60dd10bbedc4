/* What reli calls the things of a heap; see heap_reli.h. */
#ifndef XHPROF_EXPORT_HEAP_RELI_NAMES_H
#define XHPROF_EXPORT_HEAP_RELI_NAMES_H

#include "heap/graph.h"

#define XHPROF_RELI_KEY 2400 /* bytes of a key at most, after which it is cut */

/* Parts of a context that are contexts of their own there, although no block is. */
typedef enum xhprof_reli_group {
	XHPROF_RELI_DIRECT, /* in the context itself */
	XHPROF_RELI_ELEMENTS,
	XHPROF_RELI_PROPERTIES,
	XHPROF_RELI_CLOSURE,
	XHPROF_RELI_OP_ARRAY,
	XHPROF_RELI_LOCALS,
	XHPROF_RELI_METHODS,
	XHPROF_RELI_STATICS,
	XHPROF_RELI_CONSTANTS,
	XHPROF_RELI_PROPERTY_INFO,
	XHPROF_RELI_KEYS, /* ours: strings that are keys of a table of the engine */
	XHPROF_RELI_GROUPS,
	XHPROF_RELI_LOCATION, /* no context, but a location of one of these */
	XHPROF_RELI_KEY_OF,   /* told with the element in front of it */
} xhprof_reli_group;

typedef struct xhprof_reli_group_name {
	const char *key, *type;
	bool always;          /* also when nothing is in it */
	const char *location; /* name of the part that is its memory */
} xhprof_reli_group_name;

extern const xhprof_reli_group_name xhprof_reli_groups[XHPROF_RELI_GROUPS];

/* The groups of a node's context, as bits. */
uint32_t xhprof_reli_groups_of(const xhprof_graph *graph, const xhprof_graph_node *node);

/* Where a reference is told: number `edge` of the node's. */
xhprof_reli_group xhprof_reli_group_of(const xhprof_graph *graph, const xhprof_graph_node *node, uint32_t edge);

/* The key of a reference, into `key` of XHPROF_RELI_KEY bytes; returns its length. */
size_t xhprof_reli_key(const xhprof_graph *graph, const xhprof_graph_node *node, const xhprof_graph_edge *edge,
					   char *key);

/* "StringContext"; "ZendStringMemoryLocation", or NULL for what has no memory. `parent` or NULL. */
const char *xhprof_reli_context(const xhprof_graph *graph, const xhprof_graph_node *node,
								const xhprof_graph_node *parent);
const char *xhprof_reli_location(const xhprof_graph *graph, const xhprof_graph_node *node);

/* Whether a string of the graph is this text. */
bool xhprof_reli_is(const xhprof_graph *graph, uint32_t string, const char *text);

/* A function of a script, not of the engine. */
bool xhprof_reli_is_user(const xhprof_graph *graph, const xhprof_graph_node *node);

#endif
