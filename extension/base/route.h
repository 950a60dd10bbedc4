/* The route of a request: "GET /users/{id}/orders". Parts of a path that identify one thing out of many (numbers,
 * UUIDs, hashes, tokens, addresses) become {id}, so that a site has as many routes as kinds of pages. */
#ifndef XHPROF_BASE_ROUTE_H
#define XHPROF_BASE_ROUTE_H

#include <stddef.h>

#define XHPROF_ROUTE_MAX 200 /* bytes */

/* Puts the route of a request at `to` (XHPROF_ROUTE_MAX + 1 bytes, ended by '\0') and returns its length. `method` may
 * be NULL. `url`: a path, or with scheme and host, without its secrets (base/redact.h); "?" or "#" and the rest are
 * ignored. */
size_t xhprof_route_of_url(char *to, const char *method, const char *url);

/* The same for a program of the command line: the name of its file with its folder's. */
size_t xhprof_route_of_script(char *to, const char *path);

/* Any other name (that of a span), cut to fit between characters. */
size_t xhprof_route_of_name(char *to, const char *name, size_t length);

/* A path of the file system by its last two parts, or the key of a cache, "user:{id}:name", whose parts are between
 * ":", "/", ".", "|" and "-" or "_": cut and marked as the path of a URL. */
size_t xhprof_route_of_file(char *to, const char *path, size_t length);
size_t xhprof_route_of_key(char *to, const char *key, size_t length);

#endif
