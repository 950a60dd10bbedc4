/* The measurement of a profiled call's cost, which its callee and its caller bear (see trace/overhead.h), compared with
 * the same call without profiling. */
#ifndef XHPROF_HOOK_CALIBRATION_H
#define XHPROF_HOOK_CALIBRATION_H

#include "php_xhprof.h"

/* Gives the cost with these options: the least of those measured at the first three calls in this thread, which take
 * some 0.2 ms each, or 4 ms where CPU time is a system call. It uses the tracer, so call it only while that is stopped;
 * it drops the previous profile. `known` is false if the cost cannot be measured. False after a bailout, which the
 * caller passes on. */
bool xhprof_calibration(const xhprof_tracer_options *options, const xhprof_overhead **overhead);

#endif
