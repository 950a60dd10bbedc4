/* The runtimes of workers that are known: which functions of theirs begin and end a request or job. They are known by the
 * names of classes and functions, so no package is needed. docs/production.md, "Workers", has a row for each. */
#ifndef XHPROF_REQUEST_WORKER_RUNTIME_H
#define XHPROF_REQUEST_WORKER_RUNTIME_H

#include "php_xhprof.h"

void xhprof_worker_runtime_minit(void);
void xhprof_worker_runtime_rinit(void);
void xhprof_worker_runtime_rshutdown(void);

#endif
