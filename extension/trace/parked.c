#include "parked.h"

#include "fiber_calls.h"

void xhprof_parked_put(xhprof_parked *parked, xhprof_tracer *tracer)
{
#define PUT(type, name) parked->name = tracer->name;
	XHPROF_PARKED_MEMBERS(PUT)
#undef PUT
	parked->own_time = xhprof_tracer_last_time(tracer);
	parked->parked_at = tracer->last_ticks;
	parked->size = tracer->last_size;
	parked->peak = tracer->last_peak;
}

void xhprof_parked_take(xhprof_parked *parked, xhprof_tracer *tracer)
{
#define TAKE(type, name) tracer->name = parked->name;
	XHPROF_PARKED_MEMBERS(TAKE)
#undef TAKE
	tracer->skipped = tracer->last_ticks - parked->own_time;
	parked->away += tracer->last_ticks - parked->parked_at;
}

void xhprof_parked_drop(xhprof_tracer *tracer, size_t keep)
{
	xhprof_fiber_calls_drop(tracer);
	xhprof_tracer_drop_figures(tracer, &keep);
}

void xhprof_parked_release(xhprof_parked *parked)
{
	xhprof_tracer tracer = {.mode = XHPROF_MODE_OFF};
	xhprof_parked_take(parked, &tracer);
	xhprof_parked_drop(&tracer, 0);
}
