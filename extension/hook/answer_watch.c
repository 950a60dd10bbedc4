#include "answer_watch.h"

#include "wrapped_function.h"

/* The handlers of functions that finish an answer. They are replaced, for samples do not show a call: most take no
 * time. */
static zif_handler previous[XHPROF_ANSWER_FUNCTIONS];

/* Notes the time when such a function has returned true: it returns false if the answer was finished before, or if the
 * server has no answer to finish. What begins later sees by the time that it was not its own. */
static void note_finished(const zval *return_value)
{
	if (Z_TYPE_P(return_value) == IS_TRUE) {
		XHPROF_G(answer).finished_ns = xhprof_clock_monotonic_ns();
	}
}

static ZEND_NAMED_FUNCTION(finish_fastcgi)
{
	xhprof_wrapped_function_call(&previous[0], INTERNAL_FUNCTION_PARAM_PASSTHRU);
	note_finished(return_value);
}

static ZEND_NAMED_FUNCTION(finish_litespeed)
{
	xhprof_wrapped_function_call(&previous[1], INTERNAL_FUNCTION_PARAM_PASSTHRU);
	note_finished(return_value);
}

static const zif_handler wrappers[XHPROF_ANSWER_FUNCTIONS] = {finish_fastcgi, finish_litespeed};

static bool wrapped; /* threads race for it atomically */

/* Replaces the handlers, whatever the settings are: pools of one server share the code that the JIT has compiled, with
 * addresses of handlers. */
void xhprof_answer_watch_rinit(void)
{
	XHPROF_G(answer).finished_ns = 0;
	if (!__atomic_exchange_n(&wrapped, true, __ATOMIC_ACQ_REL)) {
		for (size_t i = 0; i < XHPROF_ANSWER_FUNCTIONS; i++) {
			xhprof_wrapped_function_set(CG(function_table), xhprof_answer_functions[i], wrappers[i], &previous[i]);
		}
	}
}

void xhprof_answer_watch_mshutdown(void)
{
	if (__atomic_exchange_n(&wrapped, false, __ATOMIC_ACQ_REL)) {
		for (size_t i = 0; i < XHPROF_ANSWER_FUNCTIONS; i++) {
			xhprof_wrapped_function_restore(CG(function_table), xhprof_answer_functions[i], wrappers[i], previous[i]);
		}
	}
}

xhprof_answer_time xhprof_answer_watch_time(uint64_t started_ns)
{
	return xhprof_answer_time_of(started_ns, XHPROF_G(answer).finished_ns, xhprof_clock_monotonic_ns());
}
