/* The engine's side of the walk over this process's memory: its globals in this thread, and the values that objects of
 * internal classes hold. */
#ifndef XHPROF_HEAP_HEAP_ENGINE_H
#define XHPROF_HEAP_HEAP_ENGINE_H

#include "compat/php_compat.h"

#include "walk.h"

void xhprof_heap_engine_self(xhprof_engine *engine);

/* The state for calls of objects' get_gc handlers that do not touch the Zend heap: all that they would allocate exists
 * already. The struct itself must be in memory that the walk's reader knows. */
typedef struct xhprof_heap_values {
	zval value;   /* the value that is being reported */
	zval *buffer; /* pages that take the place of EG(get_gc_buffer), or NULL */
	size_t buffer_size;
	/* Members used while a handler runs, which may leave by a longjmp(). */
	zend_object *asked;         /* the object whose handler runs, or NULL */
	HashTable *had;             /* the object's own table of properties */
	HashTable properties;       /* stands in for a missing table */
	zend_get_gc_buffer engines; /* EG(get_gc_buffer) */
} xhprof_heap_values;

/* Begins. False without memory: then no values are reported. `heap_size`: size of the Zend heap, an upper bound for the
 * values of an object. */
bool xhprof_heap_values_begin(xhprof_heap_values *values, size_t heap_size);
/* Restores the engine's state, also after a handler has left by a longjmp(). */
void xhprof_heap_values_end(xhprof_heap_values *values);

/* Calls value(to, address of a zval) for each value that the object holds besides its properties. The address is the
 * same each time. */
void xhprof_heap_values_of(xhprof_heap_values *values, uint64_t object, void (*value)(void *to, uint64_t zval),
						   void *to);

#endif
