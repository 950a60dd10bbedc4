/* One line in PHP's log when something that nobody called for cannot be done: each of a few different ones once per process, and
 * again after it has gone well in between. */
#ifndef XHPROF_REQUEST_REPORT_ONCE_H
#define XHPROF_REQUEST_REPORT_ONCE_H

#include "php_xhprof.h"

/* "xhprof: " and the message. Neither throws nor bails out, and takes none of the Zend heap unless the server's own way to
 * log does. Not for a signal's handler. */
void xhprof_report_failure(const char *format, ...) ZEND_ATTRIBUTE_FORMAT(printf, 1, 2);
void xhprof_report_success(void);

/* The same for what runs that go well do not end. */
void xhprof_report_condition(const char *format, ...) ZEND_ATTRIBUTE_FORMAT(printf, 1, 2);

/* The same for what is not to be kept quiet: every time. */
void xhprof_report_notice(const char *format, ...) ZEND_ATTRIBUTE_FORMAT(printf, 1, 2);

#endif
