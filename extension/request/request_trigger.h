/* XHPROF_TRIGGER: whether the sender of this request, or the starter of this process, requests a profile. */
#ifndef XHPROF_REQUEST_TRIGGER_H
#define XHPROF_REQUEST_TRIGGER_H

#include "php_xhprof.h"

/* Whether there are any of these: TRACK_VARS_*. */
bool xhprof_request_has_variables(int track);

/* A GET, POST or cookie variable (TRACK_VARS_*) that is a string, or NULL. */
const zend_string *xhprof_request_variable(int track, const char *name);

/* The text of a variable of the request, where the server can be queried for one, shortened to fit `to`; "" if it is not set. */
void xhprof_request_server_variable(const char *name, char *to, size_t size);

/* The text of a variable of the server's or the process's environment, shortened to fit `to`; "" if it is not set. */
void xhprof_request_environment(const char *name, char *to, size_t size);

/* XHPROF_TRIGGER as a GET or POST variable or a cookie has the value of xhprof.trigger_value; always false if that is
 * empty. The time it takes does not depend on where they differ. */
bool xhprof_request_knows_secret(void);

/* The above, or XHPROF_TRIGGER in the environment that is neither empty nor "0". */
bool xhprof_request_triggered(void);

#endif
