/* What requests are counted under: "GET /users/{id}/orders". Parts of a path that name one thing out of many (numbers, UUIDs,
 * hashes, tokens, addresses) become {id}, so that a site has as many routes as it has kinds of pages. */
#ifndef XHPROF_REQUEST_ROUTE_H
#define XHPROF_REQUEST_ROUTE_H

#include <stddef.h>

#define XHPROF_ROUTE_MAX 200 /* bytes */

/* Puts the route of a request at `to` (XHPROF_ROUTE_MAX + 1 bytes, ended by '\0') and returns its length. `method` may be NULL.
 * `url`: a path, or with scheme and host, without its secrets (base/redact.h); what follows "?" or "#" does not count. */
size_t xhprof_route_of_url(char *to, const char *method, const char *url);

/* The same for a program of the command line: its file's name with the folder it is in. */
size_t xhprof_route_of_script(char *to, const char *path);

/* Any other name (that of a span), cut to fit between characters. */
size_t xhprof_route_of_name(char *to, const char *name, size_t length);

#endif
