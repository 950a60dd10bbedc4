/* Reports what the engine holds: buffers, C strings, tables, numbered entries. For the sources of its roots. */
#ifndef XHPROF_HEAP_ENGINE_PARTS_H
#define XHPROF_HEAP_ENGINE_PARTS_H

#include "walker.h"

#include "compat/code_layout.h"

/* A longer list is damaged. */
#define XHPROF_WALK_ENGINE_MAX 65536

/* Holders of functions that the engine will call. */
typedef enum xhprof_callable_kind {
	XHPROF_CALLABLE_SHUTDOWN, /* php_shutdown_function_entry */
	XHPROF_CALLABLE_TICK,     /* a list's element with xhprof_layout_tick */
	XHPROF_CALLABLE_OUTPUT,   /* xhprof_layout_output */
	XHPROF_CALLABLE_AUTOLOAD, /* xhprof_layout_autoload */
} xhprof_callable_kind;

typedef bool (*xhprof_walk_engine_each)(xhprof_walker *walker, const xhprof_element *element, void *context);

static inline xhprof_edge_label xhprof_walk_engine_named(const char *literal)
{
	return (xhprof_edge_label){XHPROF_EDGE_NAMED, 0, {literal, strlen(literal)}};
}

/* Memory without references of its own. */
void xhprof_walk_engine_buffer(xhprof_walker *walker, const char *name, xhprof_at at, uint64_t size);

/* A separately allocated C string: visited only in the heap; elsewhere its owner is unknown. */
void xhprof_walk_engine_c_string(xhprof_walker *walker, const char *name, const char *string);

/* A table embedded in its holder: its memory, its keys, and its values by `each`, which may be NULL. */
void xhprof_walk_engine_elements(xhprof_walker *walker, const char *name, const HashTable *table,
								 xhprof_walk_engine_each each);

/* A table behind a pointer, and its elements. */
void xhprof_walk_engine_table(xhprof_walker *walker, const char *name, const HashTable *at,
							  xhprof_walk_engine_each each);

/* What a function holds that the engine will call. `name`: of the reference to the callable, or NULL for a usual one. */
void xhprof_walk_engine_call(xhprof_walker *walker, const char *name, const xhprof_layout_call *call);

/* "#12" in one of the walker's buffers. */
xhprof_text xhprof_walk_numbered(xhprof_walker *walker, uint64_t number);

#endif
