/* The wall clock of a profile.
 *
 * Wall time is counted in ticks: of the processor's cycle counter where it runs at one rate on every core (an
 * "invariant" TSC, or cntvct_el0), else nanoseconds of CLOCK_MONOTONIC. Ticks become nanoseconds once, at the end of a
 * profile, by a ratio measured against CLOCK_MONOTONIC over the profile itself or, when it was short, since the process
 * started: no calibration delay, and an error below 50 ns / 20 ms. */
#ifndef XHPROF_TRACE_CLOCK_H
#define XHPROF_TRACE_CLOCK_H

#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

typedef enum xhprof_clock_source {
	XHPROF_CLOCK_MONOTONIC = 0, /* clock_gettime */
	XHPROF_CLOCK_CYCLES,        /* rdtsc or cntvct_el0, unmodified */
	XHPROF_CLOCK_CYCLES_PINNED  /* rdtsc with the thread pinned to one core while profiling */
} xhprof_clock_source;

typedef struct xhprof_clock_pair {
	uint64_t ticks;
	uint64_t ns; /* CLOCK_MONOTONIC */
} xhprof_clock_pair;

typedef struct xhprof_clock {
	xhprof_clock_source source;
	bool pinned;             /* the thread's affinity was changed and must be restored */
	xhprof_clock_pair start; /* the start of the current profile */
	uint64_t ns_per_tick;    /* 32.32 fixed point, known after xhprof_clock_stop() */
	unsigned char saved_affinity[128];
} xhprof_clock;

/* Reads both clocks, once per process and before any profile: the base for the rate of ticks in short profiles. */
void xhprof_clock_process_start(void);

/* Check and apply a value of xhprof.clock: "auto", "tsc", "tsc-pinned" or "monotonic". False for any other. */
bool xhprof_clock_valid_choice(const char *choice);
xhprof_clock_source xhprof_clock_choose(const char *choice);

/* Returns the name of a source: "tsc", "cntvct", "tsc-pinned" or "monotonic". */
const char *xhprof_clock_name(xhprof_clock_source source);

/* Returns the reason why a better source was refused, or NULL. */
const char *xhprof_clock_refusal(void);

void xhprof_clock_start(xhprof_clock *clock, xhprof_clock_source source);
void xhprof_clock_stop(xhprof_clock *clock);

/* Reads one of the system's clocks, in ns; 0 where the system has no such clock. */
static inline uint64_t xhprof_clock_read(clockid_t clock)
{
	struct timespec now = {0};
	clock_gettime(clock, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static inline uint64_t xhprof_clock_monotonic_ns(void)
{
	return xhprof_clock_read(CLOCK_MONOTONIC);
}

/* Reads CLOCK_MONOTONIC as of some ms ago, which is faster. It must not be mixed with exact readings. */
static inline uint64_t xhprof_clock_coarse_ns(void)
{
	return xhprof_clock_read(CLOCK_MONOTONIC_COARSE);
}

/* Reads the CPU time of the calling thread, by a system call. */
static inline uint64_t xhprof_clock_thread_cpu_ns(void)
{
	return xhprof_clock_read(CLOCK_THREAD_CPUTIME_ID);
}

static inline uint64_t xhprof_clock_cycles(void)
{
#if defined(XHPROF_HAVE_CYCLE_COUNTER) && defined(__x86_64__)
	uint32_t low, high;
	__asm__ volatile("rdtsc" : "=a"(low), "=d"(high));
	return ((uint64_t)high << 32) | low;
#elif defined(XHPROF_HAVE_CYCLE_COUNTER) && defined(__aarch64__)
	uint64_t count;
	__asm__ volatile("mrs %0, cntvct_el0" : "=r"(count));
	return count;
#else
	return xhprof_clock_monotonic_ns();
#endif
}

static inline uint64_t xhprof_clock_ticks(const xhprof_clock *clock)
{
	return __builtin_expect(clock->source != XHPROF_CLOCK_MONOTONIC, 1) ? xhprof_clock_cycles()
																		: xhprof_clock_monotonic_ns();
}

/* Converts ticks of a stopped clock to nanoseconds. */
static inline uint64_t xhprof_clock_to_ns(const xhprof_clock *clock, uint64_t ticks)
{
	return (uint64_t)(((unsigned __int128)ticks * clock->ns_per_tick) >> 32);
}

/* Converts ticks of a running clock to nanoseconds, as exactly as the current ratio allows. */
uint64_t xhprof_clock_to_ns_now(const xhprof_clock *clock, uint64_t ticks);

/* Converts nanoseconds to ticks of a running clock, as exactly as the current ratio allows. */
uint64_t xhprof_clock_from_ns(const xhprof_clock *clock, uint64_t ns);

#endif
