/* The options of xhprof_enable(). */
#ifndef XHPROF_HOOK_PROFILE_OPTIONS_H
#define XHPROF_HOOK_PROFILE_OPTIONS_H

#include "php_xhprof.h"

/* Raises what is to be raised before anything is prepared: an error handler is the program's code. False after an exception.
 * `options` may be NULL, here and below. */
bool xhprof_profile_options_check(HashTable *options);

/* "native" and "run_init". */
bool xhprof_profile_option(HashTable *options, const char *name);

/* Functions that are ignored. False when there is no memory for their names, or they are no names any more. */
bool xhprof_profile_options_ignore(HashTable *options, xhprof_symbols *symbols);

#endif
