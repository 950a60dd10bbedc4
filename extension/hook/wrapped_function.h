/* Wrappers of internal functions: the handler of a function is replaced by one of the extension, in all threads. */
#ifndef XHPROF_HOOK_WRAPPED_FUNCTION_H
#define XHPROF_HOOK_WRAPPED_FUNCTION_H

#include "php.h"

/* Replaces a function's handler by `wrapper`. `functions`: those of PHP or of a class; or NULL. Does nothing if there
 * is no such function. `*previous` gets the old handler, which `wrapper` calls by xhprof_wrapped_function_call(). */
void xhprof_wrapped_function_set(HashTable *functions, const char *name, zif_handler wrapper, zif_handler *previous);

/* Restores the handler, unless another one has replaced it since. */
void xhprof_wrapped_function_restore(HashTable *functions, const char *name, zif_handler wrapper, zif_handler previous);

static inline void xhprof_wrapped_function_call(const zif_handler *previous, INTERNAL_FUNCTION_PARAMETERS)
{
	__atomic_thread_fence(__ATOMIC_ACQUIRE); /* the thread that set our wrapper set `previous` before */
	(*previous)(INTERNAL_FUNCTION_PARAM_PASSTHRU);
}

#endif
