/* The state of a walk through a heap, which all code that reads memory and reports nodes shares. */
#ifndef XHPROF_HEAP_WALKER_STATE_H
#define XHPROF_HEAP_WALKER_STATE_H

#include "base/arena.h"
#include "base/table.h"
#include "visitor.h"
#include "zmm_blocks.h"

typedef struct xhprof_walker xhprof_walker;

/* A text without a terminator. `bytes` is NULL if there is no text, or if it cannot be read. */
typedef struct xhprof_text {
	const char *bytes;
	size_t length;
} xhprof_text;

#define XHPROF_TEXT(literal) ((xhprof_text){(literal), sizeof(literal) - 1})
#define XHPROF_WALKER_TEXT 1024 /* names longer than this are cut */

/* What the walk has read of a class, kept so that each class is read once. */
typedef struct xhprof_walker_class {
	xhprof_addr address;
	xhprof_text name;        /* in memory of the walker */
	uint32_t flags;          /* ce_flags */
	bool internal;           /* whether the class itself is PHP's own or an extension's; see `base` */
	bool readable;           /* false: the members below are empty */
	uint32_t property_count; /* slots in an object's properties_table */
	xhprof_text *properties; /* names of the slots, in memory of the walker; `bytes` is NULL for one without a name */
	xhprof_addr base;        /* the class itself or its nearest parent that is internal; 0 if there is none */
	unsigned container;      /* what xhprof_walk_parts.container_of() returned */
	xhprof_addr create_object;
} xhprof_walker_class;

/* Kinds of visits, as V(KIND, name). xhprof_walk_NAME() makes the visit. There must be fewer than 128 kinds. */
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

/* Memory whose layout only an extension knows: in front of or behind an object, or that of a resource. The native pass
 * reads it after all typed nodes have been reported. It first reports a node for this memory: `address`, of the type
 * NATIVE, named `owner`, without a block. */
typedef struct xhprof_walker_private {
	xhprof_addr address; /* of the node; the object or resource already has a reference to it */
	xhprof_addr from;
	uint64_t size;
	xhprof_text owner; /* in memory of the walker */
} xhprof_walker_private;

/* Functions of the walk that the walker calls, although they are above it. walk.c fills them in. */
typedef struct xhprof_walk_parts {
	/* Each visits one item. */
	void (*visit[XHPROF_VISIT_COUNT])(xhprof_walker *walker, const xhprof_item *item);
	/* Returns the number of the known container that an internal class is or extends; 0 if it is none. */
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

	char texts[16][XHPROF_WALKER_TEXT]; /* names that had to be copied; each copy replaces the oldest */
	unsigned text;
	char number[64];
	uint64_t hash_left; /* bytes of strings that may still be hashed: damaged ones may overlap without end */
	char *value;        /* contents of a string that had to be copied */
	size_t value_capacity;
};

/* Counts a step of a loop over memory, before that step. Returns false once damaged memory makes the loop endless. */
static inline bool xhprof_walker_may_continue(xhprof_walker *walker)
{
	if (++walker->work <= walker->max_work) {
		return true;
	}
	walker->result->incomplete = true;
	return false;
}

#endif
