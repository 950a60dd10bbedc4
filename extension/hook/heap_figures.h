/* Size and peak of the Zend heap, found in the heap itself. */
#ifndef XHPROF_HOOK_HEAP_FIGURES_H
#define XHPROF_HOOK_HEAP_FIGURES_H

#include "php_xhprof.h"

/* Where this thread's heap keeps its size and peak, or NULL when they are not where they are known to be. */
xhprof_heap_figures *xhprof_heap_figures_find(void);

/* The heap's own mark that it has custom handlers, which stand there now; NULL when it is not where it is known to be. */
int *xhprof_heap_custom_mark(zend_mm_heap *heap);

#endif
