/* How many operations of each kind a sampled profile has, or a request that a window counts: the observer asks for calls of their functions only, so that
 * others cost what they cost without it. No texts and no times. What is an operation of an exact profile is one here. */
#ifndef XHPROF_HOOK_OPERATION_COUNT_H
#define XHPROF_HOOK_OPERATION_COUNT_H

#include "php_xhprof.h"

/* From zero. The observer is armed by who starts it. */
void xhprof_operation_count_start(void);
void xhprof_operation_count_stop(void);

/* They are counted for longer than the profile that began with it, whatever is profiled meanwhile; or no longer. */
void xhprof_operation_count_keep(bool keep);
bool xhprof_operation_count_kept(void);

/* Nothing was counted, and nothing is. */
void xhprof_operation_count_forget(void);

/* Whether they are counted: by these functions, or in an exact profile, which records them itself. */
bool xhprof_operation_count_on(void);

/* Whether that is by these functions. */
bool xhprof_operation_counting(void);

/* Adds those that an exact profile has recorded, by kind. */
void xhprof_operation_count_recorded(const xhprof_tracer *tracer, uint64_t numbers[XHPROF_OPERATION_KINDS]);

/* Such a profile has ended, while they are counted. */
void xhprof_operation_count_take(const xhprof_tracer *tracer);

/* Numbers by kind since the start, less those `before`; until something else is started or forgotten. False if nothing was
 * counted. */
bool xhprof_operation_count_since(const uint64_t before[XHPROF_OPERATION_KINDS],
								  uint64_t numbers[XHPROF_OPERATION_KINDS]);

/* A call of such a function begins, or ends; nothing if nothing is counted. `return_value` may be NULL. */
void xhprof_operation_count_begin(const xhprof_operation_function *function, zend_execute_data *call);
void xhprof_operation_count_end(const xhprof_operation_function *function, const zval *return_value);

/* Work of the engine. */
void xhprof_operation_count_engine(xhprof_operation_kind kind);

#endif
