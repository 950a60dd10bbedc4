/* XHPROF_TRIGGER, by which the sender of a request, or the starter of a process, asks for a profile; and the
 * variables of requests. */
#ifndef XHPROF_REQUEST_TRIGGER_H
#define XHPROF_REQUEST_TRIGGER_H

#include "php_xhprof.h"

/* Returns whether the request has variables of this kind (TRACK_VARS_*). */
bool xhprof_request_has_variables(int track);

/* Returns a GET, POST or cookie variable (TRACK_VARS_*) that is a string, or NULL. */
const zend_string *xhprof_request_variable(int track, const char *name);

/* Puts a variable of the request at `to`, where the server can be asked for one, cut to fit; "" if it is not set. */
void xhprof_request_server_variable(const char *name, char *to, size_t size);

/* Puts a variable of the server's or the process's environment at `to`, cut to fit; "" if it is not set. */
void xhprof_request_environment(const char *name, char *to, size_t size);

/* Returns whether XHPROF_TRIGGER, as a GET or POST variable or a cookie, has the value of xhprof.trigger_value;
 * always false if that is empty. The time it takes does not depend on where they differ. */
bool xhprof_request_knows_secret(void);

/* Returns whether the request knows the secret, or the environment has an XHPROF_TRIGGER that is neither empty nor
 * "0". */
bool xhprof_request_triggered(void);

#endif
