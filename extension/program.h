/* Glue: sessions that the program starts itself, with warnings that report a refusal. */
#ifndef XHPROF_PROGRAM_H
#define XHPROF_PROGRAM_H

#include "php_xhprof.h"

#include "hook/session.h"

/* Starts the session that `request` describes, on behalf of PHP's function `function`. A session that the settings have
 * started ends first, and is saved. Returns false if nothing was started: after a warning, or silently while a profile
 * runs that the program itself has started. */
bool xhprof_program_start(const char *function, const xhprof_session_request *request);

/* Starts an exact profile with the flags and options that the program gave (`options` may be NULL). Wrong options throw
 * an exception. */
void xhprof_program_start_profile(const char *function, zend_long flags, HashTable *options, xhprof_edge_shape shape);

/* Copies the options of xhprof_sample_enable() (`given` may be NULL) to `options`. Returns false after an exception. */
bool xhprof_program_sample_options(HashTable *given, xhprof_sampler_options *options);

/* Starts the tracking of allocations without a profile. `at_limit`: see alloc_tracking.h. */
bool xhprof_program_start_memprof(const char *function, bool native, void (*at_limit)(void));

#endif
