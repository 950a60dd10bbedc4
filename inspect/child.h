/* A program that is run to be looked at. */
#ifndef XHPROF_INSPECTOR_CHILD_H
#define XHPROF_INSPECTOR_CHILD_H

#include "failure.h"

#include <stdbool.h>
#include <sys/types.h>

/* Starts it. Signals that would end this program are its own then, until it has ended; this program waits for it. */
xhprof_exit xhprof_child_start(char **arguments, pid_t *pid, xhprof_failure *failure);

/* Waits that long; true when it has ended, and still can be waited for. */
bool xhprof_child_wait(pid_t pid, double seconds);

/* Waits for its end: its exit code, or 128 and the signal. */
int xhprof_child_end(pid_t pid);

#endif
