#include "heap_figures.h"

xhprof_heap_figures *xhprof_heap_figures_find(void)
{
	xhprof_heap_figures *figures = &((xhprof_known_heap *)zend_mm_get_heap())->figures;
	if (figures->size != zend_memory_usage(false) || figures->peak != zend_memory_peak_usage(false)) {
		return NULL;
	}
	size_t before = figures->size;
	void *probe = emalloc(1000);
	bool moved = figures->size > before && figures->size == zend_memory_usage(false);
	efree(probe);
	return moved && figures->size == before ? figures : NULL;
}

xhprof_known_heap *xhprof_known_heap_of(xhprof_heap_figures *figures)
{
	if (!figures) {
		return NULL;
	}
	xhprof_known_heap *heap = (xhprof_known_heap *)((char *)figures - offsetof(xhprof_known_heap, figures));
	return heap->custom == XHPROF_HEAP_HANDLED ? heap : NULL;
}
