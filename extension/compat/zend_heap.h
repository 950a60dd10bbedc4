/* The Zend heap's handlers, whose types differ between versions, and between debug builds and others: in those they
 * receive the caller's file and line, for their message at memory_limit. */
#ifndef XHPROF_COMPAT_ZEND_HEAP_H
#define XHPROF_COMPAT_ZEND_HEAP_H

#include "php_compat.h"

#if PHP_VERSION_ID >= 80400 || ZEND_DEBUG
#define XHPROF_HEAP_DC ZEND_FILE_LINE_DC ZEND_FILE_LINE_ORIG_DC
#define XHPROF_HEAP_CC ZEND_FILE_LINE_RELAY_CC ZEND_FILE_LINE_ORIG_RELAY_CC
#define xhprof_heap_alloc(heap, size) _zend_mm_alloc((heap), (size)XHPROF_HEAP_CC)
#define xhprof_heap_free(heap, block) _zend_mm_free((heap), (block)XHPROF_HEAP_CC)
#define xhprof_heap_realloc(heap, block, size) _zend_mm_realloc((heap), (block), (size)XHPROF_HEAP_CC)
#else
#define XHPROF_HEAP_DC
#define XHPROF_HEAP_CC
#define xhprof_heap_alloc(heap, size) zend_mm_alloc((heap), (size))
#define xhprof_heap_free(heap, block) zend_mm_free((heap), (block))
#define xhprof_heap_realloc(heap, block, size) zend_mm_realloc((heap), (block), (size))
#endif

/* The heap's mark that it has such handlers. */
#if PHP_VERSION_ID < 80400 && ZEND_DEBUG
#define XHPROF_HEAP_HANDLED ZEND_MM_CUSTOM_HEAP_DEBUG
#else
#define XHPROF_HEAP_HANDLED ZEND_MM_CUSTOM_HEAP_STD
#endif

/* Whether zend_mm_gc() calls a handler where there are any, and does nothing only without one (8.4). */
#define XHPROF_HEAP_COLLECTS (PHP_VERSION_ID >= 80400)

/* Whether the lists of free small blocks are plain ones, whose first block can be taken as the engine takes it inline where
 * there are no handlers: zend_mm_alloc_small() in Zend/zend_alloc.c, the same in 8.2 and 8.3. Debug builds keep a block's
 * origin in it; since 8.4 a link has a second, encrypted copy that is compared. There the heap is called. */
#define XHPROF_HEAP_PLAIN_LISTS (PHP_VERSION_ID < 80400 && !ZEND_DEBUG)

typedef struct xhprof_heap_handlers {
	void *(*alloc)(size_t size XHPROF_HEAP_DC);
	void (*free)(void *block XHPROF_HEAP_DC);
	void *(*realloc)(void *block, size_t size XHPROF_HEAP_DC);
#if PHP_VERSION_ID >= 80400
	size_t (*gc)(void);
	void (*shutdown)(bool full, bool silent);
#endif
} xhprof_heap_handlers;

/* All NULL if there are none. */
static inline xhprof_heap_handlers xhprof_compat_heap_handlers(zend_mm_heap *heap)
{
	xhprof_heap_handlers handlers;
	memset(&handlers, 0, sizeof(handlers));
#if PHP_VERSION_ID >= 80400
	zend_mm_get_custom_handlers_ex(heap, &handlers.alloc, &handlers.free, &handlers.realloc, &handlers.gc,
								   &handlers.shutdown);
#elif ZEND_DEBUG
	/* One union holds either kind. Handlers without file and line ignore these arguments. */
	zend_mm_get_custom_handlers(heap, (void *(**)(size_t)) & handlers.alloc, (void (**)(void *)) & handlers.free,
								(void *(**)(void *, size_t)) & handlers.realloc);
#else
	zend_mm_get_custom_handlers(heap, &handlers.alloc, &handlers.free, &handlers.realloc);
#endif
	return handlers;
}

static inline void xhprof_compat_set_heap_handlers(zend_mm_heap *heap, const xhprof_heap_handlers *handlers)
{
#if PHP_VERSION_ID >= 80400
	zend_mm_set_custom_handlers_ex(heap, handlers->alloc, handlers->free, handlers->realloc, handlers->gc,
								   handlers->shutdown);
#elif ZEND_DEBUG
	if (handlers->alloc) {
		zend_mm_set_custom_debug_handlers(heap, handlers->alloc, handlers->free, handlers->realloc);
	} else {
		zend_mm_set_custom_handlers(heap, NULL, NULL, NULL);
	}
#else
	zend_mm_set_custom_handlers(heap, handlers->alloc, handlers->free, handlers->realloc);
#endif
}

/* Whether a fatal error is that of memory_limit, which only its text shows. */
static inline bool xhprof_compat_heap_at_limit(const zend_string *error)
{
	return zend_string_starts_with_literal(error, "Allowed memory size of ");
}

/* Sets zend_mm_gc()'s handler, used when handlers are set (8.4). */
static inline void xhprof_compat_heap_gc_handler(xhprof_heap_handlers *handlers, size_t (*gc)(void))
{
#if PHP_VERSION_ID >= 80400
	handlers->gc = gc;
#endif
}

#endif
