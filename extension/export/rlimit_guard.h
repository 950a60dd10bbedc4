/* A guard against the signal that the kernel sends when a file grows past the limit of `ulimit -f`, and which would end
 * the program: between begin and end the write fails with EFBIG instead. */
#ifndef XHPROF_EXPORT_RLIMIT_GUARD_H
#define XHPROF_EXPORT_RLIMIT_GUARD_H

#include <signal.h>
#include <stdbool.h>

typedef struct xhprof_rlimit_guard {
	sigset_t before;
	bool pending; /* a signal for the program was pending before */
} xhprof_rlimit_guard;

void xhprof_rlimit_guard_begin(xhprof_rlimit_guard *guard);

/* Ends the guard. `error`: errno of a failure in between; 0 if there was none: then no signal is pending. */
void xhprof_rlimit_guard_end(const xhprof_rlimit_guard *guard, int error);

#endif
