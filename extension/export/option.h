/* Options of the module's functions: an array of names and values. Errors raise an exception or a warning. */
#ifndef XHPROF_EXPORT_OPTION_H
#define XHPROF_EXPORT_OPTION_H

#include "php_xhprof.h"

typedef struct xhprof_option {
	const char *function; /* the function with these options */
	const char *name;
	const zval *value;
} xhprof_option;

/* Calls `read` for each of `options` (NULL: none). False as soon as that is, or after an exception of an error
 * handler. */
bool xhprof_option_each(const char *function, HashTable *options, bool (*read)(void *to, const xhprof_option *option),
						void *to);

/* Each takes a value of its type; any other raises an error and gives false. */
bool xhprof_option_bool(const xhprof_option *option, bool *flag);
bool xhprof_option_number(const xhprof_option *option, zend_long min, zend_long max, uint64_t *number);
/* One of several words, NULL after the last: stores its index. */
bool xhprof_option_choice(const xhprof_option *option, const char *const *words, int *choice);

/* Raises that error: false. */
bool xhprof_option_wrong_type(const xhprof_option *option, const char *type);

/* Warns about an unknown name. */
void xhprof_option_unknown(const xhprof_option *option);

#endif
