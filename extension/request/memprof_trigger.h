/* MEMPROF_PROFILE: whether this request is to be tracked from its beginning. */
#ifndef XHPROF_REQUEST_MEMPROF_TRIGGER_H
#define XHPROF_REQUEST_MEMPROF_TRIGGER_H

#include "php_xhprof.h"

typedef struct xhprof_memprof_wish {
	bool enabled, native, dump_on_limit;
} xhprof_memprof_wish;

/* The environment may always ask. A GET or POST variable counts only in a request that carries XHPROF_TRIGGER, as a GET
 * or POST variable or a cookie, with the value of xhprof.trigger_value; when that is empty, nobody from outside may. */
xhprof_memprof_wish xhprof_memprof_wished(void);

#endif
