/* The kernel's timer on another thread's CPU clock, for a thread that does nothing but wait for it. The signal goes to the waiting
 * thread alone, which has it blocked: the program never sees one. Linux only; elsewhere nothing but time wakes the waiter. */
#ifndef XHPROF_TRACE_CPU_TIMER_H
#define XHPROF_TRACE_CPU_TIMER_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>
#include <time.h>

typedef struct xhprof_cpu_timer {
	int id;         /* the kernel's; -1: none was to be had */
	int state_file; /* what the kernel says of the thread, in a table of files of the waiter's own; or -1 */
	int queue_file; /* the same */
	clockid_t clock;
} xhprof_cpu_timer;

/* The calling thread's number. */
pid_t xhprof_cpu_timer_thread(void);

/* For the calling thread, which has all signals blocked and no use for any file: it sees none from here on. `thread` has `clock`. */
void xhprof_cpu_timer_open(xhprof_cpu_timer *timer, clockid_t clock, pid_t thread);

/* Rings once, when the clock has passed `ns` and the thread runs at the kernel's tick. */
void xhprof_cpu_timer_set(const xhprof_cpu_timer *timer, uint64_t ns);

/* Waits for that, but no longer than `ns` of wall time. True when it has rung, or was woken. */
bool xhprof_cpu_timer_wait(uint64_t ns);

/* Ends the wait of a thread that has opened a timer and has not ended. */
void xhprof_cpu_timer_wake(pid_t waiter);

/* Whether the thread runs now. `ran`: it did a moment ago; whether it has not begun to wait since. Apart from that a thread that is
 * ready to run may be one that has just been woken, by the same interrupt that has woken the waiter: it has to be on a processor. */
bool xhprof_cpu_timer_runs(const xhprof_cpu_timer *timer, bool ran);

/* How long the thread has been ready to run without a processor since it began, in ns; 0 where the kernel does not count that. */
uint64_t xhprof_cpu_timer_queued(const xhprof_cpu_timer *timer);

void xhprof_cpu_timer_close(xhprof_cpu_timer *timer);

/* Why there is none for the calling thread's clock, or NULL. */
const char *xhprof_cpu_timer_refusal(void);

#endif
