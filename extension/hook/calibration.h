/* Measures what one profiled call costs its callee and its caller (see trace/overhead.h), against the same call while
 * nothing is profiled. */
#ifndef XHPROF_HOOK_CALIBRATION_H
#define XHPROF_HOOK_CALIBRATION_H

#include "php_xhprof.h"

/* The cost with these options, measured at the first use in this thread: some 0.1 ms, or 2 ms where CPU time is a system
 * call. Uses the tracer, so not while it runs, and forgets the profile before. Its `known` is false where there is no
 * way to measure it. False after a bailout, with which the caller goes on. */
bool xhprof_calibration(const xhprof_tracer_options *options, const xhprof_overhead **overhead);

#endif
