/* The route of a request: "GET /users/{id}/orders". Parts of a path that identify one thing out of many (numbers,
 * UUIDs, hashes, tokens, addresses) become {id}, so that a site has as many routes as kinds of pages. */
#ifndef XHPROF_BASE_ROUTE_H
#define XHPROF_BASE_ROUTE_H

#include "secret.h"

#include <stdbool.h>
#include <stddef.h>

#define XHPROF_ROUTE_MAX 200 /* bytes */

/* Puts the route of a request at `to` (XHPROF_ROUTE_MAX + 1 bytes, ended by '\0') and returns its length. `method` may
 * be NULL. `url`: a path, or with scheme and host, without its secrets (base/redact.h); "?" or "#" and the rest are
 * ignored. */
size_t xhprof_route_of_url(char *to, const char *method, const char *url);

/* Puts the route of a request with its host at `to`: "GET shop.example.org/users/{id}". `host` may be "": none. A host
 * with an invalid name becomes {host}. */
size_t xhprof_route_of_page(char *to, const char *method, const char *host, const char *url);

/* Puts a route with another name than its path at `to`: "GET user_show", "GET shop.example.org (404)". With method NULL
 * and host "" it is the name alone. Unprintable bytes become "?". */
size_t xhprof_route_of_label(char *to, const char *method, const char *host, const char *label, size_t length);

/* Returns whether a parameter's value, which may be percent-encoded, looks like a name that the program has given, such
 * as "edit". */
bool xhprof_route_names_page(const char *value, size_t length);

/* Adds a parameter to a route of `length` bytes, as "?name=value" or "&name=value", if there is room and the value
 * looks like a name that the program has given. `any`: other values are added as {id}. Values may be percent-encoded,
 * and contain no secrets. Returns the route's length. */
size_t xhprof_route_add_parameter(char *to, size_t length, const char *name, size_t name_length, const char *value,
								  size_t value_length, bool any);

/* Returns the place in a URL where its path begins. */
const char *xhprof_route_path(const char *url);

/* Finds the value of a parameter in a URL's query, still encoded; NULL without one. */
const char *xhprof_route_query_value(const char *url, const char *name, size_t name_length, size_t *length);

/* Puts the route of a command-line program at `to`: the names of its file and of the file's folder. */
size_t xhprof_route_of_script(char *to, const char *path);

/* Puts any other name, such as that of a span, at `to`, cut to fit between characters. */
size_t xhprof_route_of_name(char *to, const char *name, size_t length);

/* Puts the last two parts of a path of the file system at `to`; variable parts become {id} as in a URL. */
size_t xhprof_route_of_file(char *to, const char *path, size_t length);

/* Puts the key of a cache at `to`; variable parts become {id}: "user:{id}:name". Parts are between ":", "/", "|", "="
 * and spaces, and are divided further by ".", "-" and "_". A part after the name of a secret, as in "token:x", is
 * {id}. */
size_t xhprof_route_of_key(char *to, const char *key, size_t length, const xhprof_secret_rules *rules);

#endif
