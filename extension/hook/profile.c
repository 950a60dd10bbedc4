#include "profile.h"

#include "alloc_tracking.h"
#include "calibration.h"
#include "heap_figures.h"
#include "hook_alloc.h"
#include "hook_compile.h"
#include "hook_observer.h"
#include "native_alloc.h"
#include "sampler.h"

#include "compat/jit.h"

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
		} else if (key && (zend_string_equals_literal(key, "run_init") || zend_string_equals_literal(key, "native"))) {
			if (Z_TYPE_P(value) != IS_TRUE && Z_TYPE_P(value) != IS_FALSE) {
				zend_type_error("xhprof_enable(): Option \"%s\" must be of type bool, %s given", ZSTR_VAL(key),
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

static bool option_is_true(HashTable *options, const char *name)
{
	zval *value = options ? zend_hash_str_find_deref(options, name, strlen(name)) : NULL;
	return value && Z_TYPE_P(value) == IS_TRUE;
}

/* Takes over options that have been checked. False when there is no memory for them. */
static bool apply_options(HashTable *options)
{
	zval *ignored =
		options ? zend_hash_str_find_deref(options, "ignored_functions", sizeof("ignored_functions") - 1) : NULL;
	XHPROF_G(profile).keep_run_init = option_is_true(options, "run_init");
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

static const char *without_hooks(bool switched_off)
{
	return switched_off ? "xhprof.hooks is off: only sampling is possible"
						: "xhprof was loaded by dl() and cannot profile: put \"extension=xhprof\" into php.ini";
}

static void warn_without_hooks(bool switched_off)
{
	zend_error(E_WARNING, "%s", without_hooks(switched_off));
}

static const char no_memory[] = "no memory to profile with";
static const char over[] =
	"The request is over"; /* streams, sessions and others run code of the program after our RSHUTDOWN */

static void warn_no_memory(void)
{
	if (!EG(exception)) {
		zend_error(E_WARNING, "xhprof: %s", no_memory);
	}
}

void xhprof_profile_forget(void)
{
	xhprof_alloc_tracking_release();
	xhprof_tracer_release(&XHPROF_G(tracer));
}

/* Readies the tracer; false, and it is empty, when there is no memory or something has been thrown. */
static bool profile_prepare(uint32_t flags, HashTable *checked_options, bool calibrate)
{
	xhprof_tracer_options options = {
		.flags = flags,
		.max_nodes = (uint32_t)XHPROF_G(ini).max_nodes,
		.block_unit = XHPROF_G(ini).alloc_sample_bytes ? XHPROF_SAMPLING_UNIT : 1,
		.clock = xhprof_clock_choose(XHPROF_G(ini).clock),
		.cpu = flags & XHPROF_TRACE_CPU ? xhprof_cpu_clock_choose(XHPROF_G(ini).cpu_clock) : XHPROF_CPU_SYSCALL,
		.heap = XHPROF_G(profile).heap,
	};
	if (!options.heap) {
		options.heap = &XHPROF_G(profile).heap_copy;
		options.refresh_heap = refresh_heap;
	}
	XHPROF_G(profile).overhead = calibrate ? xhprof_calibration(&options) : NULL; /* of what it adds to times */
	if (EG(exception)) { /* of a signal handler that ran meanwhile */
		xhprof_tracer_release(&XHPROF_G(tracer));
		return false;
	}
	if (xhprof_tracer_prepare(&XHPROF_G(tracer), &options) && apply_options(checked_options)) {
		return true;
	}
	xhprof_profile_forget();
	return false;
}

/* Starts what has been prepared. False when there is no memory for it; then nothing is left of it. */
static bool profile_run(const xhprof_alloc_tracking_options *tracking)
{
	xhprof_tracer *tracer = &XHPROF_G(tracer);
	if (tracking && !xhprof_alloc_tracking_start(tracking)) {
		xhprof_profile_forget();
		return false;
	}
	if (!tracking || !tracking->by_stack) {
		tracer->running = true; /* from here on new functions are observed */
		xhprof_hook_observer_arm();
		peak_begin();
		xhprof_tracer_start(tracer);
	}
	return true;
}

/* One at a time, exact or sampling. */
bool xhprof_profile_busy(void)
{
	return XHPROF_G(tracer).running || XHPROF_G(calibration).running || xhprof_sampler_running() ||
		   xhprof_alloc_tracking_running() || XHPROF_G(tracking).busy;
}

static void (*automatic_ends)(const char *function); /* or NULL; written in MINIT */

void xhprof_profile_minit(void (*ends)(const char *function))
{
	automatic_ends = ends;
}

/* For what the program starts: a profile that settings have started ends there. */
static bool program_must_wait(void)
{
	return xhprof_profile_busy() &&
		   (!XHPROF_G(profile).automatic || XHPROF_G(calibration).running || XHPROF_G(tracking).busy);
}

static void program_starts(const char *function)
{
	if (XHPROF_G(profile).automatic && automatic_ends) {
		automatic_ends(function);
	}
}

/* Within a tracking of memprof's no profile is started. */
static bool profile_refused(const char *function)
{
	if (XHPROF_G(profile).over) {
		zend_error(E_WARNING, "%s(): %s", function, over);
		return true;
	}
	if (XHPROF_G(tracking).memprof) {
		zend_error(E_WARNING, "%s(): memory is being tracked by memprof_enable(): nothing is profiled", function);
	}
	return program_must_wait();
}

static void warn_without_native(const char *function, bool wanted)
{
	const char *refusal = wanted ? xhprof_native_refusal() : NULL;
	if (refusal) {
		zend_error(E_WARNING, "%s(): Native memory is not tracked: %s", function, refusal);
	}
}

bool xhprof_profile_start(const char *caller, zend_long flags, HashTable *options)
{
	zend_long unknown = flags & ~(zend_long)XHPROF_FLAGS_ALL;
	if (profile_refused(caller)) {
		return false;
	}
	if (unknown) {
		zend_error(E_WARNING, "%s(): Unknown flags 0x" ZEND_XLONG_FMT " are ignored", caller, unknown);
	}
	bool native = flags & XHPROF_FLAGS_ALLOC && option_is_true(options, "native");
	warn_without_native(caller, native);
	/* What was raised may have run a handler that threw, or that started a profile itself. */
	if (EG(exception) || (options && !check_options(options)) || program_must_wait()) {
		return false;
	}
	flags &= XHPROF_FLAGS_ALL;
	if (!xhprof_hook_observer_ready()) {
		warn_without_hooks(XHPROF_G(ini).hooks == XHPROF_HOOKS_OFF);
		return false;
	}
	program_starts(caller);
	xhprof_alloc_tracking_options tracking = {.native = native};
	XHPROF_G(profile).user_flags = flags;
	XHPROF_G(profile).unwanted = NULL;
	if (!profile_prepare((uint32_t)flags, options, true) ||
		!profile_run(flags & XHPROF_FLAGS_ALLOC ? &tracking : NULL)) {
		warn_no_memory();
		return false;
	}
	return true;
}

const char *xhprof_profile_start_automatic(zend_long flags, HashTable *options)
{
	xhprof_alloc_tracking_options tracking = {.native =
												  flags & XHPROF_FLAGS_ALLOC && option_is_true(options, "native")};
	if (XHPROF_G(profile).over) {
		return over;
	}
	if (xhprof_profile_busy()) {
		return "another profile is running";
	}
	if (!xhprof_hook_observer_ready()) {
		return without_hooks(XHPROF_G(ini).hooks == XHPROF_HOOKS_OFF);
	}
	XHPROF_G(profile).user_flags = flags;
	if (!profile_prepare((uint32_t)flags, options, true) ||
		!profile_run(flags & XHPROF_FLAGS_ALLOC ? &tracking : NULL)) {
		return no_memory;
	}
	return NULL;
}

bool xhprof_profile_start_memprof(const char *caller, bool native, void (*at_limit)(void))
{
	if (XHPROF_G(profile).over) {
		zend_error(E_WARNING, "%s(): %s", caller, over);
		return false;
	}
	warn_without_native(caller, native);
	if (program_must_wait() || EG(exception)) {
		zend_error(E_WARNING, "%s(): Another profile is running", caller);
		return false;
	}
	xhprof_alloc_tracking_options tracking = {.native = native, .at_limit = at_limit};
	tracking.by_stack = XHPROF_G(ini).alloc_sample_bytes && !native;
	if (!xhprof_hook_alloc_ready() || (!tracking.by_stack && !xhprof_hook_observer_ready())) {
		warn_without_hooks(xhprof_hook_alloc_ready());
		return false;
	}
	uint32_t flags = XHPROF_TRACE_ALLOC | (tracking.by_stack ? 0 : XHPROF_TRACE_PATHS);
	program_starts(caller);
	XHPROF_G(tracking).memprof = profile_prepare(flags, NULL, false) && profile_run(&tracking);
	if (!XHPROF_G(tracking).memprof) {
		warn_no_memory();
	}
	return XHPROF_G(tracking).memprof;
}

bool xhprof_profile_stop_memprof(void)
{
	if (!XHPROF_G(tracking).memprof || XHPROF_G(tracking).busy) {
		return false;
	}
	XHPROF_G(tracking).memprof = false;
	xhprof_alloc_tracking_release();
	if (XHPROF_G(tracer).running) {
		xhprof_tracer_stop(&XHPROF_G(tracer));
		xhprof_hook_observer_disarm();
	}
	xhprof_tracer_release(&XHPROF_G(tracer));
	return true;
}

static void sampling_refused(const xhprof_sampler_options *options, const char *why)
{
	if (options->caller) {
		zend_error(E_WARNING, "%s(): %s", options->caller, why);
	}
}

bool xhprof_profile_start_sampling(const xhprof_sampler_options *options)
{
	if (options->caller ? profile_refused(options->caller) : XHPROF_G(profile).over || xhprof_profile_busy()) {
		return false;
	}
	if (!xhprof_sampler_ready()) {
		if (options->caller) {
			warn_without_hooks(false);
		}
		return false;
	}
	const char *refusal = xhprof_compat_interrupt_refusal();
	if (refusal) {
		sampling_refused(options, refusal);
		return false;
	}
	uint32_t flags = options->clock == XHPROF_SAMPLE_CPU ? XHPROF_TRACE_CPU : 0;
	if (options->caller) {
		program_starts(options->caller);
	}
	if (!profile_prepare(flags, NULL, false)) {
		if (options->caller) {
			warn_no_memory();
		}
		return false;
	}
	xhprof_hook_compile_install();
	int error = xhprof_sampler_start(options);
	if (error) { /* released before it is said: an error handler may start a profile itself */
		char why[128];
		snprintf(why, sizeof(why), "no thread to sample with: %s", strerror(error));
		xhprof_tracer_release(&XHPROF_G(tracer));
		sampling_refused(options, why);
	}
	return error == 0;
}

bool xhprof_profile_stop(void)
{
	if (!XHPROF_G(tracer).running || XHPROF_G(calibration).running || XHPROF_G(tracking).memprof ||
		XHPROF_G(tracking).busy || XHPROF_G(profile).automatic) {
		return false;
	}
	bool tracking = xhprof_alloc_tracking_running();
	xhprof_alloc_tracking_stop(); /* first: its charges go to the node that runs */
	xhprof_tracer_stop(&XHPROF_G(tracer));
	xhprof_hook_observer_disarm();
	peak_end();
	if (tracking) {
		xhprof_alloc_tracking_freeze();
	}
	return true;
}

bool xhprof_profile_stop_sampling(bool *to_the_end)
{
	bool running = xhprof_sampler_running() && !XHPROF_G(profile).automatic;
	*to_the_end = !running || xhprof_sampler_stop();
	return running;
}

const xhprof_tracer *xhprof_profile_last(void)
{
	const xhprof_tracer *tracer = &XHPROF_G(tracer);
	return tracer->stopped && !XHPROF_G(calibration).running && !XHPROF_G(tracking).memprof ? tracer : NULL;
}

void xhprof_profile_rinit(void)
{
	xhprof_tracer_release(&XHPROF_G(tracer)); /* a bailout may have left our RSHUTDOWN */
	xhprof_hook_alloc_rinit();
	XHPROF_G(profile).heap = xhprof_heap_figures_find();
	XHPROF_G(profile).over = false;
	XHPROF_G(profile).automatic = false;
	XHPROF_G(calibration).running = false; /* a fiber may have been left within it */
}

void xhprof_profile_rshutdown(void)
{
	XHPROF_G(tracking).busy = false; /* of a dump that was left by a bailout */
	XHPROF_G(profile).over = true;
	XHPROF_G(profile).automatic = false;
	xhprof_profile_stop();
	xhprof_profile_stop_memprof();
	xhprof_sampler_stop();
	xhprof_alloc_tracking_release();
	xhprof_tracer_release(&XHPROF_G(tracer));
}

void xhprof_profile_post_deactivate(void)
{
	/* Where a bailout has left our RSHUTDOWN. Functions and their run-time caches are gone: nothing is disarmed. */
	XHPROF_G(tracking).memprof = false;
	xhprof_sampler_drop();
	xhprof_alloc_tracking_release();
}

void xhprof_profile_mshutdown(void)
{
	/* As at the next request. What the CPU clock has shown the kernel must not outlive the module. */
	xhprof_tracer_release(&XHPROF_G(tracer));
}
