/* Spans: one profile for each job of a worker. A span belongs to the fiber in which it began; one that begins there while another
 * is open belongs to that. What was left open, by an exception, ends when the next one begins there at the same depth of calls or a
 * lower one; an object's ends with the object. */
#ifndef XHPROF_REQUEST_SPAN_H
#define XHPROF_REQUEST_SPAN_H

#include "php_xhprof.h"

void xhprof_span_minit(void);
void xhprof_span_rshutdown(void);
void xhprof_span_gshutdown(zend_xhprof_globals *globals);

/* `function` is called by what the span is of; its name is for warnings. `meta`: an array, or NULL. `by_object`: an object ends it.
 * The span's number, or 0 where no span has begun: profiling is off, or something was thrown. `*profiled`: whether it has a profile;
 * not when it lies within another one, was not chosen, or cannot be, after a warning. */
uint64_t xhprof_span_begin(const char *function, const zend_string *name, zval *meta, bool by_object, bool *profiled);

/* Ends this one wherever it began, and all within it: the id of its run, or NULL when none was saved. Nothing where it has ended. */
const char *xhprof_span_end(uint64_t number);

/* The same for what xhprof_begin_span() has begun last in this fiber. Warns where no span is open. */
const char *xhprof_span_end_last(void);

#endif
