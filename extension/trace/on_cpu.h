/* A check whether another thread of the process is on a processor at this moment. */
#ifndef XHPROF_TRACE_ON_CPU_H
#define XHPROF_TRACE_ON_CPU_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>
#include <time.h>

typedef struct xhprof_on_cpu {
	clockid_t clock; /* CPU clock of that thread */
	uint64_t cpu_ns; /* value of the clock at the last look */
	/* Files in /proc about that thread and the looking one, in a file table of the looking thread's own; or -1. */
	int stat_file, sched_file, own_sched_file;
} xhprof_on_cpu;

/* Returns the calling thread's id. */
pid_t xhprof_on_cpu_self(void);

/* Returns the clock's time now, in ns. */
uint64_t xhprof_on_cpu_clock(clockid_t clock);

/* Gives the calling thread an empty file table of its own, once: it shares no files with the program from then on. False
 * where the kernel cannot. */
bool xhprof_on_cpu_own_files(void);

/* Opens the check for the calling thread. `clock`: that of `thread`. `own_files`: the calling thread has a file table
 * of its own. The caller has set `cpu_ns` to the time at which the first interval begins. */
void xhprof_on_cpu_open(xhprof_on_cpu *watched, clockid_t clock, pid_t thread, bool own_files);

/* Looks once and returns whether the thread is running. A thread that was preempted by this thread's waking counts as
 * running; one that waits, or was just woken by the same interrupt, does not. */
bool xhprof_on_cpu_look(xhprof_on_cpu *watched);

void xhprof_on_cpu_close(xhprof_on_cpu *watched);

#endif
