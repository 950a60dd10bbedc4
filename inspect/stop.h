/* Stops all threads of a process while it is read. The process runs on when this is released, and also if this program
 * is killed by anything: PTRACE_SEIZE ensures that. */
#ifndef XHPROF_INSPECT_STOP_H
#define XHPROF_INSPECT_STOP_H

#include "failure.h"

#include <stdbool.h>
#include <sys/types.h>

#define XHPROF_STOP_THREADS 4096

typedef struct xhprof_stop {
	pid_t pid;
	size_t count;
	bool held; /* after a refusal: another program may have stopped it, and may release it soon */
	struct {
		pid_t thread;
		int signal; /* about to be delivered: it is when the thread runs on */
		bool stopped;
	} threads[XHPROF_STOP_THREADS];
} xhprof_stop;

xhprof_exit xhprof_stop_begin(xhprof_stop *stop, pid_t pid, xhprof_failure *failure);

/* Lets them run on. Harmless if they do already. */
void xhprof_stop_end(xhprof_stop *stop);

#endif
