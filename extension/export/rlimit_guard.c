#include "rlimit_guard.h"

#include <stddef.h>

static bool signal_is_pending(void)
{
	sigset_t pending;
	return sigpending(&pending) == 0 && sigismember(&pending, SIGXFSZ) == 1;
}

static void init_set(sigset_t *set)
{
	sigemptyset(set);
	sigaddset(set, SIGXFSZ);
}

void xhprof_rlimit_guard_begin(xhprof_rlimit_guard *guard)
{
	sigset_t set;
	init_set(&set);
	pthread_sigmask(SIG_BLOCK, &set, &guard->before);
	/* One that is not blocked does not wait. */
	guard->pending = sigismember(&guard->before, SIGXFSZ) == 1 && signal_is_pending();
}

void xhprof_rlimit_guard_end(const xhprof_rlimit_guard *guard, int error)
{
	sigset_t set;
	int signal;
	init_set(&set);
	if (error && !guard->pending && signal_is_pending()) {
		sigwait(&set, &signal);
	}
	pthread_sigmask(SIG_SETMASK, &guard->before, NULL);
}
