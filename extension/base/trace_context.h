/* W3C trace context: which request of a distributed trace this is. Does not use PHP. */
#ifndef XHPROF_BASE_TRACE_CONTEXT_H
#define XHPROF_BASE_TRACE_CONTEXT_H

#include <stdbool.h>

#define XHPROF_TRACE_ID_LENGTH 32
#define XHPROF_SPAN_ID_LENGTH 16

/* The ids of a header traceparent, in lower case hexadecimal digits. False, and both "", if it is not valid; NULL is
 * not. */
bool xhprof_trace_context(const char *traceparent, char trace_id[XHPROF_TRACE_ID_LENGTH + 1],
						  char span_id[XHPROF_SPAN_ID_LENGTH + 1]);

#endif
