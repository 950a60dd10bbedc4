/* Reads the options of the module's functions: an array of names and values. Errors throw an exception or raise a
 * warning. */
#ifndef XHPROF_EXPORT_OPTION_H
#define XHPROF_EXPORT_OPTION_H

#include "php_xhprof.h"

typedef struct xhprof_option {
	const char *function; /* the PHP function that was called with the option */
	const char *name;
	const zval *value;
} xhprof_option;

/* Calls `read` for each of `options` (NULL: none). Stops and returns false as soon as `read` returns false, or after an
 * error handler of the program has thrown. */
bool xhprof_option_each(const char *function, HashTable *options, bool (*read)(void *to, const xhprof_option *option),
						void *to);

/* Store the value of an option of that type. Any other type raises an error, and false is returned. */
bool xhprof_option_bool(const xhprof_option *option, bool *flag);
bool xhprof_option_number(const xhprof_option *option, zend_long min, zend_long max, uint64_t *number);
/* Stores the index of the option's value in `words`, whose end is a NULL. */
bool xhprof_option_choice(const xhprof_option *option, const char *const *words, int *choice);

/* Raises the error for a value of a wrong type. Always returns false. */
bool xhprof_option_wrong_type(const xhprof_option *option, const char *type);

/* Warns about an unknown name. */
void xhprof_option_unknown(const xhprof_option *option);

#endif
