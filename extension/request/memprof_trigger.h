/* MEMPROF_PROFILE, which asks to track a request from its beginning. */
#ifndef XHPROF_REQUEST_MEMPROF_TRIGGER_H
#define XHPROF_REQUEST_MEMPROF_TRIGGER_H

#include "php_xhprof.h"

typedef struct xhprof_memprof_config {
	bool enabled, native, dump_on_limit;
} xhprof_memprof_config;

/* Returns what this request asks for. The environment is always accepted. A GET or POST variable counts only in a
 * request that carries XHPROF_TRIGGER, as a GET or POST variable or a cookie, with the value of xhprof.trigger_value;
 * never if that is empty. */
xhprof_memprof_config xhprof_memprof_requested(void);

#endif
