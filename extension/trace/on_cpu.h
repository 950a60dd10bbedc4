/* Whether another thread of the process is on a processor at this moment. */
#ifndef XHPROF_TRACE_ON_CPU_H
#define XHPROF_TRACE_ON_CPU_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>
#include <time.h>

typedef struct xhprof_on_cpu {
	clockid_t clock; /* CPU time of that thread */
	uint64_t cpu_ns; /* its value at the last look */
	/* The kernel's files about that thread and the looking one, in a file table of the looking thread's own; or -1. */
	int stat_file, sched_file, own_sched_file;
} xhprof_on_cpu;

/* The calling thread's number. */
pid_t xhprof_on_cpu_self(void);

/* The clock's time now, in ns. */
uint64_t xhprof_on_cpu_clock(clockid_t clock);

/* Gives the calling thread a file table of its own, once: it sees none of the program's files from here on. False where
 * the kernel cannot. */
bool xhprof_on_cpu_own_files(void);

/* For the calling thread. `thread` has `clock`. `own_files`: the calling thread has a file table of its own. The caller
 * sets `cpu_ns` before: the time at which the first interval begins. */
void xhprof_on_cpu_open(xhprof_on_cpu *watched, clockid_t clock, pid_t thread, bool own_files);

/* Takes the look. Distinguishes a running thread that this thread's own waking preempted from one that waits, or has
 * just been woken by the same interrupt. */
bool xhprof_on_cpu_look(xhprof_on_cpu *watched);

void xhprof_on_cpu_close(xhprof_on_cpu *watched);

#endif
