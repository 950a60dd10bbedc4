/* xhprof_begin_span() and xhprof_end_span(): one profile for each job of a worker. */
#ifndef XHPROF_REQUEST_SPAN_H
#define XHPROF_REQUEST_SPAN_H

#include "php_xhprof.h"

/* `meta`: an array, or NULL. False when the span is not profiled: it lies within another one, was not chosen, or cannot be, after
 * a warning; or when something was thrown. */
bool xhprof_span_begin(const zend_string *name, zval *meta);

/* The id of the span's run, or NULL when none was saved. Warns where there is no span. */
const char *xhprof_span_end(void);

#endif
