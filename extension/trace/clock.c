#include "clock.h"

#include <sched.h>
#include <string.h>
#if defined(XHPROF_HAVE_CYCLE_COUNTER) && defined(__x86_64__)
#include <cpuid.h>
#endif

/* The time from which on a profile measures the ratio on itself. */
#define LONG_ENOUGH_NS UINT64_C(20000000)

/* The counter and the clock, read once at module start, before any thread or profile. */
static xhprof_clock_pair process_start;
#ifdef XHPROF_HAVE_CYCLE_COUNTER
static enum { CYCLES_UNASKED, CYCLES_INVARIANT, CYCLES_VARYING } process_cycles; /* CPUID may cost 10 us in a guest */
#endif

static xhprof_clock_pair clock_pair(void)
{
	/* Reads the counter between two reads of the clock and keeps the tightest of a few tries: a preemption in between
	 * would skew the ratio. */
	xhprof_clock_pair best = {0, 0};
	uint64_t tightest = UINT64_MAX;
	for (int i = 0; i < 4; i++) {
		uint64_t before = xhprof_clock_monotonic_ns();
		uint64_t ticks = xhprof_clock_cycles();
		uint64_t after = xhprof_clock_monotonic_ns();
		if (after - before < tightest) {
			tightest = after - before;
			best.ticks = ticks;
			best.ns = before + (after - before) / 2;
		}
	}
	return best;
}

#ifdef XHPROF_HAVE_CYCLE_COUNTER
static bool ask_cycles_invariant(void)
{
#if defined(__x86_64__)
	unsigned a, b, c, d;
	/* CPUID 8000_0007h EDX bit 8: the TSC runs at a constant rate in all P-, C- and T-states (AMD APM 3, Intel SDM 3B). */
	return __get_cpuid(0x80000007u, &a, &b, &c, &d) && (d & (1u << 8));
#else
	return true; /* the generic timer of aarch64 has one rate by the architecture */
#endif
}

static bool clock_cycles_invariant(void)
{
	return process_cycles == CYCLES_UNASKED ? ask_cycles_invariant() : process_cycles == CYCLES_INVARIANT;
}
#endif

void xhprof_clock_process_start(void)
{
	process_start = clock_pair();
#ifdef XHPROF_HAVE_CYCLE_COUNTER
	process_cycles = ask_cycles_invariant() ? CYCLES_INVARIANT : CYCLES_VARYING;
#endif
}

bool xhprof_clock_valid_choice(const char *choice)
{
	return !strcmp(choice, "auto") || !strcmp(choice, "tsc") || !strcmp(choice, "tsc-pinned") ||
		   !strcmp(choice, "monotonic");
}

xhprof_clock_source xhprof_clock_choose(const char *choice)
{
#ifdef XHPROF_HAVE_CYCLE_COUNTER
	if (!strcmp(choice, "monotonic")) {
		return XHPROF_CLOCK_MONOTONIC;
	}
	if (!strcmp(choice, "tsc-pinned")) {
		return XHPROF_CLOCK_CYCLES_PINNED;
	}
	if (clock_cycles_invariant()) {
		return XHPROF_CLOCK_CYCLES;
	}
	return !strcmp(choice, "tsc") ? XHPROF_CLOCK_CYCLES_PINNED : XHPROF_CLOCK_MONOTONIC;
#else
	return XHPROF_CLOCK_MONOTONIC;
#endif
}

const char *xhprof_clock_name(xhprof_clock_source source)
{
	switch (source) {
		case XHPROF_CLOCK_CYCLES:
#if defined(__aarch64__)
			return "cntvct";
#else
			return "tsc";
#endif
		case XHPROF_CLOCK_CYCLES_PINNED:
			return "tsc-pinned";
		default:
			return "monotonic";
	}
}

const char *xhprof_clock_refusal(void)
{
#ifndef XHPROF_HAVE_CYCLE_COUNTER
	return "no cycle counter known for this platform";
#else
	return clock_cycles_invariant() ? NULL : "the processor's TSC is not invariant";
#endif
}

static void clock_pin(xhprof_clock *clock)
{
	cpu_set_t all, one;
	int cpu = sched_getcpu();
	_Static_assert(sizeof(all) <= sizeof(clock->saved_affinity), "affinity mask fits");
	if (cpu < 0 || sched_getaffinity(0, sizeof(all), &all) != 0) {
		return;
	}
	CPU_ZERO(&one);
	CPU_SET(cpu, &one);
	if (sched_setaffinity(0, sizeof(one), &one) == 0) {
		memcpy(clock->saved_affinity, &all, sizeof(all));
		clock->pinned = true;
	}
}

static void clock_unpin(xhprof_clock *clock)
{
	if (clock->pinned) {
		cpu_set_t all;
		memcpy(&all, clock->saved_affinity, sizeof(all));
		sched_setaffinity(0, sizeof(all), &all);
		clock->pinned = false;
	}
}

static uint64_t clock_ratio(xhprof_clock_pair from, xhprof_clock_pair to)
{
	if (to.ticks <= from.ticks || to.ns <= from.ns) {
		return 0; /* the counter was reset, as by a suspend */
	}
	return (uint64_t)(((unsigned __int128)(to.ns - from.ns) << 32) / (to.ticks - from.ticks));
}

void xhprof_clock_start(xhprof_clock *clock, xhprof_clock_source source)
{
	clock->source = source;
	clock->pinned = false;
	clock->ns_per_tick = UINT64_C(1) << 32;
	if (source == XHPROF_CLOCK_CYCLES_PINNED) {
		clock_pin(clock);
	}
	clock->start = clock_pair();
}

void xhprof_clock_stop(xhprof_clock *clock)
{
	if (clock->source != XHPROF_CLOCK_MONOTONIC) {
		xhprof_clock_pair now = clock_pair();
		bool longer = now.ns - clock->start.ns >= LONG_ENOUGH_NS;
		uint64_t ratio = clock_ratio(longer ? clock->start : process_start, now);
		if (!ratio) {
			ratio = clock_ratio(clock->start, now);
		}
		clock->ns_per_tick = ratio ? ratio : UINT64_C(1) << 32;
	}
	clock_unpin(clock);
}

uint64_t xhprof_clock_from_ns(const xhprof_clock *clock, uint64_t ns)
{
	if (clock->source == XHPROF_CLOCK_MONOTONIC) {
		return ns;
	}
	uint64_t ratio = clock_ratio(process_start, clock_pair());
	return ratio ? (uint64_t)(((unsigned __int128)ns << 32) / ratio) : ns;
}

uint64_t xhprof_clock_to_ns_now(const xhprof_clock *clock, uint64_t ticks)
{
	uint64_t ratio = clock->source == XHPROF_CLOCK_MONOTONIC ? 0 : clock_ratio(process_start, clock_pair());
	return ratio ? (uint64_t)(((unsigned __int128)ticks * ratio) >> 32) : ticks;
}
