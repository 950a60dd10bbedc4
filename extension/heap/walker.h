/* The walker, which all parts of the walk share: the list of pending visits, and the reports of nodes and references to
 * the visitor. A visit reports one node, with xhprof_walker_node(), then all of its references; their targets are
 * visited later, and reported once.
 *
 * "The current node" is the node reported last. Values are passed as copies or in place: the pointers in them are
 * addresses in the process that is read. */
#ifndef XHPROF_HEAP_WALKER_H
#define XHPROF_HEAP_WALKER_H

#include "compat/php_compat.h"
#include "walker_read.h"

/* The name of a reference. */
typedef struct xhprof_edge_label {
	xhprof_edge_kind kind;
	int64_t index;
	xhprof_text name;
} xhprof_edge_label;

#define XHPROF_INDEX(number) ((xhprof_edge_label){XHPROF_EDGE_INDEX, (int64_t)(number), {NULL, 0}})
#define XHPROF_NAMED(text) ((xhprof_edge_label){XHPROF_EDGE_NAMED, 0, (text)})
#define XHPROF_PART(literal) ((xhprof_edge_label){XHPROF_EDGE_PART, 0, XHPROF_TEXT(literal)})
#define XHPROF_WEAK(text) ((xhprof_edge_label){XHPROF_EDGE_WEAK, 0, (text)})

/* ---- Reporting ---- */

/* Reports a node. `start` is where its memory begins: a block of the heap that begins exactly there is claimed and
 * counted as typed; 0 if it has no block of its own. The caller fills in the rest of the node: address, type, size,
 * name ... This sets `block`, `start`, `shared` and `path`. */
void xhprof_walker_node(xhprof_walker *walker, xhprof_heap_node *node, uint64_t start);
/* Reports a node of which only these facts are known. Its memory begins at its address. */
void xhprof_walker_plain_node(xhprof_walker *walker, xhprof_addr address, xhprof_heap_type type, uint64_t size,
							  xhprof_text name);
/* Reports a root: node XHPROF_HEAP_ROOT_..., with its name. */
void xhprof_walker_root(xhprof_walker *walker, xhprof_heap_root root);

/* Reports a reference of the current node to another node; the caller arranges that node's visit. */
void xhprof_walker_edge(xhprof_walker *walker, xhprof_edge_label label, uint64_t to);
/* Reports a value without a node, as JSON text; with options.scalars only. */
void xhprof_walker_scalar(xhprof_walker *walker, xhprof_edge_label label, const char *json);

/* Reports a reference to the node at `address`, and schedules its visit if needed. Does nothing for address 0; counts
 * unreadable targets. True if it was reported. */
bool xhprof_walker_refer(xhprof_walker *walker, xhprof_edge_label label, xhprof_visit visit, xhprof_at address,
						 uint64_t extra);
/* Reports a reference to a part without references of its own. `name`: a literal, for both the reference and the
 * node. */
bool xhprof_walker_part(xhprof_walker *walker, xhprof_heap_type type, const char *name, xhprof_at address,
						uint64_t size);
/* Reports a reference to the block of the heap around an address, as a part whose start is unknown (pages of VM
 * stacks). */
bool xhprof_walker_part_around(xhprof_walker *walker, xhprof_heap_type type, const char *name, xhprof_at address);

/* Reports a reference to a value's target; `at` is the zval's address or 0. Numbers and the like are scalars, UNDEF is
 * skipped. */
void xhprof_walker_zval(xhprof_walker *walker, xhprof_edge_label label, const zval *value);
/* Reports references to the targets of `count` zvals at an address, by index. */
void xhprof_walker_zvals(xhprof_walker *walker, xhprof_at address, uint64_t count);
/* Reports a reference to a string that the current node holds. */
void xhprof_walker_string(xhprof_walker *walker, xhprof_edge_label label, xhprof_at string);
/* Reports a string that is a name, as a part, if it is in the heap and not interned. */
void xhprof_walker_name(xhprof_walker *walker, const char *part, xhprof_at string);
/* Reports the elements of a table of zvals, and its own memory, as references of the current node: by key or index, and
 * as the part "table". Follows INDIRECT. */
void xhprof_walker_table(xhprof_walker *walker, const HashTable *table);
/* Reports the elements of a table without its memory and its INDIRECT elements, which are declared properties in a
 * table of all. */
void xhprof_walker_dynamic_properties(xhprof_walker *walker, const HashTable *table);
/* Reports only the table's memory, as the part `name` of type `type`. */
void xhprof_walker_table_part(xhprof_walker *walker, const HashTable *table, xhprof_heap_type type, const char *name);

/* Reports memory of the current node that the native pass will search (see xhprof_walker_private), as the part
 * "internals", if something in it may be the address of a block of the heap. `number`: 0, 1 ... for the parts of one
 * node, below 7. */
void xhprof_walker_private_part(xhprof_walker *walker, uint64_t node, unsigned number, uint64_t from, uint64_t size,
								xhprof_text owner);

/* Makes all pending visits, with the functions of xhprof_walk_parts. */
void xhprof_walker_drain(xhprof_walker *walker);

#endif
