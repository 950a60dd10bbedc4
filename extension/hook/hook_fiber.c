#include "hook_fiber.h"

#include "php_xhprof.h"

#include "zend_fibers.h"

static void fiber_switch(zend_fiber_context *from, zend_fiber_context *to)
{
	if (XHPROF_G(tracer).running) {
		xhprof_tracer_switch_fiber(&XHPROF_G(tracer), from, to, to->status == ZEND_FIBER_STATUS_INIT);
	}
}

static void fiber_destroy(zend_fiber_context *context)
{
	if (XHPROF_G(tracer).running) {
		xhprof_tracer_end_fiber(&XHPROF_G(tracer), context);
	}
}

void xhprof_hook_fiber_minit(void)
{
	zend_observer_fiber_switch_register(fiber_switch);
	zend_observer_fiber_destroy_register(fiber_destroy);
}
