/* Makes the route of a request from its URL: the name that xhprof.route_patterns gives, or the URL's path with the
 * parameters that xhprof.route_parameters names. */
#ifndef XHPROF_REQUEST_URL_ROUTE_H
#define XHPROF_REQUEST_URL_ROUTE_H

#include "php_xhprof.h"

#include "base/route.h"

/* Default of xhprof.route_parameters: the parameters by which MediaWiki, WordPress with its admin-ajax.php, and phpMyAdmin
 * choose what to run. MediaWiki's `title` is left out: it names a page, not a part of the program. */
#define XHPROF_ROUTE_PARAMETERS "action,route,rest_route,page,p*,page_id*"

/* Returns whether xhprof.route_patterns has patterns. They are matched with the whole URL. */
bool xhprof_url_route_has_patterns(void);

/* Writes the route to `to`. `host`: "" if routes have no host. `url`: without secrets. `query`: the URL that has the
 * parameters, or its part from "?" on; its secrets are not shown. A parameter that the URL lacks is taken from the
 * fields of a posted form. Returns true if a pattern has named the route. */
bool xhprof_url_route(char to[XHPROF_ROUTE_MAX + 1], const char *method, const char *host, const char *url,
					  const char *query);

/* Writes a route to `to` that a program or its operator has named: without secrets, and cut to the size of `to`. */
void xhprof_url_route_given(char to[XHPROF_ROUTE_MAX + 1], const char *name, size_t length);

#endif
