/* Types of nodes in a PHP process's memory, with their names in the file formats. */
#ifndef XHPROF_HEAP_TYPES_H
#define XHPROF_HEAP_TYPES_H

/* X(identifier, name in files) */
#define XHPROF_HEAP_TYPES(X)                                                                                       \
	X(ROOT, "root") /* a list of references that hold everything else: address 1, 2, ... */                        \
	X(STRING, "string")                                                                                            \
	X(ARRAY, "array")             /* the zend_array; elements are its references */                                \
	X(ARRAY_TABLE, "array table") /* its hash and buckets, or packed values */                                     \
	X(OBJECT, "object")                                                                                            \
	X(CLOSURE, "closure") /* a Closure object, with its function */                                                \
	X(GENERATOR, "generator")                                                                                      \
	X(FIBER, "fiber")                                                                                              \
	X(ENUM_CASE, "enum case")                                                                                      \
	X(REFERENCE, "reference") /* &$x */                                                                            \
	X(RESOURCE, "resource")                                                                                        \
	X(CONSTANT_EXPRESSION, "constant expression")                                                                  \
	X(FUNCTION, "function") /* an op_array or internal function */                                                 \
	X(OPCODES, "opcodes")   /* with the literals behind them */                                                    \
	X(FUNCTION_PART,                                                                                               \
	  "function part") /* arg infos, names of variables, live ranges, try/catch, static variables' table ... */    \
	X(RUNTIME_CACHE, "runtime cache")                                                                              \
	X(CLASS, "class")                                                                                              \
	X(CLASS_PART, "class part") /* tables of properties, constants, defaults, static members, infos */             \
	X(CONSTANT, "constant")                                                                                        \
	X(FRAME, "frame") /* a running call, in a VM stack */                                                          \
	X(VM_STACK, "vm stack")                                                                                        \
	X(ARENA, "arena")   /* of the compiler: holds functions and classes */                                         \
	X(ENGINE, "engine") /* tables and buffers of the engine: objects store, GC buffer, symbol tables' cache ... */ \
	X(OUTPUT, "output buffer")                                                                                     \
	X(NATIVE, "native") /* belongs to an extension's own structures, or an object's private part: see its owner */ \
	X(UNREACHABLE, "unreachable") /* nothing found refers to it: may be a leak */

typedef enum xhprof_heap_type {
#define XHPROF_HEAP_TYPE(id, name) XHPROF_HEAP_##id,
	XHPROF_HEAP_TYPES(XHPROF_HEAP_TYPE)
#undef XHPROF_HEAP_TYPE
		XHPROF_HEAP_TYPE_COUNT
} xhprof_heap_type;

const char *xhprof_heap_type_name(xhprof_heap_type type);

/* The roots, X(identifier, name in files). Their addresses, in this order, are 1 to XHPROF_HEAP_ROOTS. */
#define XHPROF_HEAP_ROOT_NAMES(X)                                                                                 \
	X(CALL_FRAMES, "call_frames") /* index -> frame; 0 is the innermost */                                        \
	X(GLOBALS, "global_variables")                                                                                \
	X(FUNCTIONS, "function_table")                                                                                \
	X(CLASSES, "class_table")                                                                                     \
	X(CONSTANTS, "global_constants")                                                                              \
	X(INCLUDED_FILES, "included_files")                                                                           \
	X(INTERNED_STRINGS, "interned_strings")                                                                       \
	X(OBJECTS_STORE, "objects_store") /* weak: does not keep its objects alive */                                 \
	X(RESOURCES, "resources")                                                                                     \
	X(ENGINE_STATE, "engine")         /* handlers, shutdown functions, autoloaders, output, GC buffer, ini ... */ \
	X(NATIVE_MEMORY, "native_memory") /* referred to only by memory of libraries and of malloc */                 \
	X(LEAK_CANDIDATES, "unreachable") /* weak: nothing refers to these */                                         \
	X(COLLECTOR, "collector")         /* weak: these may be garbage */

typedef enum xhprof_heap_root {
	XHPROF_HEAP_NO_ROOT,
#define XHPROF_HEAP_ROOT(id, name) XHPROF_HEAP_ROOT_##id,
	XHPROF_HEAP_ROOT_NAMES(XHPROF_HEAP_ROOT)
#undef XHPROF_HEAP_ROOT
		XHPROF_HEAP_ROOTS_END
} xhprof_heap_root;
#define XHPROF_HEAP_ROOTS (XHPROF_HEAP_ROOTS_END - 1)

/* Returns the name of a root by its number, which is its address; "" if there is no such root. */
const char *xhprof_heap_root_name(xhprof_heap_root root);

#endif
