#include "heap_usage.h"

#include "compat/zend_heap.h"
#include "heap/zmm_layout.h"

#define PROBE 1000

xhprof_small_block xhprof_small_blocks[XHPROF_ZMM_BIN_MOST / 8 + 1]; /* written in MINIT */

void xhprof_heap_usage_minit(void)
{
	for (uint16_t words = 0, bin = 0; words <= XHPROF_ZMM_BIN_MOST / 8; words++) {
		bin += words * 8 > xhprof_zmm_bins[bin].size;
		xhprof_small_blocks[words] = (xhprof_small_block){xhprof_zmm_bins[bin].size, bin};
	}
}

/* Checks that the heap's lists of free blocks are as expected. `probe` was allocated. It is freed, allocated and freed,
 * and has to come and go as the first one of its list. Nothing is followed but this block's own link, which is read
 * after it was freed: the heap must have no handlers, whose owner may have unmapped it. */
static bool comes_from_a_list(const xhprof_known_heap *heap, xhprof_free_block *probe)
{
	xhprof_free_block *const *first = &heap->free[xhprof_small_blocks[(PROBE + 7) / 8].bin];
	efree(probe);
	bool listed = *first == probe;
	xhprof_free_block *next = probe->next;
	xhprof_free_block *again = emalloc(PROBE);
	listed = listed && again == probe && *first == next;
	efree(again);
	return listed && *first == again && again->next == next;
}

xhprof_heap_usage *xhprof_heap_usage_find(bool *lists)
{
	xhprof_known_heap *heap = (xhprof_known_heap *)zend_mm_get_heap();
	xhprof_heap_usage *usage = &heap->usage;
	bool own = !xhprof_compat_heap_handlers((zend_mm_heap *)heap).alloc;
	*lists = false;
	/* USE_TRACKED_ALLOC keeps no peak. */
	if (usage->size != zend_memory_usage(false) || usage->peak != zend_memory_peak_usage(false) ||
		usage->peak < usage->size) {
		return NULL;
	}
	size_t before = usage->size;
	void *probe = emalloc(PROBE);
	size_t grown = usage->size - before;
	bool moved = usage->size > before && usage->size == zend_memory_usage(false);
	if (XHPROF_HEAP_PLAIN_LISTS && own && moved && grown == xhprof_small_blocks[(PROBE + 7) / 8].size) {
		*lists = comes_from_a_list(heap, probe);
	} else {
		efree(probe);
	}
	moved = moved && usage->size == before;
	*lists = *lists && moved;
	return moved ? usage : NULL;
}

xhprof_known_heap *xhprof_known_heap_of(xhprof_heap_usage *usage)
{
	if (!usage) {
		return NULL;
	}
	xhprof_known_heap *heap = (xhprof_known_heap *)((char *)usage - offsetof(xhprof_known_heap, usage));
	return heap->custom == XHPROF_HEAP_HANDLED ? heap : NULL;
}
