/* How many operations of each kind a sampled profile has: the observer asks for calls of their functions only, so that
 * others cost what they cost without it. No texts and no times. What is an operation of an exact profile is one here. */
#ifndef XHPROF_HOOK_OPERATION_COUNT_H
#define XHPROF_HOOK_OPERATION_COUNT_H

#include "php_xhprof.h"

/* From zero. The observer is armed by who starts it. */
void xhprof_operation_count_start(void);
void xhprof_operation_count_stop(void);

/* Nothing was counted, and nothing is. */
void xhprof_operation_count_forget(void);

bool xhprof_operation_counting(void);

/* The counts by kind, from the start until something else is started or forgotten; NULL if nothing was counted. */
const uint64_t *xhprof_operation_counts(void);

/* A call of such a function begins, or ends; nothing if nothing is counted. `return_value` may be NULL. */
void xhprof_operation_count_begin(const xhprof_operation_function *function, zend_execute_data *call);
void xhprof_operation_count_end(const xhprof_operation_function *function, const zval *return_value);

/* Work of the engine. */
void xhprof_operation_count_engine(xhprof_operation_kind kind);

#endif
