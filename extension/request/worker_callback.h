/* Callbacks that a runtime calls for each request: a closure takes the place of the program's, begins the request, calls that
 * one, and ends the request when it has returned. So the end is seen in coroutines too, which the engine knows nothing of. */
#ifndef XHPROF_REQUEST_WORKER_CALLBACK_H
#define XHPROF_REQUEST_WORKER_CALLBACK_H

#include "php_xhprof.h"

void xhprof_worker_callback_minit(void);

/* Replaces the callback that a call is given, if that can call it without a class being loaded. `argument`: the number of the
 * callback's argument that is the request, from 1; 0: the request is the server's. */
void xhprof_worker_callback_wrap(zval *callback, zend_execute_data *call, uint32_t argument);

/* Replaces a callback that is called later, maybe in another fiber: it works for the span whose turn it is now, if there
 * is one and it is open then. */
void xhprof_worker_callback_carry(zval *callback, zend_execute_data *call);

/* Returns how a call ended that is over now: NULL if it has returned. */
const char *xhprof_worker_callback_ended_by(void);

#endif
