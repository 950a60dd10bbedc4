/* Calls of functions that are known by name: a handler runs at their begin, and one at their end, whatever is profiled. The
 * names are looked at when a function is called for the first time in a request; all others cost nothing after that. A call
 * that is open stays watched when a profile starts or stops within it. */
#ifndef XHPROF_HOOK_WATCHED_CALL_H
#define XHPROF_HOOK_WATCHED_CALL_H

#include "php_xhprof.h"

#include "zend_fibers.h"

typedef struct xhprof_watched_function {
	const char *class; /* in lower case: methods of it, of its children and implementations; NULL: a function */
	const char *name;  /* in lower case */
} xhprof_watched_function;

/* A call that is open. */
typedef struct xhprof_watched_call {
	zend_execute_data *frame;
	const zend_fiber_context *fiber;
	uint32_t function; /* its place in the list of names */
	uint64_t data;     /* the handlers' own; 0 at first */
} xhprof_watched_call;

/* `return_value`: NULL after an exception, and where the call did not come to its end. */
typedef void (*xhprof_watched_begin)(xhprof_watched_call *call);
typedef void (*xhprof_watched_end)(xhprof_watched_call *call, const zval *return_value);

/* Sets the names, of which the first that fits counts, and the handlers. In MINIT. */
void xhprof_watched_call_minit(const xhprof_watched_function *functions, uint32_t count, xhprof_watched_begin begin,
							   xhprof_watched_end end);

/* Begin and end a request. `on`: calls are watched in it. */
void xhprof_watched_call_rinit(bool on);
void xhprof_watched_call_rshutdown(void);
void xhprof_watched_call_gshutdown(zend_xhprof_globals *globals);

/* Returns whether calls of a function are watched. */
bool xhprof_watched_call_has(const zend_function *function);

/* Begin and end such a call. For hook_observer. */
void xhprof_watched_call_begin(zend_execute_data *frame);
void xhprof_watched_call_end(zend_execute_data *frame, const zval *return_value);

/* Returns whether a fiber has such calls open. Without XHPROF_G(watched).count no fiber has. */
bool xhprof_watched_call_open(const zend_fiber_context *fiber);

/* Calls `visit` with the frames of those of this fiber that are still on its stack, from the outermost one. The others have
 * been left in a way that the engine does not report, and are forgotten. */
void xhprof_watched_call_each(void (*visit)(zend_execute_data *frame));

#endif
