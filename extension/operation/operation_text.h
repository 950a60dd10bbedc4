/* Texts of operations other than SQL, without ids and secrets. Do not use PHP, and allocate nothing. Each puts at most
 * XHPROF_OPERATION_TEXT_MAX bytes and a '\0' at `to`, and returns the number of bytes. */
#ifndef XHPROF_OPERATION_TEXT_H
#define XHPROF_OPERATION_TEXT_H

#include "base/redact.h"

#include <stdbool.h>

#define XHPROF_OPERATION_TEXT_MAX 1024

/* Returns whether a path is a URL of HTTP. */
bool xhprof_operation_is_http(const char *url, size_t length);

/* Puts "api.example.com/users/{id}" of a URL with or without a scheme, which may be any bytes. */
size_t xhprof_operation_url(char *to, const char *url, size_t length, const xhprof_secret_rules *rules);

/* Puts the last two parts of a path, "cache/{id}.json"; of a URL other than HTTP also the scheme, and only that
 * where it holds data or other URLs. */
size_t xhprof_operation_path(char *to, const char *path, size_t length, const xhprof_secret_rules *rules);

/* Puts the key of a cache. */
size_t xhprof_operation_key(char *to, const char *key, size_t length, const xhprof_secret_rules *rules);

/* Puts the program that a command line starts, without its folder: "convert". */
size_t xhprof_operation_program(char *to, const char *command, size_t length);

#endif
