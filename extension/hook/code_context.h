/* The trace context of the code that runs: the span of a distributed trace that it is of. A fiber has its own; until it
 * has set one, it has that of the code that made it. It is what xhprof_context() has set in the fiber, else OpenTelemetry's
 * active span there, else the inherited one. */
#ifndef XHPROF_HOOK_CODE_CONTEXT_H
#define XHPROF_HOOK_CODE_CONTEXT_H

#include "php_xhprof.h"

#include "zend_fibers.h"

void xhprof_code_context_rshutdown(void);
void xhprof_code_context_gshutdown(zend_xhprof_globals *globals);

/* Returns whether the running code has a context, and gives it. */
bool xhprof_code_context(xhprof_trace_ids *ids);

/* The same, of the outermost of the spans that are active. */
bool xhprof_code_context_outermost(xhprof_trace_ids *ids);

/* Sets the context of the code that runs in this fiber from here on; NULL: it has none, until one is attached. The
 * caller has taken the samples of the time before. False without memory. */
bool xhprof_code_context_set(const xhprof_trace_ids *ids);

/* Notes the ids of the request that begins, as its client has sent them, in text; "" for none. */
void xhprof_code_context_of_request(const char *trace_id, const char *span_id);

/* Gives a new fiber the context of the code that makes it; and forgets what a fiber has. */
void xhprof_code_context_inherit(const zend_fiber_context *fiber);
void xhprof_code_context_forget(const zend_fiber_context *fiber);

/* Forgets what was set in a fiber since the span of this number began, as that ends. */
void xhprof_code_context_span_ends(const zend_fiber_context *fiber, uint64_t number);

/* Returns the number of the running code's context in the profile's table, for a sample or an operation; 0: none. */
uint32_t xhprof_code_context_number(xhprof_tracer *tracer);

/* Gives the ids by which what a profile was taken of is found in its trace: those of its outermost span, or, of a
 * request, those that came with it. None, if neither is known. */
xhprof_trace_ids xhprof_code_context_outer(const xhprof_tracer *tracer, bool of_request);

#endif
