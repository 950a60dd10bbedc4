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

/* Puts a route with the host that was asked at `to`, unless the host is "": "GET shop.example.org/users/{id}". A
 * text that is no host becomes {host}. */
size_t xhprof_route_of_page(char *to, const char *method, const char *host, const char *url);

/* A route by another name than its path: "GET user_show", "GET shop.example.org (404)". With method NULL and host "" the
 * name alone. Bytes that are not printed are "?". */
size_t xhprof_route_of_label(char *to, const char *method, const char *host, const char *label, size_t length);

/* Whether a parameter's value, which may be percent-encoded, looks like a name within the program. */
bool xhprof_route_names_page(const char *value, size_t length);

/* Adds a parameter to a route of `length` bytes, as "?name=value" or "&name=value", if there is room and the value looks
 * like a name within the program; `any`: other values count too, as {id}. Values may be percent-encoded, and are without
 * secrets. Returns the route's length. */
size_t xhprof_route_add_parameter(char *to, size_t length, const char *name, size_t name_length, const char *value,
								  size_t value_length, bool any);

/* The path of a URL, with what follows it. */
const char *xhprof_route_path(const char *url);

/* The value of a parameter in a URL's query, still encoded; NULL: it is not there. */
const char *xhprof_route_query_value(const char *url, const char *name, size_t name_length, size_t *length);

/* Puts the route of a program of the command line at `to`: the name of its file, with that of its folder. */
size_t xhprof_route_of_script(char *to, const char *path);

/* Any other name (that of a span), cut to fit between characters. */
size_t xhprof_route_of_name(char *to, const char *name, size_t length);

/* A path of the file system by its last two parts, cut and marked as the path of a URL. */
size_t xhprof_route_of_file(char *to, const char *path, size_t length);

/* The key of a cache, "user:{id}:name", cut and marked as the path of a URL. Its parts are between ":", "/", "|", "=" and
 * spaces; within them ".", "-" and "_" divide. A part after the name of a secret, as in "token:x", is {id}. */
size_t xhprof_route_of_key(char *to, const char *key, size_t length, const xhprof_secret_rules *rules);

#endif
