/* What this request is counted under: the name that the program gives it, a pattern of xhprof.route_patterns, or its
 * framework; or else its URL, by the settings xhprof.route_*. All else that is not found is one route of its method. */
#ifndef XHPROF_REQUEST_REQUEST_ROUTE_H
#define XHPROF_REQUEST_REQUEST_ROUTE_H

#include "php_xhprof.h"

void xhprof_request_route_minit(void);
void xhprof_request_route_mshutdown(void);

/* A request begins. */
void xhprof_request_route_rinit(void);

/* A job of its own name begins: no other name is known. */
void xhprof_request_route_forget(void);

/* What is known of the request's name is kept while a job has one, and known again after it. Each does nothing where it is so
 * already. */
void xhprof_request_route_set_aside(void);
void xhprof_request_route_take_back(void);

/* xhprof_set_route(): the last name counts. It is stored without secrets, and cut. */
void xhprof_request_route_set(const char *name, size_t length);

/* At the end of a profile: the route of its run, into XHPROF_G(request_info). `at_rest`: in a signal's handler, where
 * nothing of the program is looked at. */
void xhprof_request_route_end(bool at_rest);

#endif
