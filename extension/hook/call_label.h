/* Labels of calls (xhprof.label_calls): calls of some functions are named with the value of an argument, such as hooks
 * of WordPress and events: "apply_filters(the_content)". Calls of other functions cost nothing, as a function's symbol
 * shows whether its calls have labels. A profile has at most 1000 labels; further ones, and texts that are too long,
 * are "apply_filters(...)". */
#ifndef XHPROF_HOOK_CALL_LABEL_H
#define XHPROF_HOOK_CALL_LABEL_H

#include "php_xhprof.h"

/* Returns NULL if a value of the setting is valid, or its first wrong word, of `*length` bytes. */
const char *xhprof_call_label_mistake(const char *value, size_t *length);

/* Returns XHPROF_SYMBOL_EXAMINED and the argument's number if calls of this function have labels, else 0. */
uint32_t xhprof_call_label_flags(const zend_function *function);

/* Returns the symbol of the label of a call that begins, or `symbol`, which is examined, if it has none. Moves the
 * tracer's clock past its own work. */
xhprof_symbol_ref xhprof_call_label_begin(xhprof_tracer *tracer, const zend_execute_data *call,
										  xhprof_symbol_ref symbol);

/* Returns the symbol of the label of a call on the stack, for samples, by the present value of its argument. The stack
 * must be in a state in which debug_backtrace() could be called: between instructions of the program, not within the
 * allocator. */
xhprof_symbol_ref xhprof_call_label_sampled(xhprof_tracer *tracer, const zend_execute_data *call,
											xhprof_symbol_ref symbol);

/* Returns whether samples that begin now can have labels: some functions have, and no JIT runs, which leaves old values
 * in frames. */
bool xhprof_call_label_can_sample(void);

/* Drops the labels. At most `*budget` bytes of their memory stay for the next profile, and are taken off the budget. */
void xhprof_call_label_recycle(size_t *budget);

/* Releases all memory, at the end of a thread or of the process. */
void xhprof_call_label_gshutdown(zend_xhprof_globals *globals);

#endif
