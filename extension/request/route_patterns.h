/* Regular expressions of xhprof.route_patterns, which name the routes of URLs. PHP's PCRE compiles them once for
 * each value of the setting, with memory of their own: neither the program's heap nor its preg_last_error() changes. */
#ifndef XHPROF_REQUEST_ROUTE_PATTERNS_H
#define XHPROF_REQUEST_ROUTE_PATTERNS_H

#include "php_xhprof.h"

#include "base/route.h"

#define XHPROF_ROUTE_PATTERN_NAME (XHPROF_ROUTE_MAX + 2) /* room for one byte too many, which shows that it is cut */

/* Puts at `to` the name that the first matching pattern of `patterns` gives a path with its query, and returns its
 * length; 0: none matches. The name is as the pattern and the URL made it. */
size_t xhprof_route_patterns_name(char to[XHPROF_ROUTE_PATTERN_NAME], const char *patterns, const char *path);

/* Frees the patterns, at the end of a thread or of the process. */
void xhprof_route_patterns_gshutdown(zend_xhprof_globals *globals);

#endif
