/* Starts what settings, a span or an order have asked for. Each returns NULL, or why it was not started. */
#ifndef XHPROF_REQUEST_PROFILE_START_H
#define XHPROF_REQUEST_PROFILE_START_H

#include "hook/sampler.h"

/* Starts an exact profile. `flags`: XHPROF_FLAGS_*. `options`: see profile_options.h; or NULL. */
const char *xhprof_profile_start_exact(zend_long flags, HashTable *options);

/* Starts a sampled one. `counts`: operations too. */
const char *xhprof_profile_start_sampling(const xhprof_sampler_options *options, bool counts);

/* Starts what this value of xhprof.mode asks for, for XHPROF_G(request_info). */
const char *xhprof_profile_start_mode(zend_long mode);

/* Returns whether such a profile has nothing to lose before its first sample, which comes before any server would end
 * the request. A span of a window has the samples before it. */
bool xhprof_profile_start_may_await_signals(zend_long mode, bool is_span);

#endif
