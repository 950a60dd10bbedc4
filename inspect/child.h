/* Runs a program to inspect it. */
#ifndef XHPROF_INSPECT_CHILD_H
#define XHPROF_INSPECT_CHILD_H

#include "failure.h"

#include <stdbool.h>
#include <sys/types.h>

/* Starts it. Signals that would end this program go to that one until it has ended; this program waits for it. */
xhprof_exit xhprof_child_start(char **arguments, pid_t *pid, xhprof_failure *failure);

/* Waits that long; true if it has ended, and has not been reaped. */
bool xhprof_child_wait(pid_t pid, double seconds);

/* Waits for its end: its exit code, or 128 and the signal. */
int xhprof_child_end(pid_t pid);

#endif
