/* Size and peak of the Zend heap, found in the heap itself. */
#ifndef XHPROF_HOOK_HEAP_FIGURES_H
#define XHPROF_HOOK_HEAP_FIGURES_H

#include "compat/heap_geometry.h"
#include "php_xhprof.h"

/* The beginning of struct _zend_mm_heap, used only after its behaviour confirms the layout. */
typedef struct xhprof_known_heap {
	int custom; /* ZEND_MM_CUSTOM_HEAP_*: whether it has handlers */
	void *storage;
	xhprof_heap_figures figures;
} xhprof_known_heap;
_Static_assert(offsetof(xhprof_known_heap, figures.size) == XHPROF_ZMM_HEAP_SIZE &&
				   offsetof(xhprof_known_heap, figures.peak) == XHPROF_ZMM_HEAP_PEAK,
			   "size and peak of the heap");

/* Finds this thread's heap size and peak; NULL if they are not at their known places. */
xhprof_heap_figures *xhprof_heap_figures_find(void);

/* The heap that these figures (may be NULL) belong to, which has handlers now; NULL unless its own fields confirm
 * it. */
xhprof_known_heap *xhprof_known_heap_of(xhprof_heap_figures *figures);

#endif
