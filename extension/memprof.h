/* Glue: the functions and settings of the extension memprof, where that is not loaded itself. */
#ifndef XHPROF_MEMPROF_H
#define XHPROF_MEMPROF_H

#include "php_xhprof.h"

void xhprof_memprof_minit(int type, int module_number);
void xhprof_memprof_mshutdown(int type);

/* Begins to track where MEMPROF_PROFILE asks for it. */
void xhprof_memprof_rinit(void);

#endif
