/* Spans: one profile for each job of a worker. A span belongs to the fiber in which it began; one that begins there
 * while another is open lies within that. A fiber's work belongs to its span; until it has one, to that of the code
 * that made it, or else of the fiber that started it. A span left open, by an exception, ends when the next one begins
 * there at the same depth of calls or a lower one; an object's ends with the object. */
#ifndef XHPROF_REQUEST_SPAN_H
#define XHPROF_REQUEST_SPAN_H

#include "php_xhprof.h"

void xhprof_span_minit(void);
void xhprof_span_rshutdown(void);
void xhprof_span_gshutdown(zend_xhprof_globals *globals);

/* Begins a span. `function`: the name of the caller's PHP function, for warnings; NULL: it gets none. `meta`: an
 * array, or NULL.
 * `by_object`: an object ends the span. Returns its number, or 0 if no span has begun: profiling is off, or an
 * exception was thrown. `*profiled`: whether it has a profile; it has none if it lies within another one, was not
 * chosen, or failed with a warning. */
uint64_t xhprof_span_begin(const char *function, const zend_string *name, zval *meta, bool by_object, bool *profiled);

/* Ends a span wherever it began, and all spans within it. Returns the id of its run, or NULL if none was saved. Does
 * nothing if it has ended. */
const char *xhprof_span_end(uint64_t number);

/* The same. `ended_by`: how, if it did not come to its end; or NULL. */
const char *xhprof_span_end_by(uint64_t number, const char *ended_by);

/* Returns whether spans are profiled in this request, or are parts of a profile. */
bool xhprof_span_may_begin(void);

/* Returns whether a span is open in the fiber that runs, or carried into it, without those that functions have left
 * open. */
bool xhprof_span_is_open(void);

/* Carry a span into a callback that is not of its fiber's: between the two calls, the work of the running fiber belongs
 * to it. Leave ends the last enter of it in this fiber, and those after that. They do nothing where the span has ended,
 * or was not entered. */
void xhprof_span_enter(uint64_t number);
void xhprof_span_leave(uint64_t top);

/* Returns what xhprof_span_leave() takes: the number of the outermost span around it, or of itself. */
uint64_t xhprof_span_top(uint64_t number);

/* Ends the span of the last xhprof_begin_span() in this fiber, and returns the same. Warns if no span is open. */
const char *xhprof_span_end_last(void);

#endif
