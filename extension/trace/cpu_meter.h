/* A meter of a thread's CPU time between a begin and an end, many times in its life. Neither makes a system call if the
 * thread has not been switched out since the last event. */
#ifndef XHPROF_TRACE_CPU_METER_H
#define XHPROF_TRACE_CPU_METER_H

#include "cpu_clock.h"

/* Initially all zero. */
typedef struct xhprof_cpu_meter {
	bool used;       /* there was a begin before */
	bool on;         /* the clocks run */
	uint64_t before; /* CPU time at the begin, ns; a caller that ends an earlier span restores its value */
	uint64_t total;  /* CPU time of the thread by `cpu`, ns; it starts at what the kernel had counted */
	uint64_t last;   /* time of the last event, ns of `wall` */
	xhprof_clock wall;
	xhprof_cpu_clock cpu;
} xhprof_cpu_meter;

/* Begins to measure. `now`: CLOCK_MONOTONIC, in ns. `choice`: as in xhprof_cpu_clock_choose(). `owner`: the same at each
 * begin. The clock starts at the second begin, as its test takes longer than a process with only one request would gain. */
void xhprof_cpu_meter_begin(xhprof_cpu_meter *meter, const char *choice, xhprof_cpu_owner owner, uint64_t now);

/* Returns the CPU time since the begin, in ns. */
uint64_t xhprof_cpu_meter_end(xhprof_cpu_meter *meter, uint64_t now);

/* Returns the thread's CPU time until now, in ns, by which begins and ends are compared. */
uint64_t xhprof_cpu_meter_total(xhprof_cpu_meter *meter, uint64_t now);

/* Restarts the measurement in a forked child, as if the begin were now. */
void xhprof_cpu_meter_forked(xhprof_cpu_meter *meter);

/* Closes the clocks. Called in the same thread, before it ends or the module is unloaded. */
void xhprof_cpu_meter_close(xhprof_cpu_meter *meter);

#endif
