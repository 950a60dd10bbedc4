/* The route that a framework's router has found, by what it leaves behind in its objects: nothing of the program is
 * called. */
#ifndef XHPROF_REQUEST_FRAMEWORK_ROUTE_H
#define XHPROF_REQUEST_FRAMEWORK_ROUTE_H

#include "php_xhprof.h"

#include "base/route.h"

/* Puts its name at `to`; 0: no framework that is known has found a route, or it has not yet. Symfony's and Drupal's
 * names, Laravel's and Slim's patterns, Laminas' names, and what WordPress ("wordpress:single") and MediaWiki
 * ("mediawiki:edit") show. Of a request; not in a signal's handler. */
size_t xhprof_framework_route(char to[XHPROF_ROUTE_MAX + 1]);

#endif
