#include "hook_gc.h"

#include "operation.h"
#include "operation_count.h"
#include "sampler.h"

#include "zend_gc.h"

/* The collector of before, or NULL; written in MINIT. */
static int (*collect_before)(void);

static int collect(void)
{
	xhprof_tracer *tracer = &XHPROF_G(tracer);
	char frame; /* its address is the identity */
	xhprof_operation_count_engine(XHPROF_OPERATION_GC);
	if (xhprof_sampler_running()) {
		xhprof_sampler_engine_begins();
		int collected = collect_before();
		xhprof_sampler_collected();
		return collected;
	}
	if (!xhprof_tracer_running(tracer)) {
		return collect_before();
	}
	uint64_t epoch = tracer->epoch, start = xhprof_tracer_time(tracer);
	xhprof_operation_begin_engine(tracer, &frame, XHPROF_OPERATION_GC, "collect garbage");
	int freed = collect_before(); /* destructors may end the profile, and start another one */
	xhprof_operation_end_engine(tracer, &frame);
	if (xhprof_tracer_in_timeline(tracer) && tracer->epoch == epoch) {
		xhprof_timeline_mark_at(&tracer->timeline, XHPROF_TIMELINE_GC, freed > 0 ? (uint32_t)freed : 0, start,
								xhprof_tracer_time(tracer));
	}
	return freed;
}

void xhprof_hook_gc_minit(void)
{
	collect_before = gc_collect_cycles;
	gc_collect_cycles = collect;
}

void xhprof_hook_gc_mshutdown(void)
{
	if (collect_before && gc_collect_cycles == collect) {
		gc_collect_cycles = collect_before;
		collect_before = NULL;
	}
}
