/* The size and peak of the Zend heap, read inside the heap itself. */
#ifndef XHPROF_HOOK_HEAP_USAGE_H
#define XHPROF_HOOK_HEAP_USAGE_H

#include "compat/heap_geometry.h"
#include "php_xhprof.h"

typedef struct xhprof_free_block {
	struct xhprof_free_block *next;
} xhprof_free_block;

/* The beginning of struct _zend_mm_heap, used only after its behaviour confirms the layout. */
typedef struct xhprof_known_heap {
	int custom; /* ZEND_MM_CUSTOM_HEAP_*: whether it has handlers */
	void *storage;
	xhprof_heap_usage usage;
	xhprof_free_block *free[XHPROF_ZMM_BINS]; /* only after a confirmation of its own */
} xhprof_known_heap;
_Static_assert(offsetof(xhprof_known_heap, usage.size) == XHPROF_ZMM_HEAP_SIZE &&
				   offsetof(xhprof_known_heap, usage.peak) == XHPROF_ZMM_HEAP_PEAK,
			   "size and peak of the heap");

/* Size and bin of the small block for a request; xhprof_small_blocks[] is by the request's size in words of 8 bytes. */
typedef struct xhprof_small_block {
	uint16_t size, bin;
} xhprof_small_block;

extern xhprof_small_block xhprof_small_blocks[XHPROF_ZMM_BIN_MOST / 8 + 1];

void xhprof_heap_usage_minit(void);

/* Finds this thread's heap size and peak; NULL if they are not at their known places. `lists`: whether its lists of free
 * blocks are where they are known to be, and may be used. */
xhprof_heap_usage *xhprof_heap_usage_find(bool *lists);

/* Takes a small block from the heap's list of free ones, which must have been found; `taken` gets its size. NULL: the
 * heap must be called. */
static zend_always_inline void *xhprof_heap_take(xhprof_known_heap *heap, size_t size, size_t *taken)
{
	if (UNEXPECTED(size > XHPROF_ZMM_BIN_MOST)) {
		return NULL;
	}
	const xhprof_small_block *small = &xhprof_small_blocks[(size + 7) / 8];
	xhprof_free_block *block = heap->free[small->bin];
	if (UNEXPECTED(!block)) {
		return NULL;
	}
	heap->free[small->bin] = block->next;
	*taken = small->size;
	heap->usage.size += small->size;
	if (UNEXPECTED(heap->usage.size > heap->usage.peak)) {
		heap->usage.peak = heap->usage.size;
	}
	return block;
}

/* Returns the heap that this usage (which may be NULL) belongs to and that has handlers now; NULL unless its own fields
 * confirm that. */
xhprof_known_heap *xhprof_known_heap_of(xhprof_heap_usage *usage);

#endif
