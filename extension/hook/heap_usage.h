/* Size and peak of the Zend heap, found in the heap itself. */
#ifndef XHPROF_HOOK_HEAP_USAGE_H
#define XHPROF_HOOK_HEAP_USAGE_H

#include "compat/heap_geometry.h"
#include "php_xhprof.h"

/* The beginning of struct _zend_mm_heap, used only after its behaviour confirms the layout. */
typedef struct xhprof_known_heap {
	int custom; /* ZEND_MM_CUSTOM_HEAP_*: whether it has handlers */
	void *storage;
	xhprof_heap_usage usage;
} xhprof_known_heap;
_Static_assert(offsetof(xhprof_known_heap, usage.size) == XHPROF_ZMM_HEAP_SIZE &&
				   offsetof(xhprof_known_heap, usage.peak) == XHPROF_ZMM_HEAP_PEAK,
			   "size and peak of the heap");

/* Finds this thread's heap size and peak; NULL if they are not at their known places. */
xhprof_heap_usage *xhprof_heap_usage_find(void);

/* The heap that this usage (may be NULL) belongs to, which has handlers now; NULL unless its own fields confirm
 * it. */
xhprof_known_heap *xhprof_known_heap_of(xhprof_heap_usage *usage);

#endif
