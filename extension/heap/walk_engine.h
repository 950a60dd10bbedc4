/* What the engine, its standard extension and the server's interface hold beside variables and code: the root "engine". */
#ifndef XHPROF_HEAP_WALK_ENGINE_H
#define XHPROF_HEAP_WALK_ENGINE_H

#include "walker.h"

/* A list that is longer is damaged. */
#define XHPROF_WALK_ENGINE_MOST 65536

/* What holds a function that the engine is to call. */
typedef enum xhprof_callable_kind {
	XHPROF_CALLABLE_SHUTDOWN, /* php_shutdown_function_entry */
	XHPROF_CALLABLE_TICK,     /* a list's element with xhprof_layout_tick */
	XHPROF_CALLABLE_OUTPUT,   /* php_output_handler_user_func_t */
	XHPROF_CALLABLE_AUTOLOAD, /* xhprof_layout_autoload */
} xhprof_callable_kind;

typedef bool (*xhprof_walk_engine_each)(xhprof_walker *walker, const xhprof_element *element, void *context);

static inline xhprof_label xhprof_walk_engine_named(const char *literal)
{
	return (xhprof_label){XHPROF_EDGE_NAMED, 0, {literal, strlen(literal)}};
}

/* Memory without references of its own. */
void xhprof_walk_engine_buffer(xhprof_walker *walker, const char *name, const void *at, uint64_t size);

/* A C string of its own: only in the heap, elsewhere it is whose ever. */
void xhprof_walk_engine_c_string(xhprof_walker *walker, const char *name, const char *string);

/* A table that a pointer leads to, and its elements. */
void xhprof_walk_engine_table(xhprof_walker *walker, const char *name, const HashTable *at,
							  xhprof_walk_engine_each each);

/* "#12" in one of the walker's buffers. walk_roots.c */
xhprof_text xhprof_walk_numbered(xhprof_walker *walker, uint64_t number);

/* The root "collector": what its buffer lists. walk_collector.c */
void xhprof_walk_collector(xhprof_walker *walker);

/* The list of spl_autoload_register(). walk_callable.c */
void xhprof_walk_autoloaders(xhprof_walker *walker);

/* Values in variables of libraries that are not known, and in `size` bytes of an extension's globals: as references of the node
 * told last, by the library's or the given name. walk_statics.c */
void xhprof_walk_statics(xhprof_walker *walker);
void xhprof_walk_static_values(xhprof_walker *walker, uint64_t from, uint64_t size, xhprof_text name);

/* The strings and values in a syntax tree's memory. walk_statics.c */
void xhprof_walk_syntax_tree(xhprof_walker *walker, uint64_t from, uint64_t size);

void xhprof_walk_engine(xhprof_walker *walker, const zend_executor_globals *executor,
						const zend_compiler_globals *compiler);

#endif
