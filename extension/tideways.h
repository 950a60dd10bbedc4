/* Glue: the functions and constants of the extension tideways_xhprof, as a module of that name, unless it is loaded. */
#ifndef XHPROF_TIDEWAYS_H
#define XHPROF_TIDEWAYS_H

#include "php_xhprof.h"

void xhprof_tideways_minit(int type);

#endif
