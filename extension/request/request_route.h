/* The route that this request is counted under: the name that the program gives it, a pattern of
 * xhprof.route_patterns, or the framework's route; else its URL, by the settings xhprof.route_*. Pages that were not
 * found are one route per method. */
#ifndef XHPROF_REQUEST_REQUEST_ROUTE_H
#define XHPROF_REQUEST_REQUEST_ROUTE_H

#include "php_xhprof.h"

void xhprof_request_route_minit(void);
void xhprof_request_route_mshutdown(void);

/* Forgets the names of the last request, when one begins. */
void xhprof_request_route_rinit(void);

/* Forgets the names, when a job with a name of its own begins. */
void xhprof_request_route_forget(void);

/* Keep the request's names aside while a job has one, and take them back after it. Each does nothing where that is
 * done already. */
void xhprof_request_route_set_aside(void);
void xhprof_request_route_take_back(void);

/* Sets the name for xhprof_set_route(); the last one counts. It is stored without secrets, and cut. */
void xhprof_request_route_set(const char *name, size_t length);

/* Returns the name of a profile that the program has made, or NULL: that of the worker's request or job in which it is
 * saved, else the one that was set. May be put at `to`. */
const char *xhprof_request_route_of_program(char to[XHPROF_ROUTE_MAX + 1]);

/* Puts the route of a profile that ends into XHPROF_G(request_info). `at_rest`: in a signal's handler, where the
 * program's objects are not read. */
void xhprof_request_route_end(bool at_rest);

/* Puts the route of this request, as far as it is known, at `to`, whether or not there is a profile. Reads nothing of
 * the program's. */
void xhprof_request_route_now(char to[XHPROF_ROUTE_MAX + 1]);

#endif
