#include "signals.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static volatile sig_atomic_t got;
static const char *volatile to_remove;
static volatile pid_t pass_to;

static void on_signal(int signal)
{
	const char *path = to_remove;
	got = signal;
	if (path) {
		if (path[0]) {
			unlink(path);
		}
		_exit(128 + signal);
	}
	if (pass_to && signal != SIGINT) { /* the terminal's ^C has reached it already */
		int error = errno;
		kill(pass_to, signal);
		errno = error;
	}
}

void xhprof_signals_end_at_once(const char *path)
{
	to_remove = path;
}

void xhprof_signals_pass_on(pid_t program)
{
	pass_to = program;
}

static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
static const int ignored[] = {SIGPIPE, SIGXFSZ}; /* a file that may not grow then makes its write fail */

#define COUNT(array) (sizeof(array) / sizeof(*(array)))
static struct sigaction before[COUNT(signals)], before_ignored[COUNT(ignored)];

void xhprof_signals_hold(bool hold)
{
	sigset_t set;
	sigemptyset(&set);
	for (unsigned i = 0; i < COUNT(signals); i++) {
		sigaddset(&set, signals[i]);
	}
	sigprocmask(hold ? SIG_BLOCK : SIG_UNBLOCK, &set, NULL);
}

void xhprof_signals_watch(void)
{
	struct sigaction action;
	memset(&action, 0, sizeof(action));
	action.sa_handler = on_signal; /* without SA_RESTART: waiting calls return */
	for (unsigned i = 0; i < COUNT(signals); i++) {
		sigaction(signals[i], NULL, &before[i]);
		bool nohup =
			signals[i] == SIGHUP && before[i].sa_handler == SIG_IGN; /* it continues when the terminal is closed */
		if (!nohup) {
			sigaction(signals[i], &action, NULL);
		}
	}
	action.sa_handler = SIG_IGN;
	for (unsigned i = 0; i < COUNT(ignored); i++) {
		sigaction(ignored[i], &action, &before_ignored[i]);
	}
}

void xhprof_signals_restore(void)
{
	for (unsigned i = 0; i < COUNT(signals); i++) {
		sigaction(signals[i], &before[i], NULL);
	}
	for (unsigned i = 0; i < COUNT(ignored); i++) {
		sigaction(ignored[i], &before_ignored[i], NULL);
	}
}

int xhprof_signals_received(void)
{
	return got;
}

uint64_t xhprof_now(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

void xhprof_sleep_until(uint64_t moment)
{
	struct timespec until = {(time_t)(moment / 1000000000u), (long)(moment % 1000000000u)};
	clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL);
}
