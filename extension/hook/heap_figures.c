#include "heap_figures.h"

/* struct _zend_mm_heap is private, but its beginning { int use_custom_heap; storage*; size_t size; size_t peak; ... } has
 * been the same from PHP 7.0 to 8.4 (Zend/zend_alloc.c). Believed only when it behaves so. */
#define FIGURES_OFFSET 16
#define CUSTOM_OFFSET 0

xhprof_heap_figures *xhprof_heap_figures_find(void)
{
	xhprof_heap_figures *figures = (xhprof_heap_figures *)((char *)zend_mm_get_heap() + FIGURES_OFFSET);
	if (figures->size != zend_memory_usage(false) || figures->peak != zend_memory_peak_usage(false)) {
		return NULL;
	}
	size_t before = figures->size;
	void *probe = emalloc(1000);
	bool moved = figures->size > before && figures->size == zend_memory_usage(false);
	efree(probe);
	return moved && figures->size == before ? figures : NULL;
}

int *xhprof_heap_custom_mark(zend_mm_heap *heap)
{
	int *mark = (int *)((char *)heap + CUSTOM_OFFSET);
	return *mark == ZEND_MM_CUSTOM_HEAP_STD ? mark : NULL;
}
