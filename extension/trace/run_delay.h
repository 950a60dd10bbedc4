/* For how long a thread was ready to run while others had its processor, as the kernel counts it. */
#ifndef XHPROF_TRACE_RUN_DELAY_H
#define XHPROF_TRACE_RUN_DELAY_H

#include <stdint.h>
#include <sys/types.h>

#define XHPROF_RUN_DELAY_UNKNOWN (-1)

typedef struct xhprof_run_delay {
	pid_t thread;
	int64_t before; /* ns; XHPROF_RUN_DELAY_UNKNOWN */
} xhprof_run_delay;

/* Begins to measure the calling thread. Three system calls. */
void xhprof_run_delay_begin(xhprof_run_delay *delay);

/* Returns the ns since the begin; XHPROF_RUN_DELAY_UNKNOWN where the kernel does not count it, /proc is not there, or
 * another thread began, as in the child of a fork. */
int64_t xhprof_run_delay_end(const xhprof_run_delay *delay);

#endif
