/* One profile of a program, from its start to its stop: what xhprof_enable() and its siblings do. */
#ifndef XHPROF_HOOK_PROFILE_H
#define XHPROF_HOOK_PROFILE_H

#include "sampler.h"

#define XHPROF_FLAGS_NO_BUILTINS 1
#define XHPROF_FLAGS_CPU 2
#define XHPROF_FLAGS_MEMORY 4
#define XHPROF_FLAGS_ALLOC 8
#define XHPROF_FLAGS_ALL (XHPROF_FLAGS_NO_BUILTINS | XHPROF_FLAGS_CPU | XHPROF_FLAGS_MEMORY | XHPROF_FLAGS_ALLOC)

/* `ends`: called with the name of the function by which the program starts a profile while one runs that settings started. */
void xhprof_profile_minit(void (*ends)(const char *function));
void xhprof_profile_rinit(void);
void xhprof_profile_rshutdown(void);

/* Once more, when all other extensions are done with the request. */
void xhprof_profile_post_deactivate(void);
void xhprof_profile_mshutdown(void);

/* Whether any profile runs, or is being started, stopped or written. */
bool xhprof_profile_busy(void);

/* Start, for the function of that name; ignored while any profile runs. `options` may be NULL. Wrong options throw and
 * nothing starts: false. */
bool xhprof_profile_start(const char *caller, zend_long flags, HashTable *options);

/* False when nothing was started: refused, or after a warning. */
bool xhprof_profile_start_sampling(const xhprof_sampler_options *options);

/* The same for settings: nothing is said, and whatever runs stays. NULL, or why nothing was started. While
 * XHPROF_G(profile).automatic is true the program cannot stop it. */
const char *xhprof_profile_start_automatic(zend_long flags, HashTable *options);

/* A tracking of allocations alone, for `caller` (a function's name in warnings): exact ones need the tracer for their
 * paths, sampled ones read the stack. `at_limit`: see alloc_tracking.h. False, after a warning, when it cannot be. */
bool xhprof_profile_start_memprof(const char *caller, bool native, void (*at_limit)(void));

/* False when there is none, or a dump is being written. */
bool xhprof_profile_stop_memprof(void);

/* Stop the exact or the sampling profile; false when that one is not running. Not `to_the_end`: the samples ended before,
 * in a forked child that could start no thread. */
bool xhprof_profile_stop(void);
bool xhprof_profile_stop_sampling(bool *to_the_end);

/* The last stopped profile, exact or sampled (sample_interval_us is not 0), or NULL. */
const xhprof_tracer *xhprof_profile_last(void);

/* There is none from here on. */
void xhprof_profile_forget(void);

#endif
