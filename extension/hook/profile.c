#include "profile.h"

#include "calibration.h"
#include "heap_figures.h"
#include "hook_observer.h"
#include "sampler.h"

static void refresh_heap(xhprof_heap_figures *heap)
{
	heap->size = zend_memory_usage(false);
	heap->peak = zend_memory_peak_usage(false);
}

/* A peak belongs to one profile: it starts at what is in use now, and the process's own is restored at the end. Only the
 * peak of used bytes; the peak of mapped bytes (memory_get_peak_usage(true)) is never touched. */
static void peak_begin(void)
{
	xhprof_heap_figures *heap = XHPROF_G(profile).heap;
	if (heap && XHPROF_G(tracer).flags & XHPROF_TRACE_MEMORY) {
		XHPROF_G(profile).peak_before = heap->peak;
		heap->peak = heap->size;
	}
}

static void peak_end(void)
{
	xhprof_heap_figures *heap = XHPROF_G(profile).heap;
	if (heap && XHPROF_G(tracer).flags & XHPROF_TRACE_MEMORY && heap->peak < XHPROF_G(profile).peak_before) {
		heap->peak = XHPROF_G(profile).peak_before;
	}
}

static bool check_ignored(zval *names)
{
	ZVAL_DEREF(names);
	if (Z_TYPE_P(names) == IS_STRING) {
		return true;
	}
	if (Z_TYPE_P(names) != IS_ARRAY) {
		zend_type_error("xhprof_enable(): Option \"ignored_functions\" must be of type array|string, %s given",
						zend_zval_type_name(names));
		return false;
	}
	zval *name;
	ZEND_HASH_FOREACH_VAL(Z_ARRVAL_P(names), name) {
		ZVAL_DEREF(name);
		if (Z_TYPE_P(name) != IS_STRING) {
			zend_type_error("xhprof_enable(): Option \"ignored_functions\" must contain only strings, %s given",
							zend_zval_type_name(name));
			return false;
		}
	}
	ZEND_HASH_FOREACH_END();
	return true;
}

/* Raises what is to be raised before anything is prepared: an error handler is the program's code. */
static bool check_options(HashTable *options)
{
	zend_string *key;
	zval *value;
	ZEND_HASH_FOREACH_STR_KEY_VAL(options, key, value) {
		ZVAL_DEREF(value);
		if (key && zend_string_equals_literal(key, "ignored_functions")) {
			if (!check_ignored(value)) {
				return false;
			}
		} else if (key && zend_string_equals_literal(key, "run_init")) {
			if (Z_TYPE_P(value) != IS_TRUE && Z_TYPE_P(value) != IS_FALSE) {
				zend_type_error("xhprof_enable(): Option \"run_init\" must be of type bool, %s given",
								zend_zval_type_name(value));
				return false;
			}
		} else {
			zend_error(E_WARNING, "xhprof_enable(): Unknown option \"%s\" is ignored",
					   key ? ZSTR_VAL(key) : "(numeric)");
			if (EG(exception)) {
				return false;
			}
		}
	}
	ZEND_HASH_FOREACH_END();
	return true;
}

static bool ignore_name(zval *name)
{
	ZVAL_DEREF(name);
	return Z_TYPE_P(name) != IS_STRING ||
		   xhprof_symbols_ignore(&XHPROF_G(tracer).symbols, Z_STRVAL_P(name), Z_STRLEN_P(name));
}

/* Takes over options that have been checked. False when there is no memory for them. */
static bool apply_options(HashTable *options)
{
	zval *ignored =
		options ? zend_hash_str_find_deref(options, "ignored_functions", sizeof("ignored_functions") - 1) : NULL;
	zval *run_init = options ? zend_hash_str_find_deref(options, "run_init", sizeof("run_init") - 1) : NULL;
	XHPROF_G(profile).keep_run_init = run_init && Z_TYPE_P(run_init) == IS_TRUE;
	if (ignored && Z_TYPE_P(ignored) == IS_ARRAY) {
		zval *name;
		ZEND_HASH_FOREACH_VAL(Z_ARRVAL_P(ignored), name) {
			if (!ignore_name(name)) {
				return false;
			}
		}
		ZEND_HASH_FOREACH_END();
		return true;
	}
	return !ignored || ignore_name(ignored);
}

static void warn_without_hooks(bool switched_off)
{
	zend_error(E_WARNING, switched_off
							  ? "xhprof.hooks is off: only sampling is possible"
							  : "xhprof was loaded by dl() and cannot profile: put \"extension=xhprof\" into php.ini");
}

