#include "program.h"

#include "export/option.h"
#include "hook/native_alloc.h"
#include "hook/profile_options.h"
#include "request/auto_profile.h"

#include <errno.h>

/* Gives a warning that says why a profile was not started. `error`: errno of the start. */
static void warn_refusal(const char *function, const xhprof_session_request *request, xhprof_refusal refusal, int error)
{
	const char *text = xhprof_refusal_text(refusal);
	switch (refusal) {
		case XHPROF_STARTED:
			break;
		case XHPROF_REFUSED_BUSY:
			if (request->owner == XHPROF_BY_MEMPROF) {
				zend_error(E_WARNING, "%s(): Another profile is running", function);
			} else if (xhprof_session_is_owned_by(XHPROF_BY_MEMPROF)) {
				zend_error(E_WARNING, "%s(): Cannot profile while memprof_enable() tracks memory", function);
			}
			break; /* one of the program's own continues: calls of functions that profile themselves are nested */
		case XHPROF_REFUSED_OVER:
		case XHPROF_REFUSED_BY_ENGINE:
		case XHPROF_REFUSED_STACK:
			zend_error(E_WARNING, "%s(): %s", function, text);
			break;
		case XHPROF_REFUSED_HOOKS_OFF:
		case XHPROF_REFUSED_TOO_LATE:
			zend_error(E_WARNING, "%s", text);
			break;
		case XHPROF_REFUSED_NO_MEMORY:
			if (!EG(exception)) {
				zend_error(E_WARNING, "xhprof: %s", text);
			}
			break;
		case XHPROF_REFUSED_NO_THREAD:
			zend_error(E_WARNING, "%s(): %s: %s", function, text, strerror(error));
			break;
	}
}

bool xhprof_program_start(const char *function, const xhprof_session_request *request)
{
	xhprof_refusal refusal = xhprof_session_refusal(request);
	if (!refusal) {
		xhprof_auto_yield(function);
		refusal = xhprof_session_start(request);
	}
	warn_refusal(function, request, refusal, errno);
	return !refusal;
}

/* Returns whether a profile is refused, before any other warning, and warns of it. */
static bool is_refused_at_once(const char *function, const xhprof_session_request *request)
{
	xhprof_refusal refusal = xhprof_session_refusal(request);
	bool refused =
		refusal == XHPROF_REFUSED_OVER || (refusal == XHPROF_REFUSED_BUSY && request->owner != XHPROF_BY_MEMPROF);
	if (refused) {
		warn_refusal(function, request, refusal, 0);
	}
	return refused;
}

/* Warns if native memory is wanted and cannot be tracked. False when the warning's handler has thrown. */
static bool warn_without_native(const char *function, bool wanted)
{
	const char *refusal = wanted ? xhprof_native_refusal() : NULL;
	if (refusal) {
		zend_error(E_WARNING, "%s(): Native memory is not tracked: %s", function, refusal);
	}
	return !EG(exception);
}

static bool check_ignored(const xhprof_option *option)
{
	zval *name;
	if (Z_TYPE_P(option->value) != IS_ARRAY) {
		return Z_TYPE_P(option->value) == IS_STRING || xhprof_option_wrong_type(option, "array|string");
	}
	ZEND_HASH_FOREACH_VAL(Z_ARRVAL_P(option->value), name) {
		ZVAL_DEREF(name);
		if (Z_TYPE_P(name) != IS_STRING) {
			zend_type_error("%s(): Option \"%s\" must contain only strings, %s given", option->function, option->name,
							zend_zval_type_name(name));
			return false;
		}
	}
	ZEND_HASH_FOREACH_END();
	return true;
}

/* Checks an option before anything is prepared: an error handler is the program's code. */
static bool check_option(void *nothing, const xhprof_option *option)
{
	uint64_t number;
	bool flag;
	if (strcmp(option->name, "ignored_functions") == 0) {
		return check_ignored(option);
	}
	if (strcmp(option->name, "timeline_threshold") == 0) {
		return xhprof_option_number(option, 0, XHPROF_TIMELINE_THRESHOLD_MAX, &number);
	}
	if (strcmp(option->name, "run_init") == 0 || strcmp(option->name, "native") == 0) {
		return xhprof_option_bool(option, &flag);
	}
	xhprof_option_unknown(option);
	return true;
}

void xhprof_program_start_profile(const char *function, zend_long flags, HashTable *options, xhprof_edge_shape shape)
{
	zend_long unknown = flags & ~(zend_long)XHPROF_FLAGS_ALL;
	xhprof_session_request request = {
		.kind = XHPROF_TRACING,
		.owner = XHPROF_BY_PROGRAM,
		.native = flags & XHPROF_FLAGS_ALLOC && xhprof_profile_option(options, "native"),
		.flags = flags & XHPROF_FLAGS_ALL,
		.options = options,
		.edge_shape = shape,
	};
	if (is_refused_at_once(function, &request)) {
		return;
	}
	if (unknown) {
		zend_error(E_WARNING, "%s(): Unknown flags 0x" ZEND_XLONG_FMT " are ignored", function, unknown);
	}
	/* Warnings may run a handler that throws, or that starts a profile itself. */
	if (warn_without_native(function, request.native) && xhprof_option_each(function, options, check_option, NULL)) {
		xhprof_program_start(function, &request);
	}
}

static bool read_sample_option(void *to, const xhprof_option *option)
{
	static const char *const clocks[] = {"wall", "cpu", NULL};
	xhprof_sampler_options *options = to;
	uint64_t number = 0;
	int clock = options->clock == XHPROF_SAMPLE_CPU;
	bool read = true;
	if (strcmp(option->name, "interval") == 0) {
		read = xhprof_option_number(option, XHPROF_SAMPLE_LEAST_US, UINT32_MAX, &number);
		options->interval_us = (uint32_t)number;
	} else if (strcmp(option->name, "depth") == 0) {
		read = xhprof_option_number(option, 1, ZEND_LONG_MAX, &number);
		options->depth = (zend_long)number;
	} else if (strcmp(option->name, "clock") == 0) {
		read = xhprof_option_choice(option, clocks, &clock);
		options->clock = clock ? XHPROF_SAMPLE_CPU : XHPROF_SAMPLE_WALL;
	} else if (strcmp(option->name, "lines") == 0) {
		read = xhprof_option_bool(option, &options->lines);
	} else {
		xhprof_option_unknown(option);
	}
	return read;
}

bool xhprof_program_sample_options(HashTable *given, xhprof_sampler_options *options)
{
	return xhprof_option_each("xhprof_sample_enable", given, read_sample_option, options);
}

bool xhprof_program_start_memprof(const char *function, bool native, void (*at_limit)(void))
{
	xhprof_session_request request = {
		.kind = XHPROF_TRACKING, .owner = XHPROF_BY_MEMPROF, .native = native, .at_limit = at_limit};
	return !is_refused_at_once(function, &request) && warn_without_native(function, native) &&
		   xhprof_program_start(function, &request);
}
