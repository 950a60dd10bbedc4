/* The begin and end of operations: calls of PDO::query(), curl_exec(), fopen() ..., each with its text. Calls of other
 * functions cost nothing: a function's symbol shows whether its calls are operations. The frame of an operation has an
 * identity of its own, so that the observer's fast path does not take its end. */
#ifndef XHPROF_HOOK_OPERATION_H
#define XHPROF_HOOK_OPERATION_H

#include "php_xhprof.h"

/* Returns the operation that a function is, or NULL. Collections of garbage are no operations here: hook_gc.h
 * records them, with those that the engine starts. */
const xhprof_operation_function *xhprof_operation_of(const zend_function *function, const zend_class_entry *scope);

/* Returns XHPROF_SYMBOL_OPERATION and the operation's number if the profile records calls of this function, else 0. */
uint32_t xhprof_operation_flags(const xhprof_operation_function *operation);

/* Returns the identity of an operation's frame in the tracer, which is no frame's address: those are aligned. */
static inline const void *xhprof_operation_frame(const zend_execute_data *call)
{
	return (const char *)call + 1;
}

/* Begin and end the call of an operation's function. Both move the tracer's clock past their own work. */
void xhprof_operation_begin(xhprof_tracer *tracer, zend_execute_data *call, xhprof_symbol_ref symbol);
void xhprof_operation_end(xhprof_tracer *tracer, zend_execute_data *call, xhprof_open_operation *open,
						  const zval *return_value, xhprof_symbol_ref symbol);

/* Begin and end work of the engine with a fixed text, in the node that runs. `frame` is any address of its own. */
void xhprof_operation_begin_engine(xhprof_tracer *tracer, const void *frame, xhprof_operation_kind kind,
								   const char *text);
void xhprof_operation_end_engine(xhprof_tracer *tracer, const void *frame);

/* Gives back the memory that texts are made in. */
void xhprof_operation_rshutdown(void);

#endif