/* Readies the tracer; says so and leaves it empty when there is no memory. */
static bool profile_prepare(uint32_t flags, HashTable *checked_options, bool calibrate)
{
	xhprof_tracer_options options = {
		.flags = flags,
		.max_nodes = (uint32_t)XHPROF_G(ini).max_nodes,
		.clock = xhprof_clock_choose(XHPROF_G(ini).clock),
		.cpu = flags & XHPROF_TRACE_CPU ? xhprof_cpu_clock_choose(XHPROF_G(ini).cpu_clock) : XHPROF_CPU_SYSCALL,
		.heap = XHPROF_G(profile).heap,
	};
	if (!options.heap) {
		options.heap = &XHPROF_G(profile).heap_copy;
		options.refresh_heap = refresh_heap;
	}
	XHPROF_G(profile).overhead = calibrate ? xhprof_calibration(&options) : NULL;
	if (EG(exception)) { /* of a signal handler that ran meanwhile */
		xhprof_tracer_release(&XHPROF_G(tracer));
		return false;
	}
	if (xhprof_tracer_prepare(&XHPROF_G(tracer), &options) && apply_options(checked_options)) {
		return true;
	}
	xhprof_tracer_release(&XHPROF_G(tracer));
	zend_error(E_WARNING, "xhprof: no memory to profile with");
	return false;
}

static void profile_run(void)
{
	xhprof_tracer *tracer = &XHPROF_G(tracer);
	tracer->running = true; /* from here on new functions are observed */
	xhprof_hook_observer_arm();
	peak_begin();
	xhprof_tracer_start(tracer);
}

/* One at a time, exact or sampling. */
static bool profile_busy(void)
{
	return XHPROF_G(tracer).running || XHPROF_G(calibration).running || xhprof_sampler_running();
}

void xhprof_profile_start(zend_long flags, HashTable *options)
{
	zend_long unknown = flags & ~(zend_long)XHPROF_FLAGS_ALL;
	if (profile_busy()) {
		return;
	}
	if (unknown) {
		zend_error(E_WARNING, "xhprof_enable(): Unknown flags 0x" ZEND_XLONG_FMT " are ignored", unknown);
	}
	/* What was raised may have run a handler that threw, or that started a profile itself. */
	if (EG(exception) || (options && !check_options(options)) || profile_busy()) {
		return;
	}
	flags &= XHPROF_FLAGS_ALL;
	if (!xhprof_hook_observer_ready()) {
		warn_without_hooks(XHPROF_G(ini).hooks == XHPROF_HOOKS_OFF);
		return;
	}
	if (profile_prepare((uint32_t)flags, options, true)) {
		XHPROF_G(profile).user_flags = flags;
		profile_run();
	}
}

void xhprof_profile_start_sampling(void)
{
	if (profile_busy()) {
		return;
	}
	if (XHPROF_G(sampler).refused) {
		zend_error(E_WARNING, "xhprof_sample_enable(): The request is over");
		return;
	}
	if (!xhprof_sampler_ready()) {
		warn_without_hooks(false);
		return;
	}
	uint32_t interval = (uint32_t)XHPROF_G(ini).sampling_interval;
	int error = profile_prepare(0, NULL, false) ? xhprof_sampler_start(interval) : 0;
	if (error) { /* released before it is said: an error handler may start a profile itself */
		xhprof_tracer_release(&XHPROF_G(tracer));
		zend_error(E_WARNING, "xhprof_sample_enable(): no thread to sample with: %s", strerror(error));
	}
}

bool xhprof_profile_stop(void)
{
	if (!XHPROF_G(tracer).running || XHPROF_G(calibration).running) {
		return false;
	}
	xhprof_tracer_stop(&XHPROF_G(tracer));
	xhprof_hook_observer_disarm();
	peak_end();
	return true;
}

bool xhprof_profile_stop_sampling(bool *to_the_end)
{
	bool running = xhprof_sampler_running();
	*to_the_end = xhprof_sampler_stop();
	return running;
}

const xhprof_tracer *xhprof_profile_last(void)
{
	const xhprof_tracer *tracer = &XHPROF_G(tracer);
	return tracer->stopped && !XHPROF_G(calibration).running ? tracer : NULL;
}

void xhprof_profile_rinit(void)
{
	xhprof_tracer_release(&XHPROF_G(tracer)); /* code that ran after our RSHUTDOWN may have started a profile */
	XHPROF_G(profile).heap = xhprof_heap_figures_find();
	XHPROF_G(sampler).refused = false;
	XHPROF_G(calibration).running = false; /* a fiber may have been left within it */
}

void xhprof_profile_rshutdown(void)
{
	xhprof_profile_stop();
	xhprof_sampler_stop();
	XHPROF_G(sampler).refused = true;
	xhprof_tracer_release(&XHPROF_G(tracer));
}

void xhprof_profile_mshutdown(void)
{
	/* As at the next request. What the CPU clock has shown the kernel must not outlive the module. */
	xhprof_tracer_release(&XHPROF_G(tracer));
}
