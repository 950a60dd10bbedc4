/* Glue: sessions that the program starts itself, with warnings that report a refusal. */
#ifndef XHPROF_PROGRAM_H
#define XHPROF_PROGRAM_H

#include "php_xhprof.h"

#include "hook/session.h"

/* For the function of that name; a session of the settings' ends there, and is saved. False if nothing was started:
 * after a warning, or silently within a profile of the program's own. */
bool xhprof_program_start(const char *function, const xhprof_session_request *request);

/* An exact profile, with the program's flags and options (may be NULL). Wrong options throw. */
void xhprof_program_start_profile(const char *function, zend_long flags, HashTable *options, xhprof_edge_shape shape);

/* Takes over the options of xhprof_sample_enable() (may be NULL). False after an exception. */
bool xhprof_program_sample_options(HashTable *given, xhprof_sampler_options *options);

/* A tracking of allocations alone. `at_limit`: see alloc_tracking.h. */
bool xhprof_program_start_memprof(const char *function, bool native, void (*at_limit)(void));

#endif
