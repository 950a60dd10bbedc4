/* The clock of the sampler: a thread that calls a function at every multiple of an interval of wall time; or, by a
 * thread's CPU time, once for each of its intervals, if that thread is on a processor. No signals to the program: one
 * would break into its system calls and could reach its handlers. The thread stays when it is stopped, and waits for
 * the next start: neither that nor a stop wakes it. By wall time its alarm stays too, where starts follow each other within an
 * interval: then neither makes a system call. If no start follows, it wakes the thread once, which takes it back. */
#ifndef XHPROF_TRACE_SAMPLE_TIMER_H
#define XHPROF_TRACE_SAMPLE_TIMER_H

#include "alarm.h"
#include "on_cpu.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <time.h>

/* The file table of the timer's thread: the program's, until it is asked for one of its own. */
typedef enum xhprof_sample_files {
	XHPROF_SAMPLE_FILES_UNASKED,
	XHPROF_SAMPLE_FILES_SHARED,
	XHPROF_SAMPLE_FILES_OWN
} xhprof_sample_files;

/* Initially all zero. Everything is read and written under `lock`, except by the owner while it is stopped. */
typedef struct xhprof_sample_timer {
	clockid_t clock;   /* CLOCK_MONOTONIC, or the CPU clock of the thread that starts it */
	uint64_t start_ns; /* of that clock at interval 0 */
	uint64_t interval_ns;
	/* Runs in the timer's thread; must be short and must not block. `count`: by CPU time, the number of intervals; else
	 * 1. */
	void (*tick)(void *context, uint64_t count);
	void *context;
	/* The same, before each tick, and by CPU time at each look: within two intervals of the start. Or NULL. */
	void (*on_look)(void *context);
	void *look_context;
	uint64_t counted; /* by CPU time: intervals that ticks have counted since the start */

	bool alive;   /* there is a thread */
	bool running; /* it ticks */
	bool ends;
	pthread_t thread;
	pthread_mutex_t lock;
	pid_t process; /* owner of the thread */
	pid_t watched; /* the thread that has started it */
	pid_t own;     /* the thread's own number; 0 before it has one */
	bool opened;   /* whether `on_cpu` is open */
	xhprof_sample_files files;
	xhprof_on_cpu on_cpu;
	xhprof_alarm alarm;
	uint64_t next_ns;   /* CLOCK_MONOTONIC: the next look */
	uint64_t turn_ns;   /* the same: by CPU time, where the interval of that look begins */
	uint64_t lost_ns;   /* intervals whose looks have not come, since the last look */
	uint64_t missed_ns; /* CPU time of such intervals not yet counted */
	uint64_t random;
	uint64_t alarm_every; /* the period of the alarm, if it is set for more than one moment; else 0 */
	/* By wall time, of the owner alone: a moment of the last start's ticks, and their interval. */
	uint64_t phase_ns, phase_every;
	uint64_t began_ns; /* CLOCK_MONOTONIC: the last start */
	bool follows;      /* it came within an interval of the start before it */
} xhprof_sample_timer;

/* By wall time, before a start: where interval 0 of that begins, at most an interval before `now`, for it to keep the alarm
 * that the last one has set; that is a small part of an interval from `start_ns`, or any whole number of them. Where the
 * alarm is elsewhere, returns `start_ns`. */
uint64_t xhprof_sample_timer_align(const xhprof_sample_timer *timer, uint64_t start_ns, uint64_t now);

/* Starts the ticks, from the thread whose CPU clock it is; the fields up to `look_context` are set. 0, or an errno. */
int xhprof_sample_timer_start(xhprof_sample_timer *timer);

/* After this no tick runs. Waits at most for one that has begun. By CPU time, returns the number of intervals for which
 * the thread came too late; their looks count as met, since the program runs now, as far as it has used CPU time. */
uint64_t xhprof_sample_timer_stop(xhprof_sample_timer *timer);

/* In a tick: gives the timer's thread a file table of its own, so that no other thread and no child has the files that it
 * opens. False where the kernel cannot: it must not open any. */
bool xhprof_sample_timer_own_files(xhprof_sample_timer *timer);

/* By CPU time, between start and stop or after: the time used by `now_ns` but not counted, in ns; below 0: more has
 * been counted. */
int64_t xhprof_sample_timer_uncounted(const xhprof_sample_timer *timer, uint64_t now_ns);

/* Stops, and ends the thread. It may be started again. */
void xhprof_sample_timer_end(xhprof_sample_timer *timer);

/* After the end, waits until the kernel has removed the thread: some system calls require that, and a joined thread may
 * still be exiting. For 100 ms at most. */
void xhprof_sample_timer_wait_gone(const xhprof_sample_timer *timer);

/* In a forked child, which does not have the thread: marks it stopped. It may then be started again. */
void xhprof_sample_timer_forget(xhprof_sample_timer *timer);

#endif
