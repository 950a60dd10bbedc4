/* The active span of OpenTelemetry's PHP packages: read from their objects when it is asked for, so that attaching and
 * detaching a context costs nothing. No code of the program runs, and no package is needed. */
#ifndef XHPROF_HOOK_OTEL_CONTEXT_H
#define XHPROF_HOOK_OTEL_CONTEXT_H

#include "php_xhprof.h"

#include "base/trace_context.h"

/* Reads the ids of the active span of the code that runs; `outermost`: of the outermost active one around it. False, if
 * there is no such span. */
bool xhprof_otel_context(xhprof_trace_ids *ids, bool outermost);

#endif
