/* The parts of the engine's memory: reports of buffers, C strings, tables and numbered entries, for the sources that
 * walk the engine's roots. */
#ifndef XHPROF_HEAP_ENGINE_PARTS_H
#define XHPROF_HEAP_ENGINE_PARTS_H

#include "walker.h"

#include "compat/code_layout.h"

/* Most elements of a list. A longer one is damaged. */
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

/* Reports memory without references of its own. */
void xhprof_walk_engine_buffer(xhprof_walker *walker, const char *name, xhprof_at at, uint64_t size);

/* Reports a separately allocated C string, only if it is in the heap: elsewhere its owner is unknown. */
void xhprof_walk_engine_c_string(xhprof_walker *walker, const char *name, const char *string);

/* Reports a table that is embedded in another structure: its memory, its keys, and its values by `each`, which may be
 * NULL. */
void xhprof_walk_engine_elements(xhprof_walker *walker, const char *name, const HashTable *table,
								 xhprof_walk_engine_each each);

/* Reports a table behind a pointer, and its elements. */
void xhprof_walk_engine_table(xhprof_walker *walker, const char *name, const HashTable *at,
							  xhprof_walk_engine_each each);

/* Reports what is kept for a function that the engine will call. `name`: name of the reference to the callable; NULL:
 * the usual one. */
void xhprof_walk_engine_call(xhprof_walker *walker, const char *name, const xhprof_layout_call *call);

/* Returns a number as a name, "#12", in one of the walker's buffers. */
xhprof_text xhprof_walk_numbered(xhprof_walker *walker, uint64_t number);

#endif
