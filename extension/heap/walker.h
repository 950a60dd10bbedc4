/* What the parts of the walk share: the list of what is still to be visited, telling the visitor of nodes and references.
 * A visit tells one node, with xhprof_walker_node(), then all of
 * its references; what they lead to is visited later, and told once.
 *
 * Values are given as copies or in place: the pointers in them are addresses in the process that is read. */
#ifndef XHPROF_HEAP_WALKER_H
#define XHPROF_HEAP_WALKER_H

#include "compat/php_compat.h"
#include "walker_read.h"

/* What a reference is called. */
typedef struct xhprof_label {
	xhprof_edge_kind kind;
	int64_t index;
	xhprof_text name;
} xhprof_label;

#define XHPROF_INDEX(number) ((xhprof_label){XHPROF_EDGE_INDEX, (int64_t)(number), {NULL, 0}})
#define XHPROF_NAMED(text) ((xhprof_label){XHPROF_EDGE_NAMED, 0, (text)})
#define XHPROF_PART(literal) ((xhprof_label){XHPROF_EDGE_PART, 0, XHPROF_TEXT(literal)})
#define XHPROF_WEAK(text) ((xhprof_label){XHPROF_EDGE_WEAK, 0, (text)})

/* ---- Telling ------------------------------------------------------------------------------------------------------------ */

/* Tells a node. `start` is where its memory begins: a block of the heap that begins exactly there is claimed and counted as
 * typed; 0 when it has no block of its own. The rest of the node is the caller's: address, type, size, name ... `block`, `start`,
 * `shared` and `path` are filled in. */
void xhprof_walker_node(xhprof_walker *walker, xhprof_heap_node *node, uint64_t start);
/* One of which no more than this is known. Its memory begins at its address. */
void xhprof_walker_plain_node(xhprof_walker *walker, xhprof_addr address, xhprof_heap_type type, uint64_t size,
							  xhprof_text name);
/* A root: node XHPROF_HEAP_ROOT_..., with its name. */
void xhprof_walker_root(xhprof_walker *walker, xhprof_heap_root root);

/* A reference of the node told last to another node, of whose visit the caller has taken care. */
void xhprof_walker_edge(xhprof_walker *walker, xhprof_label label, uint64_t to);
/* A value that is no node: JSON text. Told with options.scalars only. */
void xhprof_walker_scalar(xhprof_walker *walker, xhprof_label label, const char *json);

/* A reference to what is at `address`, which will be visited if it has not been. Nothing for address 0; what cannot be read is
 * counted. True when it has been told. */
bool xhprof_walker_refer(xhprof_walker *walker, xhprof_label label, xhprof_visit visit, xhprof_at address,
						 uint64_t extra);
/* The same for a part without references of its own. `name` is a literal, the reference's and the node's. */
bool xhprof_walker_part(xhprof_walker *walker, xhprof_heap_type type, const char *name, xhprof_at address,
						uint64_t size);
/* A block of the heap around an address whose beginning is not known (pages of VM stacks). */
bool xhprof_walker_part_around(xhprof_walker *walker, xhprof_heap_type type, const char *name, xhprof_at address);

/* A reference to what a value is; `at` is the zval's address or 0. Numbers and the like are scalars, UNDEF is nothing. */
void xhprof_walker_zval(xhprof_walker *walker, xhprof_label label, const zval *value);
/* `count` zvals at an address, by index. */
void xhprof_walker_zvals(xhprof_walker *walker, xhprof_at address, uint64_t count);
/* A string that is held. */
void xhprof_walker_string(xhprof_walker *walker, xhprof_label label, xhprof_at string);
/* A string that names something: told (as a part) when it is in the heap and not interned. */
void xhprof_walker_name(xhprof_walker *walker, const char *part, xhprof_at string);
/* The elements of a table of zvals and its own memory, as references of the node told last: by key or index, and the part
 * "table". Follows INDIRECT. */
void xhprof_walker_table(xhprof_walker *walker, const HashTable *table);
/* Without its memory, and without what is INDIRECT: declared properties in a table of all. */
void xhprof_walker_dynamic_properties(xhprof_walker *walker, const HashTable *table);
/* Only its memory, as the part `name` of `type`. */
void xhprof_walker_table_part(xhprof_walker *walker, const HashTable *table, xhprof_heap_type type, const char *name);

/* Memory of the node told last that the native pass is to look through; see xhprof_walker_private. Told as the part
 * "internals" when something in it may be the address of a block of the heap. `number`: 0, 1 ... of the same node, below 7. */
void xhprof_walker_private_part(xhprof_walker *walker, uint64_t node, unsigned number, uint64_t from, uint64_t size,
								xhprof_text owner);

/* Visits all that waits: xhprof_walk_parts has the visits. */
void xhprof_walker_drain(xhprof_walker *walker);

#endif
