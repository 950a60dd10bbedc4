#include "profile.h"

#include "heap_figures.h"
#include "hook_observer.h"

#define SHORTEST_INTERVAL_US 100
#define LONGEST_INTERVAL_US 3600000000LL

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
	if (heap) {
		XHPROF_G(profile).peak_before = heap->peak;
		heap->peak = heap->size;
	}
}

static void peak_end(void)
{
	xhprof_heap_figures *heap = XHPROF_G(profile).heap;
	if (heap && heap->peak < XHPROF_G(profile).peak_before) {
		heap->peak = XHPROF_G(profile).peak_before;
	}
}

static bool ignore_name(zval *name)
{
	ZVAL_DEREF(name);
	if (Z_TYPE_P(name) != IS_STRING) {
		return false;
	}
	if (!xhprof_symbols_ignore(&XHPROF_G(tracer).symbols, Z_STRVAL_P(name), Z_STRLEN_P(name))) {
		zend_error(E_WARNING, "xhprof_enable(): no memory for ignored function \"%s\"", Z_STRVAL_P(name));
	}
	return true;
}

static bool ignore_names(zval *names)
{
	if (ignore_name(names)) {
		return true;
	}
	if (Z_TYPE_P(names) != IS_ARRAY) {
		zend_type_error("xhprof_enable(): Option \"ignored_functions\" must be of type array|string, %s given",
						zend_zval_type_name(names));
		return false;
	}
	zval *name;
	ZEND_HASH_FOREACH_VAL(Z_ARRVAL_P(names), name) {
		if (!ignore_name(name)) {
			zend_type_error("xhprof_enable(): Option \"ignored_functions\" must contain only strings, %s given",
							zend_zval_type_name(name));
			return false;
		}
	}
	ZEND_HASH_FOREACH_END();
	return true;
}

static bool read_options(HashTable *options)
{
	zend_string *key;
	zval *value;
	XHPROF_G(profile).keep_run_init = false;
	if (!options) {
		return true;
	}
	ZEND_HASH_FOREACH_STR_KEY_VAL(options, key, value) {
		ZVAL_DEREF(value);
		if (key && zend_string_equals_literal(key, "ignored_functions")) {
			if (!ignore_names(value)) {
				return false;
			}
		} else if (key && zend_string_equals_literal(key, "run_init")) {
			if (Z_TYPE_P(value) != IS_TRUE && Z_TYPE_P(value) != IS_FALSE) {
				zend_type_error("xhprof_enable(): Option \"run_init\" must be of type bool, %s given",
								zend_zval_type_name(value));
				return false;
			}
			XHPROF_G(profile).keep_run_init = Z_TYPE_P(value) == IS_TRUE;
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

static bool profile_prepare(uint32_t flags, uint32_t interval_us)
{
	xhprof_tracer_options options = {
		.flags = flags,
		.max_nodes = (uint32_t)XHPROF_G(ini).max_nodes,
		.clock = xhprof_clock_choose(XHPROF_G(ini).clock),
		.heap = XHPROF_G(profile).heap,
		.sample_interval_us = interval_us,
	};
	if (!options.heap) {
		options.heap = &XHPROF_G(profile).heap_copy;
		options.refresh_heap = refresh_heap;
	}
	if (!xhprof_tracer_prepare(&XHPROF_G(tracer), &options)) {
		xhprof_tracer_release(&XHPROF_G(tracer));
		zend_error(E_WARNING, "xhprof: no memory to profile with");
		return false;
	}
	return true;
}

static void profile_run(void)
{
	xhprof_tracer *tracer = &XHPROF_G(tracer);
	tracer->running = true; /* from here on new functions are observed */
	xhprof_hook_observer_arm();
	peak_begin();
	xhprof_tracer_start(tracer);
}

void xhprof_profile_start(zend_long flags, HashTable *options)
{
	if (XHPROF_G(tracer).running) {
		return;
	}
	if (flags & ~(zend_long)XHPROF_FLAGS_ALL) {
		zend_error(E_WARNING, "xhprof_enable(): Unknown flags 0x" ZEND_XLONG_FMT " are ignored",
				   flags & ~(zend_long)XHPROF_FLAGS_ALL);
		if (EG(exception)) {
			return;
		}
	}
	flags &= XHPROF_FLAGS_ALL;
	if (profile_prepare((uint32_t)flags, 0) && read_options(options) && !XHPROF_G(tracer).running) {
		XHPROF_G(profile).user_flags = flags;
		profile_run();
	}
}

void xhprof_profile_start_sampling(void)
{
	zend_long interval = XHPROF_G(ini).sampling_interval;
	if (XHPROF_G(tracer).running) {
		return;
	}
	interval = MAX(interval, SHORTEST_INTERVAL_US);
	interval = MIN(interval, LONGEST_INTERVAL_US);
	if (profile_prepare(XHPROF_TRACE_SAMPLES, (uint32_t)interval)) {
		profile_run();
	}
}

static bool profile_end(bool samples)
{
	xhprof_tracer *tracer = &XHPROF_G(tracer);
	if (!tracer->running || samples != ((tracer->flags & XHPROF_TRACE_SAMPLES) != 0)) {
		return false;
	}
	xhprof_tracer_stop(tracer);
	peak_end();
	return true;
}

bool xhprof_profile_stop(void)
{
	return profile_end(false);
}

bool xhprof_profile_stop_sampling(void)
{
	return profile_end(true);
}

const xhprof_tracer *xhprof_profile_last(void)
{
	const xhprof_tracer *tracer = &XHPROF_G(tracer);
	return tracer->stopped && !(tracer->flags & XHPROF_TRACE_SAMPLES) ? tracer : NULL;
}

void xhprof_profile_rinit(void)
{
	XHPROF_G(profile).heap = xhprof_heap_figures_find();
}

void xhprof_profile_rshutdown(void)
{
	if (!profile_end(false)) {
		profile_end(true);
	}
	xhprof_tracer_release(&XHPROF_G(tracer));
}
