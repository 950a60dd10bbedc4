#include "child.h"

#include "signals.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

xhprof_exit xhprof_child_start(char **arguments, pid_t *pid, xhprof_failure *failure)
{
	int ends[2], error = 0;
	if (pipe2(ends, O_CLOEXEC) != 0) {
		return xhprof_fail(failure, XHPROF_EXIT_ERROR, "cannot run %s: %s", arguments[0], strerror(errno));
	}
	xhprof_signals_hold(true); /* until the process that signals are passed on to is known */
	*pid = fork();
	if (*pid == 0) {
		/* The program must not inherit this program's own changes. */
		xhprof_signals_restore();
		xhprof_signals_hold(false);
		execvp(arguments[0], arguments);
		error = errno;
		_exit(write(ends[1], &error, sizeof(error)) == sizeof(error) ? 127 : 126);
	}
	error = *pid < 0 ? errno : 0;
	close(ends[1]);
	if (*pid < 0) {
		xhprof_signals_hold(false);
	}
	if (*pid > 0) {
		xhprof_signals_pass_on(*pid);
		xhprof_signals_hold(false);
		/* The pipe closes when it runs. */
		ssize_t got;
		do {
			got = read(ends[0], &error, sizeof(error));
		} while (got < 0 && errno == EINTR);
		error = got == sizeof(error) ? error : 0;
		if (error) {
			xhprof_child_end(*pid);
		}
	}
	close(ends[0]);
	return error ? xhprof_fail(failure, XHPROF_EXIT_ERROR, "cannot run %s: %s", arguments[0], strerror(error))
				 : XHPROF_EXIT_OK;
}

bool xhprof_child_wait(pid_t pid, double seconds)
{
	uint64_t end = xhprof_now() + (uint64_t)(seconds * 1e9);
	for (;;) {
		siginfo_t about = {0};
		if (waitid(P_PID, (id_t)pid, &about, WEXITED | WNOHANG | WNOWAIT) != 0 || about.si_pid == pid) {
			return true;
		}
		uint64_t now = xhprof_now();
		if (now >= end) {
			return false;
		}
		xhprof_sleep_until(end - now > 5000000u ? now + 5000000u : end);
	}
}

int xhprof_child_end(pid_t pid)
{
	int status;
	siginfo_t about;
	while (waitid(P_PID, (id_t)pid, &about, WEXITED | WNOWAIT) != 0 && errno == EINTR) {
	}
	xhprof_signals_pass_on(0); /* before another process can have its number */
	if (waitpid(pid, &status, 0) != pid) {
		return XHPROF_EXIT_ERROR;
	}
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
