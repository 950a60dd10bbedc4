/* What the parts of the walk share: the list of what is still to be visited, telling the visitor of nodes and references.
 * A visit tells one node, with xhprof_walker_node(), then all of
 * its references; what they lead to is visited later, and told once.
 *
 * Values are given as copies or in place: the pointers in them are addresses in the process that is read. */
#ifndef XHPROF_HEAP_WALKER_H
#define XHPROF_HEAP_WALKER_H

#include "compat/php_compat.h"
#include "walker_read.h"

/* What is visited, and how; walk.c has the table of the functions. */
typedef enum xhprof_visit {
	XHPROF_VISIT_PART, /* a block without references of its own: its type, name and size are in the item */
	XHPROF_VISIT_STRING,
	XHPROF_VISIT_ARRAY,
	XHPROF_VISIT_OBJECT,
	XHPROF_VISIT_RESOURCE,
	XHPROF_VISIT_REFERENCE,
	XHPROF_VISIT_AST,            /* zend_ast_ref */
	XHPROF_VISIT_FRAME,          /* zend_execute_data; extra: an xhprof_frame_place */
	XHPROF_VISIT_FUNCTION,       /* zend_function, of either kind */
	XHPROF_VISIT_CLASS,          /* zend_class_entry */
	XHPROF_VISIT_CONSTANT,       /* zend_constant */
	XHPROF_VISIT_PROPERTY_INFO,  /* zend_property_info */
	XHPROF_VISIT_CLASS_CONSTANT, /* zend_class_constant */
	XHPROF_VISIT_ATTRIBUTES,     /* HashTable of zend_attribute */
	XHPROF_VISIT_CALLABLE,       /* structures of callables that the engine keeps; extra: an xhprof_callable_kind */
	XHPROF_VISIT_OUTPUT_HANDLER, /* php_output_handler */
	XHPROF_VISIT_INI_ENTRY,      /* zend_ini_entry */
	XHPROF_VISIT_MODULE,         /* zend_module_entry */
	XHPROF_VISIT_COUNT           /* below 128 */
} xhprof_visit;

typedef struct xhprof_item {
	uint64_t address : 56;
	uint64_t visit : 8; /* xhprof_visit */
	uint64_t extra : 56;
	uint64_t type : 8; /* xhprof_heap_type of a part */
	const char *name;  /* of a part: a literal; else NULL */
} xhprof_item;

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

/* Memory in front of or behind an object, or a resource's, whose layout is the extension's own. The native pass reads it, when
 * all that is typed has been told. It tells the node `address` first: NATIVE, with `owner` as its name and without a block. */
typedef struct xhprof_walker_private {
	uint64_t address; /* of the node of this, which the object or resource has been told to refer to */
	uint64_t from, size;
	xhprof_text owner; /* in memory of the walker */
} xhprof_walker_private;

struct xhprof_walker {
	xhprof_zmm *zmm;
	xhprof_reader *reader;
	const xhprof_engine *engine;
	const xhprof_walk_options *options;
	const xhprof_heap_visitor *visitor;
	xhprof_walk_result *result;

	uint64_t *words; /* a stack of items */
	size_t item_count, word_count, word_capacity;

	uint64_t work, most_work; /* elements looked at, and how many there can be in sound memory */
	uint64_t map_ptr_base;    /* CG(map_ptr_base) */
	uint64_t ce_closure, ce_generator, ce_fiber, ce_weakref, ce_weakmap; /* the classes themselves */
	uint64_t told_bytes;                                                 /* for progress */
	uint64_t resource_types; /* of the engine's table of their types; 0: not looked for yet, 1: not found */

	xhprof_arena arena;   /* classes, owners' names */
	xhprof_table classes; /* address -> xhprof_walker_class */
	const xhprof_walker_class *last_class;
	xhprof_walker_private *privates;
	size_t private_count, private_capacity;

	char texts[16][XHPROF_WALKER_TEXT]; /* of names that had to be copied, in turn */
	unsigned text;
	char number[64];
	char *value; /* of a string, where it had to be copied */
	size_t value_capacity;
};

/* ---- Telling ------------------------------------------------------------------------------------------------------------ */

/* Tells a node. `start` is where its memory begins: a block of the heap that begins exactly there is claimed and counted as
 * typed; 0 when it has no block of its own. The rest of the node is the caller's: address, type, size, name ... `block`, `start`,
 * `shared` and `path` are filled in. */
void xhprof_walker_node(xhprof_walker *walker, xhprof_heap_node *node, uint64_t start);
/* One of which no more than this is known. Its memory begins at its address. */
void xhprof_walker_plain_node(xhprof_walker *walker, uint64_t address, xhprof_heap_type type, uint64_t size,
							  xhprof_text name);
/* A root: node XHPROF_HEAP_ROOT_..., with its name. */
void xhprof_walker_root(xhprof_walker *walker, xhprof_heap_root root);

