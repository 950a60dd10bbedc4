/* The state of a walk, which its readers, reporters and parts share. */
#ifndef XHPROF_HEAP_WALKER_STATE_H
#define XHPROF_HEAP_WALKER_STATE_H

#include "base/arena.h"
#include "base/table.h"
#include "visitor.h"
#include "zmm_blocks.h"

typedef struct xhprof_walker xhprof_walker;

/* A text without a terminator. `bytes` is NULL if there is no text, or it cannot be read. */
typedef struct xhprof_text {
	const char *bytes;
	size_t length;
} xhprof_text;

#define XHPROF_TEXT(literal) ((xhprof_text){(literal), sizeof(literal) - 1})
#define XHPROF_WALKER_TEXT 1024 /* most bytes of a name; longer ones are cut */

/* A class, read once. */
typedef struct xhprof_walker_class {
	xhprof_addr address;
	xhprof_text name;        /* in memory of the walker */
	uint32_t flags;          /* ce_flags */
	bool internal;           /* the class itself is internal; see `base` */
	bool readable;           /* false: the rest is empty */
	uint32_t property_count; /* slots in an object's properties_table */
	xhprof_text *properties; /* their names, in memory of the walker; bytes are NULL for a slot that has none */
	xhprof_addr base;        /* the nearest internal class, this one or an ancestor; or 0 */
	unsigned container;      /* number of xhprof_walk_parts.container_of() */
	xhprof_addr create_object;
} xhprof_walker_class;

/* Kinds of visits, V(KIND, name): xhprof_walk_NAME() does it. Fewer than 128. */
#define XHPROF_VISITS(V)                                                                                       \
	/* A block without references of its own: its type, name and size are in the item. */                      \
	V(PART, part)                                                                                              \
	V(STRING, string)                                                                                          \
	V(ARRAY, array)                                                                                            \
	V(OBJECT, object)                                                                                          \
	V(RESOURCE, resource)                                                                                      \
	V(REFERENCE, reference)                                                                                    \
	V(AST, ast)                       /* zend_ast_ref */                                                       \
	V(FRAME, frame)                   /* zend_execute_data; extra: an xhprof_frame_place */                    \
	V(FUNCTION, function)             /* zend_function, of either kind */                                      \
	V(CLASS, class)                   /* zend_class_entry */                                                   \
	V(CONSTANT, constant)             /* zend_constant */                                                      \
	V(PROPERTY_INFO, property_info)   /* zend_property_info */                                                 \
	V(CLASS_CONSTANT, class_constant) /* zend_class_constant */                                                \
	V(ATTRIBUTES, attributes)         /* HashTable of zend_attribute */                                        \
	V(CALLABLE, callable)             /* of callables that the engine keeps; extra: an xhprof_callable_kind */ \
	V(OUTPUT_HANDLER, output_handler) /* php_output_handler */                                                 \
	V(INI_ENTRY, ini_entry)           /* zend_ini_entry */                                                     \
	V(MODULE, module)                 /* zend_module_entry */

#define XHPROF_VISIT(kind, name) XHPROF_VISIT_##kind,
typedef enum xhprof_visit { XHPROF_VISITS(XHPROF_VISIT) XHPROF_VISIT_COUNT } xhprof_visit;
#undef XHPROF_VISIT

typedef struct xhprof_item {
	xhprof_addr address : 56;
	uint64_t visit : 8; /* xhprof_visit */
	uint64_t extra : 56;
	uint64_t type : 8; /* xhprof_heap_type of a part */
	const char *name;  /* of a part: a literal; else NULL */
} xhprof_item;

/* Memory in front of or behind an object, or a resource's, with an extension's private layout. The native pass reads it
 * after all typed nodes have been reported. It reports the node `address` first: NATIVE, with `owner` as its name and
 * without a block. */
typedef struct xhprof_walker_private {
	xhprof_addr address; /* address of this part's node, to which the object or resource already has a reference */
	xhprof_addr from;
	uint64_t size;
	xhprof_text owner; /* in memory of the walker */
} xhprof_walker_private;

/* The parts of the walk that the walker calls although they are in higher layers. walk.c sets them. */
typedef struct xhprof_walk_parts {
	/* Visit one item, by kind. */
	void (*visit[XHPROF_VISIT_COUNT])(xhprof_walker *walker, const xhprof_item *item);
	/* Returns the number of the known container that an internal class is or extends; 0 for none. */
	unsigned (*container_of)(xhprof_walker *walker, xhprof_addr internal);
} xhprof_walk_parts;

struct xhprof_walker {
	const xhprof_walk_parts *parts;
	xhprof_zmm *zmm;
	xhprof_reader *reader;
	const xhprof_engine *engine;
	const xhprof_walk_options *options;
	const xhprof_heap_visitor *visitor;
	xhprof_walk_result *result;

	uint64_t *words; /* a stack of items */
	size_t item_count, word_count, word_capacity;

	uint64_t work, max_work;  /* elements examined so far, and their limit in sound memory */
	xhprof_addr map_ptr_base; /* CG(map_ptr_base) */
	xhprof_addr ce_closure, ce_generator, ce_fiber, ce_weakref, ce_weakmap; /* the classes themselves */
	uint64_t reported_bytes;                                                /* for progress */
	xhprof_addr resource_types; /* address of the engine's table of resource types; 0: not yet searched, 1: not found */

	xhprof_arena arena;   /* classes, owners' names */
	xhprof_table classes; /* address -> xhprof_walker_class */
	const xhprof_walker_class *last_class;
	xhprof_walker_private *privates;
	size_t private_count, private_capacity;

	char texts[16][XHPROF_WALKER_TEXT]; /* buffers for names that had to be copied, used in turn */
	unsigned text;
	char number[64];
	uint64_t hash_left; /* bytes of strings that may still be hashed, as damaged ones may overlap without end */
	char *value;        /* buffer for a string that had to be copied */
	size_t value_capacity;
};

/* Counts a step of a loop over memory, before it is made. False if damage seems to make the loop endless. */
static inline bool xhprof_walker_may_continue(xhprof_walker *walker)
{
	if (++walker->work <= walker->max_work) {
		return true;
	}
	walker->result->incomplete = true;
	return false;
}

#endif
