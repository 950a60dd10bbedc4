/* Internal functions that call something of ours: their handler is replaced, in all threads. */
#ifndef XHPROF_HOOK_WRAPPED_FUNCTION_H
#define XHPROF_HOOK_WRAPPED_FUNCTION_H

#include "php.h"

/* `functions`: of PHP or of a class; or NULL. Does nothing where there is no such function. `*previous` is the handler
 * that `wrapper` calls, by xhprof_wrapped_function_call(). */
void xhprof_wrapped_function_set(HashTable *functions, const char *name, zif_handler wrapper, zif_handler *previous);

/* Puts the handler back, unless another one has come since. */
void xhprof_wrapped_function_restore(HashTable *functions, const char *name, zif_handler wrapper, zif_handler previous);

static inline void xhprof_wrapped_function_call(const zif_handler *previous, INTERNAL_FUNCTION_PARAMETERS)
{
	__atomic_thread_fence(__ATOMIC_ACQUIRE); /* the thread that set our wrapper set `previous` before */
	(*previous)(INTERNAL_FUNCTION_PARAM_PASSTHRU);
}

#endif
