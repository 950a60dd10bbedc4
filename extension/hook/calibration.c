#include "calibration.h"

#include "hook_observer.h"

/* Measures the shares of the cost: the tracer's charge to a callee that does nothing, and all its charges. The engine's
 * part runs without a program, so both are too large, but their ratio holds. */
static bool measure_share(xhprof_tracer *tracer, xhprof_symbol_ref symbol, bool internal, xhprof_call_cost *cost)
{
	const xhprof_node *caller = tracer->current;
	xhprof_cost_batches callees, callers;
	if (!xhprof_hook_observer_probe(symbol, internal, true,
									XHPROF_COST_CALLS)) { /* creates the node, warms the caches */
		return false;
	}
	const xhprof_node *callee = caller->last_child;
	if (callee == &xhprof_no_node) { /* no memory for it */
		return false;
	}
	for (int i = 0; i < XHPROF_COST_BATCHES; i++) {
		uint64_t start = xhprof_clock_ticks(&tracer->clock);
		xhprof_hook_observer_probe(symbol, internal, false, XHPROF_COST_CALLS);
		double idle = (double)(xhprof_clock_ticks(&tracer->clock) - start);
		xhprof_tracer_skip(tracer);
		xhprof_node callee_before = *callee, caller_before = *caller;
		xhprof_hook_observer_probe(symbol, internal, true, XHPROF_COST_CALLS);
		xhprof_tracer_close_segment(tracer);
		callees.wall[i] = (double)(callee->self_wall - callee_before.self_wall);
		callees.cpu[i] = (double)(callee->self_cpu - callee_before.self_cpu);
		callers.wall[i] = (double)(caller->self_wall - caller_before.self_wall);
		callers.cpu[i] = (double)(caller->self_cpu - caller_before.self_cpu);
		callers.idle[i] = idle;
	}
	xhprof_overhead_share(&callees, &callers, cost);
	return true;
}

/* Compiles a function that makes many calls; by the engine alone, without declaring it. False on failure. */
static bool code_compile(zval *closure, const char *text)
{
	zend_string *source = zend_string_init(text, strlen(text), false);
	uint32_t options = CG(compiler_options);
	CG(compiler_options) = ZEND_COMPILE_DEFAULT_FOR_EVAL;
	zend_op_array *compiled = compile_string(source, "xhprof calibration", ZEND_COMPILE_POSITION_AFTER_OPEN_TAG);
	CG(compiler_options) = options;
	zend_string_release(source);
	if (!compiled) {
		return false;
	}
	bool found = compiled->num_dynamic_func_defs == 1;
	if (found) {
		zend_create_closure(closure, (zend_function *)compiled->dynamic_func_defs[0], NULL, NULL, NULL);
	}
	destroy_op_array(compiled);
	efree_size(compiled, sizeof(*compiled));
	return found;
}

static void code_run(zval *closure)
{
	zval calls, result;
	ZVAL_LONG(&calls, XHPROF_COST_CALLS);
	ZVAL_UNDEF(&result);
	call_user_function(NULL, NULL, closure, &result, 1, &calls);
	zval_ptr_dtor(&result);
}

/* Gives the sums of all charges so far, in ticks. */
static void sum_charges(const xhprof_tracer *tracer, double *wall, double *cpu)
{
	*wall = *cpu = 0;
	for (const xhprof_node *node = tracer->tree.root; node; node = xhprof_calltree_next(node)) {
		*wall += (double)(int64_t)node->self_wall; /* a step back of the counter is negative */
		*cpu += (double)node->self_cpu;
	}
}

/* Measures the charges of the tracer for XHPROF_COST_CALLS calls in a running program, and the time that they take
 * unobserved. */
static void measure_total(xhprof_tracer *tracer, zval *idle, zval *observed, xhprof_cost_batches *costs)
{
	bool switching = !xhprof_hook_observer_refusal();
	for (int i = -2; i < XHPROF_COST_BATCHES && !EG(exception); i++) {
		if (switching) {
			xhprof_hook_observer_disarm();
		}
		xhprof_tracer_pause(tracer); /* its functions are called for the first time now: do not observe them */
		uint64_t start = xhprof_clock_ticks(&tracer->clock);
		code_run(idle);
		double ticks = (double)(xhprof_clock_ticks(&tracer->clock) - start);
		xhprof_tracer_resume(tracer);
		if (switching) {
			xhprof_hook_observer_arm();
		}
		xhprof_tracer_skip(tracer);
		double wall_before, cpu_before, wall, cpu;
		sum_charges(tracer, &wall_before, &cpu_before);
		code_run(observed);
		xhprof_tracer_close_segment(tracer);
		sum_charges(tracer, &wall, &cpu);
		if (i >= 0) {
			costs->wall[i] = wall - wall_before;
			costs->cpu[i] = cpu - cpu_before;
			costs->idle[i] = ticks;
		}
	}
}

