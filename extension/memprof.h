/* Glue: the functions and settings of the extension memprof, unless that is loaded itself. */
#ifndef XHPROF_MEMPROF_H
#define XHPROF_MEMPROF_H

#include "php_xhprof.h"

#include "request/memprof_trigger.h"

void xhprof_memprof_minit(int type, int module_number);
void xhprof_memprof_mshutdown(int type);

/* What MEMPROF_PROFILE requests; and begins to track. What the settings profile comes in between, so that a window has
 * counted the request before. */
xhprof_memprof_config xhprof_memprof_rinit(void);
void xhprof_memprof_start(const xhprof_memprof_config *config);

#endif
