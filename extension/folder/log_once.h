/* Lines in PHP's log when an automatic action fails: each of a few different ones once per process, and again after
 * a success in between. */
#ifndef XHPROF_FOLDER_LOG_ONCE_H
#define XHPROF_FOLDER_LOG_ONCE_H

#include "php_xhprof.h"

/* Kinds of lines. A successful run ends a failure, but not a condition; a notice is written every time. */
typedef enum xhprof_log_kind { XHPROF_LOG_FAILURE, XHPROF_LOG_CONDITION, XHPROF_LOG_NOTICE } xhprof_log_kind;

/* Writes "xhprof: " and the message. Neither throws nor bails out, and does not use the Zend heap unless the
 * server's own logging does. Not for a signal's handler. */
void xhprof_log(xhprof_log_kind kind, const char *format, ...) ZEND_ATTRIBUTE_FORMAT(printf, 2, 3);
#define xhprof_log_failure(...) xhprof_log(XHPROF_LOG_FAILURE, __VA_ARGS__)
#define xhprof_log_condition(...) xhprof_log(XHPROF_LOG_CONDITION, __VA_ARGS__)
#define xhprof_log_notice(...) xhprof_log(XHPROF_LOG_NOTICE, __VA_ARGS__)

/* Ends failures: the next one is written again. */
void xhprof_log_success(void);

#endif
