#include "trace_context.h"

#include <string.h>

/* Returns whether the text begins with `length` lower-case hexadecimal digits, followed by "-" or, if it `may_end`, the
 * end. */
static bool is_field(const char *text, size_t length, bool may_end)
{
	return strspn(text, "0123456789abcdef") == length && (text[length] == '-' || (may_end && !text[length]));
}

static bool is_zero(const char *text, size_t length)
{
	return strspn(text, "0") >= length;
}

bool xhprof_trace_context(const char *traceparent, char trace_id[XHPROF_TRACE_ID_LENGTH + 1],
						  char span_id[XHPROF_SPAN_ID_LENGTH + 1])
{
	*trace_id = *span_id = '\0';
	/* "00-<trace id>-<span id>-<flags>"; later versions may have more after it. */
	if (!traceparent || !is_field(traceparent, 2, false) || strncmp(traceparent, "ff", 2) == 0) {
		return false;
	}
	const char *trace = traceparent + 3;
	if (!is_field(trace, XHPROF_TRACE_ID_LENGTH, false)) {
		return false;
	}
	const char *span = trace + XHPROF_TRACE_ID_LENGTH + 1;
	if (!is_field(span, XHPROF_SPAN_ID_LENGTH, false)) {
		return false;
	}
	const char *flags = span + XHPROF_SPAN_ID_LENGTH + 1;
	bool first_version = strncmp(traceparent, "00", 2) == 0;
	if (!is_field(flags, 2, true) || (first_version && flags[2]) || is_zero(trace, XHPROF_TRACE_ID_LENGTH) ||
		is_zero(span, XHPROF_SPAN_ID_LENGTH)) {
		return false;
	}
	memcpy(trace_id, trace, XHPROF_TRACE_ID_LENGTH);
	memcpy(span_id, span, XHPROF_SPAN_ID_LENGTH);
	trace_id[XHPROF_TRACE_ID_LENGTH] = span_id[XHPROF_SPAN_ID_LENGTH] = '\0';
	return true;
}

static int digit_of(char digit)
{
	return digit >= '0' && digit <= '9'                 ? digit - '0'
		   : (digit | 32) >= 'a' && (digit | 32) <= 'f' ? (digit | 32) - 'a' + 10
														: -1;
}

bool xhprof_trace_id_read(uint8_t *bytes, size_t size, const char *text, size_t length)
{
	bool any = false;
	for (size_t i = 0; i < size && length == 2 * size; i++) {
		int high = digit_of(text[2 * i]), low = digit_of(text[2 * i + 1]);
		if (high < 0 || low < 0) {
			return false;
		}
		bytes[i] = (uint8_t)(high << 4 | low);
		any = any || bytes[i];
	}
	return any;
}

void xhprof_trace_id_text(char *text, const uint8_t *bytes, size_t size)
{
	static const char digits[] = "0123456789abcdef";
	for (size_t i = 0; i < size; i++) {
		*text++ = digits[bytes[i] >> 4];
		*text++ = digits[bytes[i] & 15];
	}
	*text = '\0';
}

bool xhprof_trace_ids_any(const xhprof_trace_ids *ids)
{
	static const xhprof_trace_ids none;
	return memcmp(ids, &none, sizeof(none)) != 0;
}
