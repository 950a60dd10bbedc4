/* The W3C trace context of a request: the ids of its distributed trace and of its parent span. Does not use PHP. */
#ifndef XHPROF_BASE_TRACE_CONTEXT_H
#define XHPROF_BASE_TRACE_CONTEXT_H

#include <stdbool.h>

#define XHPROF_TRACE_ID_LENGTH 32
#define XHPROF_SPAN_ID_LENGTH 16

/* Reads the ids of a "traceparent" header, lower-case hexadecimal digits. False, with both "", if the header is invalid
 * or NULL. */
bool xhprof_trace_context(const char *traceparent, char trace_id[XHPROF_TRACE_ID_LENGTH + 1],
						  char span_id[XHPROF_SPAN_ID_LENGTH + 1]);

#endif
