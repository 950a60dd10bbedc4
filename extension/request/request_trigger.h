/* XHPROF_TRIGGER: whether whoever sent this request, or started this process, asks for something. */
#ifndef XHPROF_REQUEST_TRIGGER_H
#define XHPROF_REQUEST_TRIGGER_H

#include "php_xhprof.h"

/* A GET, POST or cookie variable (TRACK_VARS_*) that is a string, or NULL. */
const zend_string *xhprof_request_variable(int track, const char *name);

/* The text of a variable of the server's or the process's environment, shortened to fit `to`; "" where it is not set. */
void xhprof_request_environment(const char *name, char *to, size_t size);

/* XHPROF_TRIGGER as a GET or POST variable or a cookie has the value of xhprof.trigger_value; when that is empty, nobody
 * from outside may ask. The time it takes does not depend on where they differ. */
bool xhprof_request_knows_secret(void);

/* That, or XHPROF_TRIGGER in the environment that is neither empty nor "0". */
bool xhprof_request_triggered(void);

#endif
