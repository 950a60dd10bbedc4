/* The route that a framework's router has found, read from its objects: nothing of the program is called. */
#ifndef XHPROF_REQUEST_FRAMEWORK_ROUTE_H
#define XHPROF_REQUEST_FRAMEWORK_ROUTE_H

#include "php_xhprof.h"

#include "base/route.h"

/* Puts the route's name at `to` and returns its length; 0: no known framework has found a route yet. Symfony, Drupal
 * and Laminas have names, Laravel and Slim patterns; WordPress ("wordpress:single") and MediaWiki ("mediawiki:edit")
 * have what they show. Called for a request, and not in a signal's handler. */
size_t xhprof_framework_route(char to[XHPROF_ROUTE_MAX + 1]);

/* The same of one object that belongs to one request: Symfony's request, a route of Laravel or Slim, a match of Laminas or
 * Mezzio. A worker has objects of several requests, also of those before. */
size_t xhprof_framework_route_chosen(const zend_object *object, char to[XHPROF_ROUTE_MAX + 1]);

#endif
