/* Sampling: which call path runs when an interval ends. A timer raises the engine's interrupt flag, and at the next place
 * where the engine looks at it the stack is read. Needs none of the observer's hooks and costs nothing between samples. */
#ifndef XHPROF_HOOK_SAMPLER_H
#define XHPROF_HOOK_SAMPLER_H

#include "php_xhprof.h"

/* Takes the engine's interrupt hook. At start-up only: compiled code may call what was there then. */
void xhprof_sampler_minit(void);
void xhprof_sampler_mshutdown(void);

/* False when the module came too late for the interrupt hook, by dl(). */
bool xhprof_sampler_ready(void);

static inline bool xhprof_sampler_running(void)
{
	return XHPROF_G(sampler).running != NULL;
}

/* Begins to sample into the tracer's call tree and sample log, which have been prepared. 0, or an errno when no thread
 * could be started. */
int xhprof_sampler_start(uint32_t interval_us);

/* Charges the intervals since the last sample to the path that runs, and ends the timer's thread. False when the samples
 * ended before, in a forked child that could start no thread. */
bool xhprof_sampler_stop(void);

#endif
