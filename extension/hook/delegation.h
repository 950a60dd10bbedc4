/* Generators that delegate by "yield from": while what they delegate to runs, they are callers as PHP's backtrace shows them,
 * but nothing begins or ends them. */
#ifndef XHPROF_HOOK_DELEGATION_H
#define XHPROF_HOOK_DELEGATION_H

#include "php.h"

/* Whether this function of a class may be what a generator that delegates to an iterator calls. */
bool xhprof_delegation_may_call(const zend_function *function);

/* A frame that stands for such generators (with `builtins`: just outside of this call, without: outside of those internal
 * functions that have called it); NULL where there is none. */
const zend_execute_data *xhprof_delegation_of(const zend_execute_data *call, bool builtins);

/* Calls `visit` with the frame of each, from the outermost one to that which delegates to what runs. Of very many the
 * innermost are left out. */
void xhprof_delegation_each(const zend_execute_data *delegation,
							void (*visit)(void *context, const zend_execute_data *frame), void *context);

/* The same for a frame of the stack that only may stand for some: whether `wanted` is the frame of one of them. */
bool xhprof_delegation_has(const zend_execute_data *frame, const zend_execute_data *wanted);

/* Whether this frame is of a generator that delegates now. Its operation is the one after "yield from" then. */
bool xhprof_delegation_is_at(const zend_execute_data *frame);

#endif
