#include "span.h"

#include "auto_profile.h"

#include "export/run_save.h"
#include "hook/profile.h"

/* Whether the settings want a span that begins now. */
static bool is_wanted(double *rate)
{
	*rate = 0;
	switch (XHPROF_G(ini).start_with_request) {
		case XHPROF_START_TRIGGER:
			return XHPROF_G(automatic).triggered;
		case XHPROF_START_SAMPLED:
			if (XHPROF_G(automatic).triggered) {
				return true;
			}
			*rate = XHPROF_G(ini).sample_rate;
			return xhprof_auto_by_chance(*rate);
		default:
			return true;
	}
}

/* A profile of the program's own, or one that cannot be stopped now. True after a warning. */
static bool is_refused(void)
{
	bool busy = xhprof_profile_busy();
	if (busy) {
		zend_error(E_WARNING, "xhprof_begin_span(): A profile is running: the span is not profiled");
	}
	return busy || EG(exception);
}

bool xhprof_span_begin(const zend_string *name, zval *meta)
{
	xhprof_auto_start start = {.start = "span", .name = ZSTR_VAL(name), .name_length = ZSTR_LEN(name)};
	smart_str json = {0};
	if (XHPROF_G(profile).over) {
		zend_error(E_WARNING, "xhprof_begin_span(): The request is over");
		return false;
	}
	if (XHPROF_G(automatic).spans++) {
		return false;
	}
	XHPROF_G(automatic).span_profiled = false;
	xhprof_auto_end("span"); /* what came before the first one is a run of its own */
	if (is_refused() || !is_wanted(&start.sample_rate)) {
		return false;
	}
	if (!xhprof_run_encode_meta("xhprof_begin_span", meta, &json)) {
		XHPROF_G(automatic).spans = 0;
		return false;
	}
	if (json.s) {
		start.meta = ZSTR_VAL(json.s);
		start.meta_length = ZSTR_LEN(json.s);
	}
	if (!start.meta || !is_refused()) { /* by a jsonSerialize() */
		XHPROF_G(automatic).span_profiled = xhprof_auto_begin(&start);
	}
	smart_str_free(&json);
	return XHPROF_G(automatic).span_profiled;
}

const char *xhprof_span_end(void)
{
	if (!XHPROF_G(automatic).spans) {
		zend_error(E_WARNING, "xhprof_end_span(): No span has begun");
		return NULL;
	}
	if (--XHPROF_G(automatic).spans || !XHPROF_G(automatic).span_profiled) {
		return NULL;
	}
	XHPROF_G(automatic).span_profiled = false;
	xhprof_auto_end(NULL);
	return *XHPROF_G(automatic).saved ? XHPROF_G(automatic).saved
									  : NULL; /* or it was when the program started its own */
}
