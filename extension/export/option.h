/* Options of the module's functions: an array of names and values. What is wrong with one is thrown, or warned of. */
#ifndef XHPROF_EXPORT_OPTION_H
#define XHPROF_EXPORT_OPTION_H

#include "php_xhprof.h"

typedef struct xhprof_option {
	const char *function; /* whose it is */
	const char *name;
	const zval *value;
} xhprof_option;

/* Calls `read` for each of `options` (NULL: none). False once it is, or when an error handler has thrown. */
bool xhprof_option_each(const char *function, HashTable *options, bool (*read)(void *to, const xhprof_option *option),
						void *to);

/* Each takes the value when it is one of these, and is false after an error otherwise. */
bool xhprof_option_bool(const xhprof_option *option, bool *flag);
bool xhprof_option_number(const xhprof_option *option, zend_long most, uint64_t *number); /* from 0 */
/* One of several words, NULL after the last: its place among them. */
bool xhprof_option_choice(const xhprof_option *option, const char *const *words, int *choice);

/* Warns that there is none of this name. */
void xhprof_option_unknown(const xhprof_option *option);

#endif
