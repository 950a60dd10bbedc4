/* What the walk over this process's memory asks of the engine: where its globals are in this thread, and what values the
 * objects of internal classes hold. */
#ifndef XHPROF_HEAP_HEAP_ENGINE_H
#define XHPROF_HEAP_HEAP_ENGINE_H

#include "compat/php_compat.h"

#include "walk.h"

void xhprof_heap_engine_self(xhprof_engine *engine);

/* Objects' get_gc handlers, called without the Zend heap: what they would allocate is there already. Itself in memory that the
 * walk's reader knows. */
typedef struct xhprof_heap_values {
	zval value;   /* the one that is being told */
	zval *buffer; /* pages that take the place of EG(get_gc_buffer), or NULL */
	size_t buffer_size;
	/* While a handler runs, which may leave by a jump: */
	zend_object *asked;         /* or NULL */
	HashTable *had;             /* its table of properties */
	HashTable properties;       /* in its place when there is none */
	zend_get_gc_buffer engines; /* EG(get_gc_buffer) */
} xhprof_heap_values;

/* False when there is no memory: no values then. `heap_size`: of the Zend heap, which is how much can be held. */
bool xhprof_heap_values_begin(xhprof_heap_values *values, size_t heap_size);
/* Also where a handler has left by a jump: puts back what is the engine's. */
void xhprof_heap_values_end(xhprof_heap_values *values);

/* Calls value(to, address of a zval) for each value that the object holds beside its properties. The address is the same each
 * time. */
void xhprof_heap_values_of(xhprof_heap_values *values, uint64_t object, void (*value)(void *to, uint64_t zval),
						   void *to);

#endif
