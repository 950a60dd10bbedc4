/* The time at which a waiting thread wakes up. Another thread may change it without waking the waiting one.
 *
 * It is one of the kernel's timers, and only the thread that waits takes its signal, by waiting for it. That is signal
 * 32, with which C libraries make their own timers in this way: they refuse it to programs. Where the kernel refuses
 * that, the thread has to be woken to wait for less. */
#ifndef XHPROF_TRACE_ALARM_H
#define XHPROF_TRACE_ALARM_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#define XHPROF_ALARM_NEVER UINT64_MAX

/* Read and written under the owner's lock, except `woken`. */
typedef struct xhprof_alarm {
	bool opened;
	bool by_signal;
	int timer;             /* the kernel's number of the timer */
	uint32_t woken;        /* the thread's futex */
	uint64_t ns;           /* time of the next alarm, CLOCK_MONOTONIC */
	uint64_t sleeps_until; /* time of the next alarm as the thread knew it when it began to wait */
} xhprof_alarm;

/* Open and close the alarm, in the thread that will wait, which takes no signals. It is set to never. Call open
 * without the owner's lock: it tries the timer. */
xhprof_alarm xhprof_alarm_open(void);
void xhprof_alarm_close(xhprof_alarm *alarm);

/* Sets the alarm to `ns`, from any thread. It repeats every `every` ns; 0: it does not. Where the kernel cannot
 * repeat it the waiting thread sets each one, which does no harm elsewhere. A time in the past fires at once. Does
 * nothing before the alarm is open. */
void xhprof_alarm_set(xhprof_alarm *alarm, uint64_t ns, uint64_t every);

/* Waits for the alarm, and releases the lock meanwhile. May return early. */
void xhprof_alarm_wait(xhprof_alarm *alarm, pthread_mutex_t *lock);

#endif
