/* One line in PHP's log when an automatic action fails: each of a few different ones once per process, and again after
 * a success in between. */
#ifndef XHPROF_REQUEST_LOG_ONCE_H
#define XHPROF_REQUEST_LOG_ONCE_H

#include "php_xhprof.h"

/* "xhprof: " and the message. Neither throws nor bails out, and does not use the Zend heap unless the server's own
 * logging does. Not for a signal's handler. */
void xhprof_log_failure(const char *format, ...) ZEND_ATTRIBUTE_FORMAT(printf, 1, 2);
void xhprof_log_success(void);

/* The same for conditions that a successful run does not end. */
void xhprof_log_condition(const char *format, ...) ZEND_ATTRIBUTE_FORMAT(printf, 1, 2);

/* The same for messages that are never suppressed: every time. */
void xhprof_log_notice(const char *format, ...) ZEND_ATTRIBUTE_FORMAT(printf, 1, 2);

#endif
