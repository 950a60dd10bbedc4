#include "hook_gc.h"

#include "operation.h"

#include "zend_gc.h"

static int (*previous_collect)(void);

static int wrapped_collect(void)
{
	xhprof_tracer *tracer = &XHPROF_G(tracer);
	char frame;                              /* its address is the identity */
	__atomic_thread_fence(__ATOMIC_ACQUIRE); /* as in hook_compile.c */
	if (!xhprof_tracer_running(tracer)) {
		return previous_collect();
	}
	xhprof_operation_begin_engine(tracer, &frame, XHPROF_OPERATION_GC, "collect garbage");
	int collected = previous_collect();
	xhprof_operation_end_engine(tracer, &frame);
	return collected;
}

static bool installed; /* process-wide, as the pointer it guards; threads race for it atomically */

void xhprof_hook_gc_install(void)
{
	if (!__atomic_exchange_n(&installed, true, __ATOMIC_ACQ_REL)) {
		previous_collect = gc_collect_cycles;
		__atomic_store_n(&gc_collect_cycles, wrapped_collect, __ATOMIC_RELEASE);
	}
}

void xhprof_hook_gc_mshutdown(void)
{
	installed = false; /* an embedding program may start the engine again */
	if (gc_collect_cycles == wrapped_collect) {
		gc_collect_cycles = previous_collect;
	}
}
