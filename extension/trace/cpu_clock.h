/* The CPU clock of a thread, which costs little more than the wall clock.
 *
 * The system call that reads CPU time costs fifty times as much as the cycle counter, and more than most functions that
 * are measured. But while the thread has not been switched out, CPU time passes as wall time does: so the system call
 * is made only if the thread may have been switched out. There are four ways to know, the best one first:
 *
 *   rseq         the kernel itself zeroes a word of this thread when it switches it out (restartable sequences, rseq(2))
 *   interpolate  two events lie further apart than a switch and back could take; a shorter absence goes unseen until the
 *                next system call
 *   syscall      always
 *   getrusage    always, with getrusage(RUSAGE_THREAD) besides, which has user and system time apart; for those who want
 *                both times, and by itself for a system without a CPU clock of threads
 *
 * Every system call gives the absolute figure, so errors do not add up. Readings never step back. */
#ifndef XHPROF_TRACE_CPU_CLOCK_H
#define XHPROF_TRACE_CPU_CLOCK_H

#include "clock.h"

typedef enum xhprof_cpu_source {
	XHPROF_CPU_RSEQ = 0,
	XHPROF_CPU_INTERPOLATE,
	XHPROF_CPU_SYSCALL,
	XHPROF_CPU_GETRUSAGE
} xhprof_cpu_source;

/* Owners of CPU clocks. A thread may have one clock for each: they share the word that the kernel zeroes. */
typedef enum xhprof_cpu_owner { XHPROF_CPU_OF_PROFILE, XHPROF_CPU_OF_REQUESTS, XHPROF_CPU_OWNERS } xhprof_cpu_owner;

typedef struct xhprof_cpu_clock {
	xhprof_cpu_source source;
	uint64_t *witness;     /* holds `undisturbed` until the kernel clears it */
	uint64_t undisturbed;  /* value of the witness after each system call */
	uint64_t longest;      /* ticks between two events beyond which the system call is made anyway */
	int64_t behind;        /* ticks of the wall clock minus CPU time in ticks, as of the last system call */
	uint64_t reading;      /* ticks that the system call takes */
	uint64_t ticks_per_ns; /* 32.32 fixed point */
	uint64_t idle_witness; /* the word that `witness` points to without rseq */
	uint64_t system;       /* with getrusage: system time in ticks, as far as it was counted */
} xhprof_cpu_clock;

/* Check and apply a value of xhprof.cpu_clock: "auto", "rseq", "interpolate", "syscall" or "getrusage". Where a way is
 * unavailable the next one is chosen. */
bool xhprof_cpu_clock_valid_choice(const char *choice);
xhprof_cpu_source xhprof_cpu_clock_choose(const char *choice);
const char *xhprof_cpu_clock_name(xhprof_cpu_source source);

/* Returns the reason why rseq was refused, or NULL. The first call in a process tests it, which takes about 0.2 ms. */
const char *xhprof_cpu_clock_refusal(void);

/* Returns whether a source has user and system time apart. */
static inline bool xhprof_cpu_source_is_split(xhprof_cpu_source source)
{
	return source == XHPROF_CPU_GETRUSAGE;
}

/* Reads the CPU time of the calling thread, in ns, by a system call that works here. */
uint64_t xhprof_cpu_clock_thread_ns(void);

/* Start and stop the clock. Start takes the first reading, at the current time of `wall`. Stop releases the witness;
 * the same thread must call it before it ends. */
void xhprof_cpu_clock_start(xhprof_cpu_clock *cpu, const xhprof_clock *wall, xhprof_cpu_source source,
							xhprof_cpu_owner owner);
void xhprof_cpu_clock_stop(xhprof_cpu_clock *cpu);

typedef struct xhprof_cpu_reading {
	uint64_t passed; /* CPU time since the last event, ticks */
	uint64_t now;    /* the time of this event, moved past the system call if any: no node is charged for that */
	uint64_t system; /* the part of `passed` that was system time, if the source has it; else 0 */
} xhprof_cpu_reading;

/* Reads the CPU time by the system call, as the thread may have been switched out. `last` and `now`: the times of the
 * last event and of this one, in ticks of `wall`. */
xhprof_cpu_reading xhprof_cpu_clock_resync(xhprof_cpu_clock *cpu, const xhprof_clock *wall, uint64_t last,
										   uint64_t now);

/* Returns whether the system call is needed, `passed` ticks after the last event. */
static inline __attribute__((always_inline)) bool xhprof_cpu_clock_disturbed(const xhprof_cpu_clock *cpu,
																			 uint64_t passed)
{
	return *(const volatile uint64_t *)cpu->witness != cpu->undisturbed || passed > cpu->longest;
}

/* Reads the CPU time, by a system call only if that is needed. `last` and `now`: the times of the last event and of
 * this one. */
static inline xhprof_cpu_reading xhprof_cpu_clock_read(xhprof_cpu_clock *cpu, const xhprof_clock *wall, uint64_t last,
													   uint64_t now)
{
	if (xhprof_cpu_clock_disturbed(cpu, now - last)) {
		return xhprof_cpu_clock_resync(cpu, wall, last, now);
	}
	return (xhprof_cpu_reading){now - last, now, 0};
}

#endif
