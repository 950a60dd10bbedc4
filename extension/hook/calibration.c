#include "calibration.h"

#include "hook_observer.h"

#define BATCHES 15
#define CALLS 64

typedef struct batch_costs {
	double callee_wall[BATCHES], callee_cpu[BATCHES], caller_wall[BATCHES], caller_cpu[BATCHES];
} batch_costs;

static int compare_doubles(const void *a, const void *b)
{
	double left = *(const double *)a, right = *(const double *)b;
	return (left > right) - (left < right);
}

/* ns per call: the batch in the middle, so that those that were interrupted do not count. */
static double typical(double *ticks, double ns_per_tick)
{
	qsort(ticks, BATCHES, sizeof(*ticks), compare_doubles);
	double ns = ticks[BATCHES / 2] / CALLS * ns_per_tick;
	return ns > 0 ? ns : 0;
}

/* Ticks that `CALLS` calls take while nothing is profiled. */
static double idle_batch(xhprof_tracer *tracer, xhprof_symbol_ref symbol, bool internal)
{
	uint64_t start = xhprof_clock_ticks(&tracer->clock);
	xhprof_hook_observer_probe(symbol, internal, false, CALLS);
	return (double)(xhprof_clock_ticks(&tracer->clock) - start);
}

/* One probe of `CALLS` calls under main(); what the tracer charges to both is the cost. */
static bool measure(xhprof_tracer *tracer, xhprof_symbol_ref symbol, bool internal, batch_costs *costs)
{
	const xhprof_node *caller = tracer->current;
	if (!xhprof_hook_observer_probe(symbol, internal, true, CALLS)) { /* makes the node, warms the caches */
		return false;
	}
	const xhprof_node *callee = caller->last_child;
	for (int i = 0; i < BATCHES; i++) {
		double idle = idle_batch(tracer, symbol, internal);
		xhprof_tracer_skip(tracer);
		xhprof_node callee_before = *callee, caller_before = *caller;
		xhprof_hook_observer_probe(symbol, internal, true, CALLS);
		xhprof_tracer_close_segment(tracer);
		costs->callee_wall[i] = (double)(callee->self_wall - callee_before.self_wall);
		costs->callee_cpu[i] = (double)(callee->self_cpu - callee_before.self_cpu);
		costs->caller_wall[i] = (double)(caller->self_wall - caller_before.self_wall) - idle;
		costs->caller_cpu[i] = (double)(caller->self_cpu - caller_before.self_cpu) - idle;
	}
	return true;
}

static void store(xhprof_call_cost *cost, batch_costs *costs, double ns_per_tick, bool with_cpu)
{
	cost->callee_wall = typical(costs->callee_wall, ns_per_tick);
	cost->caller_wall = typical(costs->caller_wall, ns_per_tick);
	if (with_cpu) {
		cost->callee_cpu = typical(costs->callee_cpu, ns_per_tick);
		cost->caller_cpu = typical(costs->caller_cpu, ns_per_tick);
	}
}

static void calibrate(const xhprof_tracer_options *options, xhprof_overhead *overhead)
{
	xhprof_tracer *tracer = &XHPROF_G(tracer);
	batch_costs user, internal;
	if (!xhprof_tracer_prepare(tracer, options)) {
		return;
	}
	xhprof_symbol_ref symbol = xhprof_symbols_intern(&tracer->symbols, "user", 4, 0, 0);
	xhprof_symbol_ref internal_symbol = xhprof_symbols_intern(&tracer->symbols, "internal", 8, 0, 0);
	if (!symbol || !internal_symbol) {
		return;
	}
	xhprof_tracer_start(tracer);
	bool measured = measure(tracer, symbol, false, &user) && measure(tracer, internal_symbol, true, &internal);
	xhprof_tracer_stop(tracer);
	if (measured) {
		double ns_per_tick = (double)tracer->clock.ns_per_tick / 4294967296.0;
		bool with_cpu = options->flags & XHPROF_TRACE_CPU;
		store(&overhead->user, &user, ns_per_tick, with_cpu);
		store(&overhead->internal, &internal, ns_per_tick, with_cpu);
		overhead->known = true;
	}
}

const xhprof_overhead *xhprof_calibration(const xhprof_tracer_options *options)
{
	_Static_assert(XHPROF_TRACE_CPU == 2 && XHPROF_TRACE_MEMORY == 4, "two bits, from the second on");
	unsigned which = (options->flags & (XHPROF_TRACE_CPU | XHPROF_TRACE_MEMORY)) >> 1;
	xhprof_overhead *overhead = &XHPROF_G(calibration).overhead[which];
	if (!XHPROF_G(calibration).tried[which]) {
		XHPROF_G(calibration).tried[which] = true;
		calibrate(options, overhead);
	}
	return overhead;
}
