/* Past the limit of `ulimit -f` the kernel sends a signal that would end the program: between begin and end the write
 * fails with EFBIG instead. */
#ifndef XHPROF_EXPORT_RLIMIT_GUARD_H
#define XHPROF_EXPORT_RLIMIT_GUARD_H

#include <signal.h>
#include <stdbool.h>

typedef struct xhprof_rlimit_guard {
	sigset_t before;
	bool pending; /* one was pending before, for the program */
} xhprof_rlimit_guard;

void xhprof_rlimit_guard_begin(xhprof_rlimit_guard *guard);

/* `error`: errno of what failed in between, or 0 if nothing has: then no signal waits. */
void xhprof_rlimit_guard_end(const xhprof_rlimit_guard *guard, int error);

#endif
