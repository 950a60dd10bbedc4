/* The number of operations by kind, of a sampled profile or of a request that a window counts. The observer asks for
 * calls of their functions only, so other calls cost what they cost without it. Texts and times are not recorded. An
 * operation is the same as in an exact profile. */
#ifndef XHPROF_HOOK_OPERATION_COUNT_H
#define XHPROF_HOOK_OPERATION_COUNT_H

#include "php_xhprof.h"

/* Start counting at zero, and stop. The caller arms the observer. */
void xhprof_operation_count_start(void);
void xhprof_operation_count_stop(void);

/* Says whether counting goes on when the profile that started it ends, whatever is profiled meanwhile. */
void xhprof_operation_count_keep(bool keep);
bool xhprof_operation_count_kept(void);

/* Stops counting and discards the counts. */
void xhprof_operation_count_forget(void);

/* Returns whether operations are counted: by these functions, or in an exact profile, which records them itself. */
bool xhprof_operation_count_on(void);

/* Returns whether these functions count them. */
bool xhprof_operation_counting(void);

/* Adds the operations that an exact profile has recorded, by kind. */
void xhprof_operation_count_recorded(const xhprof_tracer *tracer, uint64_t numbers[XHPROF_OPERATION_KINDS]);

/* Adds the operations of an exact profile that has ended to the counts, if counting goes on. */
void xhprof_operation_count_take(const xhprof_tracer *tracer);

/* Gives the numbers by kind since the start, less those `before`, until counting starts anew or is forgotten. False
 * if nothing was counted. */
bool xhprof_operation_count_since(const uint64_t before[XHPROF_OPERATION_KINDS],
								  uint64_t numbers[XHPROF_OPERATION_KINDS]);

/* Count a call of an operation's function at its begin or its end, if counting is on. `return_value` may be NULL. */
void xhprof_operation_count_begin(const xhprof_operation_function *function, zend_execute_data *call);
void xhprof_operation_count_end(const xhprof_operation_function *function, const zval *return_value);

/* Counts work of the engine, such as compiling, if counting is on. */
void xhprof_operation_count_engine(xhprof_operation_kind kind);

#endif
