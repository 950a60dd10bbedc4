/* Work that the heap does not do while it has handlers: it runs without ours. PHP functions that make the heap collect
 * its free pages do nothing then, and FFI::free() does not find that a block is the heap's own, and passes it to the
 * system's free(). */
#ifndef XHPROF_HOOK_BARE_HEAP_H
#define XHPROF_HOOK_BARE_HEAP_H

#include <stddef.h>

/* Wraps these functions, once per process; and restores them, when the module ends. */
void xhprof_bare_heap_rinit(void);
void xhprof_bare_heap_mshutdown(void);

/* Collects the heap's free pages, and returns their bytes: the handler that zend_mm_gc() calls since 8.4. */
size_t xhprof_bare_heap_collect(void);

#endif
