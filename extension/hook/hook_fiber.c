#include "hook_fiber.h"

#include "hook_observer.h"

static void fiber_switch(zend_fiber_context *from, zend_fiber_context *to)
{
	xhprof_tracer *tracer = &XHPROF_G(tracer);
	xhprof_hook_observer_fiber(to, xhprof_tracer_running(tracer) && xhprof_tracer_knows_fiber(tracer, to));
	if (xhprof_tracer_running(tracer)) {
		xhprof_tracer_switch_fiber(tracer, from, to, to->status == ZEND_FIBER_STATUS_INIT);
	}
}

static void fiber_destroy(zend_fiber_context *context)
{
	if (xhprof_tracer_running(&XHPROF_G(tracer))) {
		xhprof_tracer_end_fiber(&XHPROF_G(tracer), context);
	}
}

void xhprof_hook_fiber_minit(void)
{
	zend_observer_fiber_switch_register(fiber_switch);
	zend_observer_fiber_destroy_register(fiber_destroy);
}
