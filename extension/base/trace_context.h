/* The W3C trace context of a request: the ids of its distributed trace and of its parent span. Does not use PHP. */
#ifndef XHPROF_BASE_TRACE_CONTEXT_H
#define XHPROF_BASE_TRACE_CONTEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define XHPROF_TRACE_ID_LENGTH 32
#define XHPROF_SPAN_ID_LENGTH 16

/* The ids of a trace and of a span in it. All zero: none. */
typedef struct xhprof_trace_ids {
	uint8_t trace[XHPROF_TRACE_ID_LENGTH / 2], span[XHPROF_SPAN_ID_LENGTH / 2];
} xhprof_trace_ids;

/* Reads hexadecimal digits into `size` bytes. False, if these are not as many digits as that takes or all are 0. */
bool xhprof_trace_id_read(uint8_t *bytes, size_t size, const char *text, size_t length);

/* Writes `size` bytes as twice as many digits and a zero. */
void xhprof_trace_id_text(char *text, const uint8_t *bytes, size_t size);

/* Returns whether there are ids. */
bool xhprof_trace_ids_any(const xhprof_trace_ids *ids);

/* Reads the ids of a "traceparent" header, lower-case hexadecimal digits. False, with both "", if the header is invalid
 * or NULL. */
bool xhprof_trace_context(const char *traceparent, char trace_id[XHPROF_TRACE_ID_LENGTH + 1],
						  char span_id[XHPROF_SPAN_ID_LENGTH + 1]);

#endif
