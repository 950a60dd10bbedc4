#include "bare_heap.h"

#include "php_xhprof.h"
#include "wrapped_function.h"

/* Takes the handlers off. False if this extension has set none, or the heap had others before. */
static bool take_handlers_off(xhprof_heap_handlers *kept)
{
	xhprof_heap_handlers none;
	if (!XHPROF_G(alloc).heap || XHPROF_G(alloc).chained) {
		return false;
	}
	*kept = xhprof_compat_heap_handlers(XHPROF_G(alloc).heap);
	memset(&none, 0, sizeof(none));
	xhprof_compat_set_heap_handlers(XHPROF_G(alloc).heap, &none);
	return true;
}

static void put_handlers_back(const xhprof_heap_handlers *kept)
{
	if (XHPROF_G(alloc).heap) {
		xhprof_compat_set_heap_handlers(XHPROF_G(alloc).heap, kept);
	}
}

size_t xhprof_bare_heap_collect(void)
{
	xhprof_heap_handlers kept;
	if (!take_handlers_off(&kept)) {
		return 0;
	}
	size_t collected = zend_mm_gc(XHPROF_G(alloc).heap);
	put_handlers_back(&kept);
	return collected;
}

static zif_handler previous_gc_mem_caches, previous_ffi_free;

static void call_without_handlers(INTERNAL_FUNCTION_PARAMETERS, const zif_handler *function)
{
	xhprof_heap_handlers kept;
	bool taken = take_handlers_off(&kept);
	xhprof_wrapped_function_call(function, INTERNAL_FUNCTION_PARAM_PASSTHRU);
	if (taken) {
		put_handlers_back(&kept);
	}
}

static ZEND_NAMED_FUNCTION(wrapped_gc_mem_caches)
{
	call_without_handlers(INTERNAL_FUNCTION_PARAM_PASSTHRU, &previous_gc_mem_caches);
}

static ZEND_NAMED_FUNCTION(wrapped_ffi_free)
{
	call_without_handlers(INTERNAL_FUNCTION_PARAM_PASSTHRU, &previous_ffi_free);
}

static HashTable *ffi_functions(void)
{
	zend_class_entry *ffi = zend_hash_str_find_ptr(CG(class_table), ZEND_STRL("ffi"));
	return ffi && ffi->type == ZEND_INTERNAL_CLASS ? &ffi->function_table : NULL;
}

static bool wrapped; /* threads race for it atomically */

void xhprof_bare_heap_rinit(void)
{
	if (!__atomic_exchange_n(&wrapped, true, __ATOMIC_ACQ_REL)) {
		xhprof_wrapped_function_set(CG(function_table), "gc_mem_caches", wrapped_gc_mem_caches,
									&previous_gc_mem_caches);
		xhprof_wrapped_function_set(ffi_functions(), "free", wrapped_ffi_free, &previous_ffi_free);
	}
}

void xhprof_bare_heap_mshutdown(void)
{
	xhprof_wrapped_function_restore(CG(function_table), "gc_mem_caches", wrapped_gc_mem_caches, previous_gc_mem_caches);
	xhprof_wrapped_function_restore(ffi_functions(), "free", wrapped_ffi_free, previous_ffi_free);
	wrapped = false;
}
