/* The options of xhprof_enable(), which have been checked. They may be NULL. */
#ifndef XHPROF_HOOK_PROFILE_OPTIONS_H
#define XHPROF_HOOK_PROFILE_OPTIONS_H

#include "php_xhprof.h"

/* "native" and "run_init". */
bool xhprof_profile_option(HashTable *options, const char *name);

/* "timeline_threshold"; `usual` where it is not given. */
zend_long xhprof_profile_option_threshold(HashTable *options, zend_long usual);

/* Most us of "timeline_threshold", and of its setting: an hour. */
#define XHPROF_TIMELINE_THRESHOLD_MAX 3600000000

/* Sets the ignored functions. False without memory for their names, or if they are no longer names. */
bool xhprof_profile_options_ignore(HashTable *options, xhprof_symbols *symbols);

#endif
