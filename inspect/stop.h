/* Holds all threads of a process while it is read. The process goes on when this is released, and also when this program is
 * killed, whatever by: that is PTRACE_SEIZE's nature. */
#ifndef XHPROF_INSPECTOR_STOP_H
#define XHPROF_INSPECTOR_STOP_H

#include "failure.h"

#include <stdbool.h>
#include <sys/types.h>

#define XHPROF_STOP_THREADS 4096

typedef struct xhprof_stop {
	pid_t pid;
	size_t count;
	bool held; /* after a refusal: another program may have stopped it, and let it go soon */
	struct {
		pid_t thread;
		int signal; /* that was about to be delivered: it is when the thread goes on */
		bool stopped;
	} threads[XHPROF_STOP_THREADS];
} xhprof_stop;

xhprof_exit xhprof_stop_begin(xhprof_stop *stop, pid_t pid, xhprof_failure *failure);

/* Lets them go on. Harmless when they do already. */
void xhprof_stop_end(xhprof_stop *stop);

#endif
