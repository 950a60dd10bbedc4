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
	bool pinned;             /* the thread's affinity is ours to restore */
	xhprof_clock_pair start; /* of the current profile */
	uint64_t ns_per_tick;    /* 32.32 fixed point, known after xhprof_clock_stop() */
	unsigned char saved_affinity[128];
} xhprof_clock;

/* Once per process, before any profile: takes the anchor that short profiles are measured against. */
void xhprof_clock_process_start(void);

/* `choice`: "auto", "tsc", "tsc-pinned" or "monotonic". False for any other. */
bool xhprof_clock_valid_choice(const char *choice);
xhprof_clock_source xhprof_clock_choose(const char *choice);

/* "tsc", "cntvct", "tsc-pinned" or "monotonic". */
const char *xhprof_clock_name(xhprof_clock_source source);

/* Why a better source was refused, or NULL. */
const char *xhprof_clock_refusal(void);

void xhprof_clock_start(xhprof_clock *clock, xhprof_clock_source source);
void xhprof_clock_stop(xhprof_clock *clock);

/* Reads a clock of the system, in ns; returns 0 if the system has no such clock. */
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

/* The same, some ms late, for less; not with the other one. */
static inline uint64_t xhprof_clock_coarse_ns(void)
{
	return xhprof_clock_read(CLOCK_MONOTONIC_COARSE);
}

/* CPU time of the calling thread: a system call. */
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

/* Ticks of a stopped clock as nanoseconds. */
static inline uint64_t xhprof_clock_to_ns(const xhprof_clock *clock, uint64_t ticks)
{
	return (uint64_t)(((unsigned __int128)ticks * clock->ns_per_tick) >> 32);
}

/* Nanoseconds as ticks of a running clock; as exact as the current ratio. */
uint64_t xhprof_clock_from_ns(const xhprof_clock *clock, uint64_t ns);

#endif
