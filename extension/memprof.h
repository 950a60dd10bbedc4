/* Glue: the functions and settings of the extension memprof, unless that is loaded itself. */
#ifndef XHPROF_MEMPROF_H
#define XHPROF_MEMPROF_H

#include "php_xhprof.h"

void xhprof_memprof_minit(int type, int module_number);
void xhprof_memprof_mshutdown(int type);

/* Begins to track if MEMPROF_PROFILE requests it. */
void xhprof_memprof_rinit(void);

#endif