/* Asked before each step of a loop over what is read; false when memory is so damaged that there is no end. */
static inline bool xhprof_walker_may_go_on(xhprof_walker *walker)
{
	if (++walker->work <= walker->most_work) {
		return true;
	}
	walker->result->incomplete = true;
	return false;
}

/* A reference of the node told last to another node, of whose visit the caller has taken care. */
void xhprof_walker_edge(xhprof_walker *walker, xhprof_label label, uint64_t to);
/* A value that is no node: JSON text. Told with options.scalars only. */
void xhprof_walker_scalar(xhprof_walker *walker, xhprof_label label, const char *json);

/* A reference to what is at `address`, which will be visited if it has not been. Nothing for address 0; what cannot be read is
 * counted. True when it has been told. */
bool xhprof_walker_refer(xhprof_walker *walker, xhprof_label label, xhprof_visit visit, const void *address,
						 uint64_t extra);
/* The same for a part without references of its own. `name` is a literal, the reference's and the node's. */
bool xhprof_walker_part(xhprof_walker *walker, xhprof_heap_type type, const char *name, uint64_t address,
						uint64_t size);
/* A block of the heap around an address whose beginning is not known (pages of VM stacks). */
bool xhprof_walker_part_around(xhprof_walker *walker, xhprof_heap_type type, const char *name, uint64_t address);

/* A reference to what a value is; `at` is the zval's address or 0. Numbers and the like are scalars, UNDEF is nothing. */
void xhprof_walker_zval(xhprof_walker *walker, xhprof_label label, const zval *value);
/* `count` zvals at an address, by index. */
void xhprof_walker_zvals(xhprof_walker *walker, uint64_t address, uint64_t count);
/* A string that is held. */
void xhprof_walker_string(xhprof_walker *walker, xhprof_label label, const void *string);
/* A string that names something: told (as a part) when it is in the heap and not interned. */
void xhprof_walker_name(xhprof_walker *walker, const char *part, const void *string);
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

/* Takes the item that waits last from the list; false when there is none. */
bool xhprof_walker_pop(xhprof_walker *walker, xhprof_item *item);

/* Visits all that waits. */
void xhprof_walker_drain(xhprof_walker *walker);

/* ---- Parts of the walk -------------------------------------------------------------------------------------------------- */

/* A visit of one item each. */
void xhprof_walk_part(xhprof_walker *walker, const xhprof_item *item);
void xhprof_walk_string(xhprof_walker *walker, const xhprof_item *item);
void xhprof_walk_array(xhprof_walker *walker, const xhprof_item *item);
void xhprof_walk_reference(xhprof_walker *walker, const xhprof_item *item);
void xhprof_walk_resource(xhprof_walker *walker, const xhprof_item *item); /* walk_resources.c */
void xhprof_walk_ast(xhprof_walker *walker, const xhprof_item *item);
void xhprof_walk_object(xhprof_walker *walker, const xhprof_item *item);
void xhprof_walk_frame(xhprof_walker *walker, const xhprof_item *item);
void xhprof_walk_function(xhprof_walker *walker, const xhprof_item *item); /* walk_code.c */
void xhprof_walk_class(xhprof_walker *walker, const xhprof_item *item);    /* walk_class.c */
void xhprof_walk_constant(xhprof_walker *walker, const xhprof_item *item);
void xhprof_walk_property_info(xhprof_walker *walker, const xhprof_item *item);
void xhprof_walk_class_constant(xhprof_walker *walker, const xhprof_item *item);
void xhprof_walk_attributes(xhprof_walker *walker, const xhprof_item *item);
void xhprof_walk_callable(xhprof_walker *walker, const xhprof_item *item);
void xhprof_walk_ini_entry(xhprof_walker *walker, const xhprof_item *item); /* walk_engine.c */
void xhprof_walk_output_handler(xhprof_walker *walker, const xhprof_item *item);
void xhprof_walk_module(xhprof_walker *walker, const xhprof_item *item);

/* References of a function that is part of another node (a closure's): all but its header's memory. walk_code.c */
void xhprof_walk_function_parts(xhprof_walker *walker, const zend_function *function, uint64_t address);

/* The roots, each with xhprof_walker_root(), and xhprof_walker_drain() after it. */
void xhprof_walk_calls(xhprof_walker *walker); /* walk_frames.c: CALL_FRAMES, and the VM stack's pages */
void xhprof_walk_roots(xhprof_walker *walker); /* walk_roots.c: all but CALL_FRAMES, NATIVE_MEMORY, LEAK_CANDIDATES */
/* walk_native.c: what is left, NATIVE_MEMORY and LEAK_CANDIDATES included. Sums of native and unreachable are its own:
 * xhprof_walker_node() counts what is of type NATIVE or UNREACHABLE as such. */
void xhprof_walk_native(xhprof_walker *walker);

#endif
