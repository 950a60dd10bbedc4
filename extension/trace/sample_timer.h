/* The clock of the sampler: a thread that calls a function at every multiple of an interval of wall time, or of a thread's
 * CPU time, then while that thread runs. No signals to the program: one would break into its system calls and could reach its
 * handlers. */
#ifndef XHPROF_TRACE_SAMPLE_TIMER_H
#define XHPROF_TRACE_SAMPLE_TIMER_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <time.h>

typedef struct xhprof_sample_timer {
	clockid_t clock;   /* CLOCK_MONOTONIC, or the CPU clock of a thread */
	uint64_t start_ns; /* of that clock at interval 0 */
	uint64_t interval_ns;
	uint64_t
		ended; /* by CPU clock: so many intervals have been looked at; those after it that have ended wait for a look */
	void (*tick)(void *context); /* runs in the timer's thread; must be short and must not block */
	void *context;

	bool running;  /* there is a thread to be ended */
	uint32_t stop; /* what the thread waits on: 1 when it is to end, 2 when nobody will wake it any more */
	pid_t watched; /* the thread that has started it, whose CPU clock it is */
	pid_t waiter;  /* by CPU clock: the timer's thread, once it can be woken */
	pthread_t thread;
} xhprof_sample_timer;

/* Starts the thread, from the one whose CPU clock it is; the first six fields are set, the others are not looked at. 0, or an errno. */
int xhprof_sample_timer_start(xhprof_sample_timer *timer);

/* Ends the thread without waiting for its interval: after this no tick runs. */
void xhprof_sample_timer_stop(xhprof_sample_timer *timer);

/* In a forked child, where the thread is not: there is nothing to be ended. It may then be started again. */
void xhprof_sample_timer_forget(xhprof_sample_timer *timer);

#endif
