/* Generators that delegate by "yield from". While the inner generator or iterator runs, they are its callers, as in
 * PHP's backtrace, but the observer reports no begin and no end of them. */
#ifndef XHPROF_HOOK_DELEGATION_H
#define XHPROF_HOOK_DELEGATION_H

#include "php.h"

/* Returns whether a generator that delegates to an iterator may call this method. */
bool xhprof_delegation_may_call(const zend_function *function);

/* Finds the frame that stands for delegating generators which call `call`: with `builtins` directly, without it through
 * internal functions that have called it. NULL without one. */
const zend_execute_data *xhprof_delegation_of(const zend_execute_data *call, bool builtins);

/* Calls `visit` with the frame of each of these generators, from the outermost one to the one that delegates to the
 * running code. If there are very many, the innermost ones are left out. */
void xhprof_delegation_each(const zend_execute_data *delegation,
							void (*visit)(void *context, const zend_execute_data *frame), void *context);

/* Returns whether `wanted` is the frame of one of the generators that `frame` stands for. `frame` may be any frame of
 * the stack. */
bool xhprof_delegation_has(const zend_execute_data *frame, const zend_execute_data *wanted);

/* Returns whether this frame is of a generator that delegates now. Its opcode is then the one after "yield from". */
bool xhprof_delegation_is_at(const zend_execute_data *frame);

#endif
