/* The timer of the sampler: a thread that calls a function at every multiple of an interval of wall time; or, by a
 * thread's CPU time, once for each of its intervals, if that thread is on a processor. The program gets no signals: one
 * would interrupt its system calls and could reach its handlers. The thread stays when the timer is stopped, and waits
 * for the next start: neither a start nor a stop wakes it. By wall time the alarm stays set too, where starts follow
 * each other within an interval: then neither makes a system call. If no start follows, the alarm wakes the thread
 * once, which clears it. */
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
	clockid_t clock;   /* CLOCK_MONOTONIC, or the CPU clock of the thread that starts the timer */
	uint64_t start_ns; /* time of that clock at interval 0 */
	uint64_t interval_ns;
	/* Called at each tick, in the timer's thread; must be short and must not block. `count`: by CPU time the number of
	 * intervals, else 1. */
	void (*tick)(void *context, uint64_t count);
	void *context;
	/* Called in the timer's thread before each tick, and by CPU time at each look; the first time within two intervals
	 * of the start. Or NULL. */
	void (*on_look)(void *context);
	void *look_context;
	uint64_t counted; /* by CPU time: intervals that ticks have counted since the start */

	bool alive;   /* there is a thread */
	bool running; /* the timer ticks */
	bool ends;
	pthread_t thread;
	pthread_mutex_t lock;
	pid_t process; /* the process that the timer's thread belongs to */
	pid_t watched; /* the thread that has started the timer */
	pid_t own;     /* id of the timer's thread; 0 before it has one */
	bool opened;   /* whether `on_cpu` is open */
	xhprof_sample_files files;
	xhprof_on_cpu on_cpu;
	xhprof_alarm alarm;
	uint64_t next_ns;   /* time of the next look, CLOCK_MONOTONIC */
	uint64_t turn_ns;   /* by CPU time: begin of that look's interval, CLOCK_MONOTONIC */
	uint64_t lost_ns;   /* time of intervals since the last look whose looks did not take place */
	uint64_t missed_ns; /* CPU time of such intervals not yet counted */
	uint64_t random;
	uint64_t alarm_every; /* the period of the alarm, if it is set for more than one moment; else 0 */
	/* By wall time, used by the owner only: the time of one of the last start's ticks, and their interval. */
	uint64_t phase_ns, phase_every;
	uint64_t began_ns; /* time of the last start, CLOCK_MONOTONIC */
	bool follows;      /* the last start came within an interval of the one before */
} xhprof_sample_timer;

/* Aligns a start by wall time with the ticks of the last one, so that the alarm can stay as it is set. Returns the time
 * at which interval 0 begins, at most an interval before `now`: it differs from `start_ns` by whole intervals and a
 * small part of one. Returns `start_ns` if the last ticks are too far from that. */
uint64_t xhprof_sample_timer_align(const xhprof_sample_timer *timer, uint64_t start_ns, uint64_t now);

/* Starts the ticks; with a CPU clock, in the thread that has it. The caller has set the fields up to `look_context`.
 * Returns 0 or an errno. */
int xhprof_sample_timer_start(xhprof_sample_timer *timer);

/* Stops the ticks; after it no tick runs. Waits at most for one that has begun. By CPU time, returns the number of
 * intervals for which the timer's thread came too late. They count as if the program had been seen running, as it is
 * now, as far as it has used CPU time. */
uint64_t xhprof_sample_timer_stop(xhprof_sample_timer *timer);

/* Gives the timer's thread a file table of its own, so that no other thread and no child has the files that it opens.
 * Called in a tick. False where the kernel cannot: then the thread must not open any. */
bool xhprof_sample_timer_own_files(xhprof_sample_timer *timer);

/* Returns, by CPU time, the time that was used until `now_ns` and not counted, in ns; below 0: more has been counted.
 * Called between start and stop, or after. */
int64_t xhprof_sample_timer_uncounted(const xhprof_sample_timer *timer, uint64_t now_ns);

/* Stops the timer and ends its thread. The timer may be started again. */
void xhprof_sample_timer_end(xhprof_sample_timer *timer);

/* Waits after the end until the kernel has removed the thread, for 100 ms at most: some system calls require that, and
 * a joined thread may still be exiting. */
void xhprof_sample_timer_wait_gone(const xhprof_sample_timer *timer);

/* Marks the timer stopped in a forked child, which does not have the thread. It may then be started again. */
void xhprof_sample_timer_forget(xhprof_sample_timer *timer);

#endif
