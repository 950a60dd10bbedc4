/* The clock of the sampler: a thread that calls a function at every multiple of an interval of wall time; or by a thread's CPU time,
 * as often as that has intervals, where that thread is on a processor. No signals to the program: one would break into its system
 * calls and could reach its handlers. The thread stays when it is stopped, and waits to be started again. */
#ifndef XHPROF_TRACE_SAMPLE_TIMER_H
#define XHPROF_TRACE_SAMPLE_TIMER_H

#include "on_cpu.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <time.h>

/* All zero to begin with. Everything is read and written under `lock`, but by the owner while it is stopped. */
typedef struct xhprof_sample_timer {
	clockid_t clock;   /* CLOCK_MONOTONIC, or the CPU clock of the thread that starts it */
	uint64_t start_ns; /* of that clock at interval 0 */
	uint64_t interval_ns;
	/* Runs in the timer's thread; must be short and must not block. `count`: by CPU time, for so many intervals; else 1. */
	void (*tick)(void *context, uint64_t count);
	void *context;
	uint64_t counted; /* by CPU time: intervals that ticks have counted since the start */

	bool alive;   /* there is a thread */
	bool running; /* it ticks */
	bool ends;
	uint32_t woken; /* what the thread waits on */
	pthread_t thread;
	pthread_mutex_t lock;
	pid_t process; /* that has the thread */
	pid_t watched; /* the thread that has started it */
	pid_t own;     /* the thread's own number; 0 before it has one */
	bool opened;   /* `on_cpu` is */
	xhprof_on_cpu on_cpu;
	uint64_t sleeps_until; /* CLOCK_MONOTONIC */
	uint64_t next_ns;      /* the same: the next look */
	uint64_t turn_ns;      /* the same: by CPU time, where the interval of that look begins */
	uint64_t lost_ns;      /* intervals whose looks have not come, since the last look */
	uint64_t missed_ns;    /* CPU time of such intervals that is not yet counted */
	uint64_t random;
} xhprof_sample_timer;

/* Starts the ticks, from the thread whose CPU clock it is; the first five fields are set. 0, or an errno. */
int xhprof_sample_timer_start(xhprof_sample_timer *timer);

/* After this no tick runs. Waits for no more than one that has begun. By CPU time: for how many intervals the thread came too late;
 * their looks count as met, as the program runs now, as far as it has used CPU time. */
uint64_t xhprof_sample_timer_stop(xhprof_sample_timer *timer);

/* By CPU time, between start and stop or after: what has been used by `now_ns` and not been counted, in ns; below 0: more has been counted. */
int64_t xhprof_sample_timer_uncounted(const xhprof_sample_timer *timer, uint64_t now_ns);

/* Stops, and ends the thread. It may be started again. */
void xhprof_sample_timer_end(xhprof_sample_timer *timer);

/* After the end, until the kernel has no such thread any more: some system calls ask for that, and a thread that has been joined is on
 * its way out. For 100 ms at most. */
void xhprof_sample_timer_wait_gone(const xhprof_sample_timer *timer);

/* In a forked child, where the thread is not: it is stopped. It may then be started again. */
void xhprof_sample_timer_forget(xhprof_sample_timer *timer);

#endif
