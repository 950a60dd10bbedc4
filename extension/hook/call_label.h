/* xhprof.label_calls: calls of some functions are named with what one of their arguments says, as hooks of WordPress and
 * events are: "apply_filters(the_content)". Calls of other functions cost nothing: a function's symbol says whether it is
 * one. A profile has at most 1000 labels; what comes after them, and texts that are too long, is "apply_filters(...)". */
#ifndef XHPROF_HOOK_CALL_LABEL_H
#define XHPROF_HOOK_CALL_LABEL_H

#include "php_xhprof.h"

/* NULL if a value of the setting is valid; or its first wrong word, of `*length` bytes. */
const char *xhprof_call_label_mistake(const char *value, size_t *length);

/* XHPROF_SYMBOL_EXAMINED and the argument's number, if calls of this function have labels, else 0. */
uint32_t xhprof_call_label_flags(const zend_function *function);

/* A call begins whose `symbol` is examined: the symbol of its label, or `symbol`. Moves the tracer's clock past its own
 * work. */
xhprof_symbol_ref xhprof_call_label_begin(xhprof_tracer *tracer, const zend_execute_data *call,
										  xhprof_symbol_ref symbol);

/* The same for a call on the stack, in samples: by what its argument is now. The stack has to be as debug_backtrace()
 * may find it: between instructions of the program, not within the allocator. */
xhprof_symbol_ref xhprof_call_label_sampled(xhprof_tracer *tracer, const zend_execute_data *call,
											xhprof_symbol_ref symbol);

/* Whether samples that begin now can have labels: something has, and no JIT runs, which leaves old values in frames. */
bool xhprof_call_label_can_sample(void);

/* Memory of labels stays for the next profile as far as `*budget` bytes go, and is taken off it. */
void xhprof_call_label_recycle(size_t *budget);

/* At the end of a thread, or of the process. */
void xhprof_call_label_gshutdown(zend_xhprof_globals *globals);

#endif
