/* Size and peak of the Zend heap, found in the heap itself. */
#ifndef XHPROF_HOOK_HEAP_FIGURES_H
#define XHPROF_HOOK_HEAP_FIGURES_H

#include "compat/heap_geometry.h"
#include "php_xhprof.h"

/* The beginning of struct _zend_mm_heap, which is believed only when it behaves so. */
typedef struct xhprof_known_heap {
	int custom; /* ZEND_MM_CUSTOM_HEAP_*: whether it has handlers */
	void *storage;
	xhprof_heap_figures figures;
} xhprof_known_heap;
_Static_assert(offsetof(xhprof_known_heap, figures.size) == XHPROF_ZMM_HEAP_SIZE &&
				   offsetof(xhprof_known_heap, figures.peak) == XHPROF_ZMM_HEAP_PEAK,
			   "size and peak of the heap");

/* Where this thread's heap keeps its size and peak, or NULL when they are not where they are known to be. */
xhprof_heap_figures *xhprof_heap_figures_find(void);

/* The heap that these figures (may be NULL) are of, which has handlers now; NULL when it does not say so itself. */
xhprof_known_heap *xhprof_known_heap_of(xhprof_heap_figures *figures);

#endif
