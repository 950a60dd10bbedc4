#include "span.h"

#include "auto_profile.h"

#include "hook/profile.h"

#include "ext/json/php_json.h"
#include "zend_smart_str.h"

/* As xhprof_save() does. False when something was thrown. */
static bool encode(smart_str *json, zval *meta)
{
	if (php_json_encode(json, meta,
						PHP_JSON_INVALID_UTF8_SUBSTITUTE | PHP_JSON_PARTIAL_OUTPUT_ON_ERROR |
							PHP_JSON_UNESCAPED_SLASHES | PHP_JSON_UNESCAPED_UNICODE) == SUCCESS &&
		!EG(exception)) {
		smart_str_0(json);
		return true;
	}
	smart_str_free(json);
	if (!EG(exception)) {
		zend_value_error("xhprof_begin_span(): Argument #2 ($meta) cannot be encoded as JSON");
	}
	return false;
}

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
	if (XHPROF_G(automatic).spans++) {
		return false;
	}
	XHPROF_G(automatic).span_profiled = false;
	xhprof_auto_end("span"); /* what came before the first one is a run of its own */
	if (is_refused() || !is_wanted(&start.sample_rate)) {
		return false;
	}
	if (meta && zend_hash_num_elements(Z_ARRVAL_P(meta))) {
		if (!encode(&json, meta)) {
			XHPROF_G(automatic).spans = 0;
			return false;
		}
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
