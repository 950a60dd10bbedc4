/* The options of the module's functions, an array of names and values. Errors raise an exception or a warning. */
#ifndef XHPROF_EXPORT_OPTION_H
#define XHPROF_EXPORT_OPTION_H

#include "php_xhprof.h"

typedef struct xhprof_option {
	const char *function; /* the function with these options */
	const char *name;
	const zval *value;
} xhprof_option;

/* Calls `read` for each of `options` (NULL: none). False as soon as `read` is, or after an exception in an error
 * handler. */
bool xhprof_option_each(const char *function, HashTable *options, bool (*read)(void *to, const xhprof_option *option),
						void *to);

/* Read an option of one type. A value of another type raises an error: false. */
bool xhprof_option_bool(const xhprof_option *option, bool *flag);
bool xhprof_option_number(const xhprof_option *option, zend_long min, zend_long max, uint64_t *number);
/* Reads one of several words, of which the last is followed by NULL, and stores its index. */
bool xhprof_option_choice(const xhprof_option *option, const char *const *words, int *choice);

/* Raises the error for a value of a wrong type, and returns false. */
bool xhprof_option_wrong_type(const xhprof_option *option, const char *type);

/* Warns about an unknown name. */
void xhprof_option_unknown(const xhprof_option *option);

#endif
