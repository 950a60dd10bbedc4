#include "hook_fiber.h"

#include "code_context.h"
#include "hook_observer.h"
#include "wrapped_function.h"

#include "trace/fiber_calls.h"

static xhprof_fiber_watcher watcher; /* written in MINIT, as the next */
static zif_handler previous_construct;

static void fiber_made(zend_fiber_context *fiber)
{
	xhprof_code_context_inherit(fiber);
	watcher.made(fiber);
}

static void on_construct(zend_execute_data *execute_data, zval *return_value)
{
	zend_fiber_context *fiber = &((zend_fiber *)Z_OBJ_P(ZEND_THIS))->context;
	if (fiber->status == ZEND_FIBER_STATUS_INIT) {
		fiber_made(fiber);
	}
	xhprof_wrapped_function_call(&previous_construct, execute_data, return_value);
}

/* Returns whether code that runs in `from` starts or resumes it, and it does not go on because `from` suspends or
 * ends. */
static bool is_called(zend_fiber_context *from, zend_fiber_context *to)
{
	return to->status == ZEND_FIBER_STATUS_INIT ||
		   (to->kind == zend_ce_fiber && zend_fiber_from_context(to)->caller == from);
}

static void fiber_switch(zend_fiber_context *from, zend_fiber_context *to)
{
	xhprof_tracer *tracer = &XHPROF_G(tracer);
	if (to->status == ZEND_FIBER_STATUS_INIT &&
		to->kind != zend_ce_fiber) { /* another extension's has no constructor */
		fiber_made(to);
	}
	xhprof_hook_observer_fiber(to, xhprof_tracer_running(tracer) && xhprof_fiber_calls_known(tracer, to));
	if (!watcher.switched(from, to) && xhprof_tracer_running(tracer)) {
		xhprof_fiber_calls_switch(tracer, from, to, is_called(from, to));
	}
}

static void fiber_destroy(zend_fiber_context *context)
{
	xhprof_code_context_forget(context);
	watcher.destroyed(context);
	if (xhprof_tracer_running(&XHPROF_G(tracer))) {
		xhprof_fiber_calls_end(&XHPROF_G(tracer), context);
	}
}

void xhprof_hook_fiber_minit(const xhprof_fiber_watcher *watches)
{
	watcher = *watches;
	xhprof_wrapped_function_set(&zend_ce_fiber->function_table, "__construct", on_construct, &previous_construct);
	zend_observer_fiber_switch_register(fiber_switch);
	zend_observer_fiber_destroy_register(fiber_destroy);
}

void xhprof_hook_fiber_mshutdown(void)
{
	xhprof_wrapped_function_restore(&zend_ce_fiber->function_table, "__construct", on_construct, previous_construct);
}
