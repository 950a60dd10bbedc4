#include "heap_usage.h"

xhprof_heap_usage *xhprof_heap_usage_find(void)
{
	xhprof_heap_usage *usage = &((xhprof_known_heap *)zend_mm_get_heap())->usage;
	if (usage->size != zend_memory_usage(false) || usage->peak != zend_memory_peak_usage(false)) {
		return NULL;
	}
	size_t before = usage->size;
	void *probe = emalloc(1000);
	bool moved = usage->size > before && usage->size == zend_memory_usage(false);
	efree(probe);
	return moved && usage->size == before ? usage : NULL;
}

xhprof_known_heap *xhprof_known_heap_of(xhprof_heap_usage *usage)
{
	if (!usage) {
		return NULL;
	}
	xhprof_known_heap *heap = (xhprof_known_heap *)((char *)usage - offsetof(xhprof_known_heap, usage));
	return heap->custom == XHPROF_HEAP_HANDLED ? heap : NULL;
}
