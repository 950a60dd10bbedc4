/* The options of xhprof_enable(), checked before; may be NULL. */
#ifndef XHPROF_HOOK_PROFILE_OPTIONS_H
#define XHPROF_HOOK_PROFILE_OPTIONS_H

#include "php_xhprof.h"

/* Returns the value of a flag: "native" or "run_init". */
bool xhprof_profile_option(HashTable *options, const char *name);

/* Returns "timeline_threshold" in us; `usual` if it is not given. */
zend_long xhprof_profile_option_threshold(HashTable *options, zend_long usual);

/* Largest "timeline_threshold", as an option and as a setting: an hour, in us. */
#define XHPROF_TIMELINE_THRESHOLD_MAX 3600000000

/* Sets the ignored functions. False without memory for their names, or if they are no longer names. */
bool xhprof_profile_options_ignore(HashTable *options, xhprof_symbols *symbols);

#endif
