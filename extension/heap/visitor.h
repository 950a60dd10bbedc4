/* The input and output of a walk over a process's memory: it reports nodes, and the references between them. */
#ifndef XHPROF_HEAP_VISITOR_H
#define XHPROF_HEAP_VISITOR_H

#include "address.h"
#include "base/siphash.h"
#include "types.h"

#include <stdbool.h>
#include <stddef.h>

/* Addresses of the engine's globals in the process that is read; 0 if unknown. */
typedef struct xhprof_engine {
	xhprof_addr executor_globals, compiler_globals, sapi_globals, basic_globals, gc_globals, spl_globals,
		output_globals;
	xhprof_addr core_globals, file_globals; /* of php_globals.h and ext/standard/file.h */
	xhprof_addr scanner_globals;            /* language_scanner_globals */
	/* Addresses of variables of the engine (of `zend_class_entry *zend_ce_closure` and the like, to be read). */
	xhprof_addr ce_closure, ce_generator, ce_fiber, ce_weakref, ce_weakmap;
	xhprof_addr std_object_handlers;
	xhprof_addr module_registry; /* of `HashTable module_registry` */
} xhprof_engine;

typedef struct xhprof_heap_node {
	xhprof_addr address; /* of the zend_string, zend_object ...; the node's name in the snapshot */
	xhprof_heap_type type;
	uint64_t size; /* bytes that it uses */
	uint64_t
		block; /* bytes of the Zend heap's block that it accounts for; 0: within another node's block, or not in the
		        * heap. The sum over all nodes is the heap's size. */
	xhprof_addr start; /* address at which that block begins */
	bool shared;       /* it is in opcache's memory */
	bool has_refcount;
	uint32_t refcount;
	uint32_t line; /* current line of a frame; first line of a function, class or closure; else 0 */
	const char *
		name; /* class of an object or enum case; name of a function (with its class), class, constant, root, part; type of a
						 * resource; owner of a native block ("Fiber", "stream", "mysqlnd.so", "vm stack"); or NULL */
	size_t name_length;
	const char *file; /* of a function, class, frame or closure, or NULL */
	size_t file_length;
	const char *value; /* of a string: its first bytes, at most options.max_string; or NULL */
	size_t value_length,
		length; /* of the value; of the whole string; `length` of an array is the number of its elements */
	bool has_hash;
	uint64_t hash;  /* of the whole content of a string, with options.hash_key: equal for equal strings of one walk */
	uint32_t path;  /* of options.path_of(), or 0 */
} xhprof_heap_node; /* all pointers are valid during the call */

typedef enum xhprof_edge_kind {
	XHPROF_EDGE_NAMED, /* property, element by key, variable: its name */
	XHPROF_EDGE_INDEX, /* element by number: its index */
	XHPROF_EDGE_PART,  /* table, opcodes, runtime cache, key, doc comment ...: the part's name */
	XHPROF_EDGE_WEAK,  /* a reference that does not keep its target alive; with a name */
} xhprof_edge_kind;

typedef struct xhprof_heap_edge {
	xhprof_edge_kind kind;
	xhprof_addr to; /* a node's address, or 0 for a value without one: see `scalar` */
	int64_t index;
	const char *name;
	size_t name_length;
	const char *
		scalar; /* "null", "false", "true", "12", "1.5" as JSON; only with options.scalars, for variables, properties, elements, constants */
} xhprof_heap_edge;

typedef struct xhprof_heap_visitor {
	void *context;
	void (*node)(void *context, const xhprof_heap_node *node); /* its references follow, then comes the next node */
	void (*edge)(void *context, const xhprof_heap_edge *edge);
	/* With options.types_only: a block that holds no references (a string or a part), reported among the references of
	 * a node. */
	void (*leaf)(void *context, xhprof_addr block, xhprof_heap_type type);
} xhprof_heap_visitor;

#define XHPROF_HASHED_LEAST 16 /* least bytes of a hashed string: a copy of a shorter one wastes little */
#define XHPROF_HASHED_MOST ((uint64_t)64 << 20) /* most bytes of a hashed string: a greater length is probably damage */

typedef struct xhprof_walk_options {
	size_t max_string; /* bytes of a string's value that are reported; 0: no values */
	/* Key for hashes of strings of XHPROF_HASHED_LEAST to XHPROF_HASHED_MOST bytes. NULL: no hashes. */
	const xhprof_siphash_key *hash_key;
	bool scalars; /* reports references to values without a node, too */
	bool native;  /* looks for owners of untyped blocks; otherwise they are all "unreachable" */
	/* Reports only the types of blocks: references that are not parts are left out, and blocks that refer to nothing
	 * are reported as leaves. Of untyped blocks only those are reported to which private parts of objects and resources
	 * lead, after their nodes. */
	bool types_only;
	/* Calls value() for each value that get_gc gives for an object of an internal class. Only in this process; or
	 * NULL. */
	void (*values_of)(void *context, xhprof_addr object, void (*value)(void *to, xhprof_addr zval), void *to);
	/* Returns the call path that allocated a block, a number from 1 that the writer can resolve; or 0. NULL: no paths
	 * are known. */
	uint32_t (*path_of)(void *context, xhprof_addr block);
	/* Reports the progress of long work; or NULL. */
	void (*progress)(void *context, uint64_t bytes, uint64_t total);
	void *context;
	xhprof_addr stack_from; /* address in this thread's C stack below which all is the walker's own; or 0 */
	/* Memory that lists blocks by address without keeping them: it is not searched. Or 0. */
	xhprof_addr list_from, list_to;
} xhprof_walk_options;

/* The totals of a walk. */
typedef struct xhprof_walk_result {
	uint64_t nodes, edges;
	uint64_t typed_bytes, native_bytes, unreachable_bytes; /* bytes of the heap's blocks; together zmm->live_bytes */
	uint64_t typed_blocks, native_blocks, unreachable_blocks;
	uint64_t shared_bytes;  /* of nodes in opcache's memory */
	uint64_t outside_bytes; /* of nodes elsewhere outside the heap */
	uint64_t unreadable;    /* references to unreadable or implausible targets */
	uint64_t waited;        /* most visits that were pending at once */
	bool incomplete;        /* something was not visited: memory was missing, or damage was endless */
} xhprof_walk_result;

#endif