/* Measures the cost in a running program. False, without changes, if that could not be run. */
static bool measure_program(xhprof_tracer *tracer, const char *text, xhprof_call_cost *cost)
{
	xhprof_cost_batches costs;
	zval idle, observed;
	if (!code_compile(&idle, text)) {
		return false;
	}
	bool measured = false;
	if (code_compile(&observed, text)) {
		measure_total(tracer, &idle, &observed, &costs);
		zval_ptr_dtor(&observed);
		measured = !EG(exception);
		if (measured) {
			xhprof_overhead_total(&costs, cost);
		}
	}
	zval_ptr_dtor(&idle);
	return measured;
}

static void to_ns(xhprof_call_cost *cost, double ns_per_tick, bool with_cpu)
{
	cost->callee_wall *= ns_per_tick;
	cost->caller_wall *= ns_per_tick;
	cost->callee_cpu *= with_cpu ? ns_per_tick : 0;
	cost->caller_cpu *= with_cpu ? ns_per_tick : 0;
}

static bool measure_all(xhprof_tracer *tracer, xhprof_overhead *overhead)
{
	xhprof_symbol_ref symbol = xhprof_symbols_intern(&tracer->symbols, "user", 4, 0, 0);
	xhprof_symbol_ref internal = xhprof_symbols_intern(&tracer->symbols, "internal", 8, 0, 0);
	if (!symbol || !internal || !measure_share(tracer, symbol, false, &overhead->user) ||
		!measure_share(tracer, internal, true, &overhead->internal)) {
		return false;
	}
	/* Other observers would observe this program; and disable_classes leaves a class without methods. */
	if (!xhprof_hook_observer_alone() || !zend_hash_num_elements(&zend_ce_closure->function_table)) {
		return true;
	}
	double user = overhead->user.callee_wall + overhead->user.caller_wall;
	/* A closure that binds nothing would be kept by the engine (8.6), and the program's objects numbered from there on. */
	if (!measure_program(tracer,
						 "return static function (int $n) {"
						 "	$f = static function () use ($n) {};"
						 "	for (; $n > 0; --$n) { $f(); }"
						 "};",
						 &overhead->user)) {
		return !EG(exception);
	}
	/* An internal function has one answer for all its callers: only where answers are switched can it be unobserved.
	 * Elsewhere its ratio is assumed to be the user functions'. This one cannot be disabled alone, and takes nothing
	 * from the program: an exception would hold a backtrace, however deep the stack. */
	if (xhprof_hook_observer_refusal() || !measure_program(tracer,
														   "return static function (int $n) {"
														   "	$f = static function () use ($n) {};"
														   "	for (; $n > 0; --$n) { \\Closure::fromCallable($f); }"
														   "};",
														   &overhead->internal)) {
		xhprof_overhead_scale(&overhead->internal,
							  user > 0 ? (overhead->user.callee_wall + overhead->user.caller_wall) / user : 1);
	}
	return !EG(exception);
}

/* Runs the calibration. False after a bailout. */
static bool run_calibration(const xhprof_tracer_options *options, xhprof_overhead *overhead)
{
	xhprof_tracer *tracer = &XHPROF_G(tracer);
	volatile bool bailed_out = false;
	bool switching = !xhprof_hook_observer_refusal();
	size_t peak = options->heap->peak;
	uint32_t compiler_options = CG(compiler_options);
	if (!xhprof_tracer_prepare(tracer, options)) {
		return true;
	}
	xhprof_tracer_start(tracer);
	if (switching) {
		xhprof_hook_observer_arm();
	}
	zend_try
	{
		overhead->known = measure_all(tracer, overhead);
	}
	zend_catch
	{
		bailed_out = true;
		CG(compiler_options) = compiler_options;
		xhprof_tracer_resume(tracer); /* a bailout may have left it paused */
	}
	zend_end_try();
	xhprof_tracer_stop(tracer);
	if (switching) {
		xhprof_hook_observer_disarm();
	}
	if (!options->refresh_heap) {
		options->heap->peak = MAX(peak, options->heap->size); /* the program did not cause this peak */
	}
	if (bailed_out) {
		overhead->known = false;
		return false;
	}
	double ns_per_tick = (double)tracer->clock.ns_per_tick / 4294967296.0;
	to_ns(&overhead->user, ns_per_tick, options->flags & XHPROF_TRACE_CPU);
	to_ns(&overhead->internal, ns_per_tick, options->flags & XHPROF_TRACE_CPU);
	xhprof_overhead_round(overhead);
	return true;
}

bool xhprof_calibration(const xhprof_tracer_options *options, const xhprof_overhead **result)
{
	_Static_assert(XHPROF_TRACE_CPU == 2 && XHPROF_TRACE_MEMORY == 4, "two bits, from the second on");
	unsigned which = (options->flags & (XHPROF_TRACE_CPU | XHPROF_TRACE_MEMORY)) >> 1 |
					 (options->flags & XHPROF_TRACE_TIMELINE ? 4 : 0);
	xhprof_overhead *overhead = &XHPROF_G(calibration).overhead[which];
	*result = overhead;
	if (!XHPROF_G(calibration).tried[which]) {
		XHPROF_G(calibration).tried[which] = true;
		xhprof_tracer_options with_builtins = *options;
		with_builtins.flags &= ~(XHPROF_TRACE_NO_BUILTINS | XHPROF_TRACE_ALLOC);
		return run_calibration(&with_builtins, overhead);
	}
	return true;
}
