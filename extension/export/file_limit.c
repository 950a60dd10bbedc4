#include "file_limit.h"

static bool limit_signalled(void)
{
	sigset_t pending;
	return sigpending(&pending) == 0 && sigismember(&pending, SIGXFSZ) == 1;
}

static void set_of_limit(sigset_t *set)
{
	sigemptyset(set);
	sigaddset(set, SIGXFSZ);
}

void xhprof_file_limit_begin(xhprof_file_limit *limit)
{
	sigset_t set;
	set_of_limit(&set);
	pthread_sigmask(SIG_BLOCK, &set, &limit->before);
	limit->pending = limit_signalled();
}

void xhprof_file_limit_end(const xhprof_file_limit *limit)
{
	sigset_t set;
	int signal;
	set_of_limit(&set);
	if (!limit->pending && limit_signalled()) {
		sigwait(&set, &signal);
	}
	pthread_sigmask(SIG_SETMASK, &limit->before, NULL);
}
