/* CPU time of a thread from a begin to an end, many times in its life. Where the thread has not been switched out since the
 * last event neither makes a system call. */
#ifndef XHPROF_TRACE_CPU_METER_H
#define XHPROF_TRACE_CPU_METER_H

#include "cpu_clock.h"

/* Initially all zero. */
typedef struct xhprof_cpu_meter {
	bool used; /* there was a begin before */
	bool on;   /* the clocks run */
	uint64_t
		before; /* ns of the thread at the begin; to end another one that began earlier, put back what it was then */
	uint64_t total; /* ns of the thread by `cpu`, which goes on from what the kernel had counted */
	uint64_t last;  /* ns of `wall`, of the last event */
	xhprof_clock wall;
	xhprof_cpu_clock cpu;
} xhprof_cpu_meter;

/* `now`: CLOCK_MONOTONIC, in ns. `choice`: that of xhprof_cpu_clock_choose(). The clock starts at the second begin: to try
 * it out takes longer than a process with one request would gain. */
void xhprof_cpu_meter_begin(xhprof_cpu_meter *meter, const char *choice, uint64_t now);

/* CPU time in ns since the begin. */
uint64_t xhprof_cpu_meter_end(xhprof_cpu_meter *meter, uint64_t now);

/* In a forked child: what began in the parent begins now. */
void xhprof_cpu_meter_forked(xhprof_cpu_meter *meter);

/* In the same thread, before it ends or the module is unloaded. */
void xhprof_cpu_meter_close(xhprof_cpu_meter *meter);

#endif
