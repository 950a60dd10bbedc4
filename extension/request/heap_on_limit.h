/* xhprof.heap_on_limit: a heap snapshot of a request that has reached memory_limit, taken within its fatal error. */
#ifndef XHPROF_REQUEST_HEAP_ON_LIMIT_H
#define XHPROF_REQUEST_HEAP_ON_LIMIT_H

#include "php_xhprof.h"

/* Returns whether the setting is valid: "", or an absolute path whose "%" are %p (process), %t (seconds since the
 * epoch), %u (a UUID) or %%. */
bool xhprof_heap_on_limit_valid(const char *pattern);

void xhprof_heap_on_limit_minit(void);
void xhprof_heap_on_limit_rinit(void);
void xhprof_heap_on_limit_rshutdown(void);
void xhprof_heap_on_limit_gshutdown(zend_xhprof_globals *globals);

#endif
