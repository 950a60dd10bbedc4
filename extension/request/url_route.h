/* The route of a request by its URL: by xhprof.route_patterns, or its path with the parameters that
 * xhprof.route_parameters names. */
#ifndef XHPROF_REQUEST_URL_ROUTE_H
#define XHPROF_REQUEST_URL_ROUTE_H

#include "php_xhprof.h"

#include "base/route.h"

/* The default of xhprof.route_parameters: MediaWiki, WordPress and its admin-ajax.php, phpMyAdmin. A title is no name
 * within a program. */
#define XHPROF_ROUTE_PARAMETERS "action,route,rest_route,page,p*,page_id*"

/* Returns whether there are patterns, which see the whole URL. */
bool xhprof_url_route_has_patterns(void);

/* Puts the route at `to`. `host`: "" if it is not a part of routes. `url`: without secrets. `query`: the URL that
 * has the parameters, or the part of it from "?" on; its secrets are not shown. Values of a form count where the URL
 * lacks the parameter. True if a pattern has named the route. */
bool xhprof_url_route(char to[XHPROF_ROUTE_MAX + 1], const char *method, const char *host, const char *url,
					  const char *query);

/* Puts a name at `to` that a program or its operator gives, without secrets, and cut. */
void xhprof_url_route_given(char to[XHPROF_ROUTE_MAX + 1], const char *name, size_t length);

#endif
