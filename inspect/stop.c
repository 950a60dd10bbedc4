#include "stop.h"

#include "process.h"
#include "signals.h"

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/wait.h>

#define DEADLINE 10       /* seconds; a thread within the kernel cannot be stopped before it leaves it */
#define FIRST_PAUSE 10000 /* ns */
#define LONGEST_PAUSE 200000

static bool is_known_thread(const xhprof_stop *stop, pid_t thread)
{
	for (size_t i = 0; i < stop->count; i++) {
		if (stop->threads[i].thread == thread) {
			return true;
		}
	}
	return false;
}

/* Seizes the threads not yet seized; returns the number of new ones, or -1 with errno. Threads that have ended are no
 * error. */
static int seize_new(xhprof_stop *stop)
{
	char path[64];
	snprintf(path, sizeof(path), "/proc/%d/task", (int)stop->pid);
	DIR *folder = opendir(path);
	if (!folder) {
		errno = ESRCH;
		return -1;
	}
	int added = 0, error = 0;
	const struct dirent *entry;
	while (!error && (entry = readdir(folder))) {
		pid_t thread = (pid_t)strtol(entry->d_name, NULL, 10);
		if (thread <= 0 || is_known_thread(stop, thread)) {
			continue;
		}
		if (stop->count == XHPROF_STOP_THREADS) {
			error = E2BIG;
		} else if (ptrace(PTRACE_SEIZE, thread, NULL, NULL) != 0) {
			error = errno == ESRCH && thread != stop->pid ? 0 : errno;
		} else {
			ptrace(PTRACE_INTERRUPT, thread, NULL, NULL);
			stop->threads[stop->count].thread = thread;
			stop->threads[stop->count].signal = 0;
			stop->threads[stop->count++].stopped = false;
			added++;
		}
	}
	closedir(folder);
	errno = error;
	return error ? -1 : added;
}

/* Waits until all threads have stopped or ended; false after the deadline. */
static bool wait_for_all(xhprof_stop *stop, uint64_t deadline)
{
	uint64_t pause = FIRST_PAUSE;
	for (size_t i = 0; i < stop->count; i++) {
		int status;
		while (!stop->threads[i].stopped) {
			pid_t got = waitpid(stop->threads[i].thread, &status, __WALL | WNOHANG);
			if (got == stop->threads[i].thread && WIFSTOPPED(status)) {
				/* A signal came first. It waits until the thread runs on. */
				bool ours = status >> 16 == PTRACE_EVENT_STOP;
				stop->threads[i].signal = ours ? 0 : WSTOPSIG(status);
				stop->threads[i].stopped = true;
			} else if (got < 0 ? errno != EINTR : got > 0) {
				stop->threads[i].thread = 0; /* ended */
				stop->threads[i].stopped = true;
			} else {
				uint64_t now = xhprof_now();
				if (now > deadline) {
					return false;
				}
				xhprof_sleep_until(now + pause);
				pause = 2 * pause < LONGEST_PAUSE ? 2 * pause : LONGEST_PAUSE;
			}
		}
	}
	return true;
}

static xhprof_exit set_refusal(const xhprof_stop *stop, int error, xhprof_failure *failure)
{
	int64_t tracer = xhprof_process_status(stop->pid, "TracerPid");
	if (error == ESRCH || xhprof_process_ended(stop->pid)) {
		return xhprof_process_gone(stop->pid, failure);
	}
	if (error == EPERM && tracer > 0) {
		return xhprof_fail(
			failure, XHPROF_EXIT_NOT_STOPPED,
			"process %d is traced by process %lld already and cannot be stopped; --no-stop reads it as it runs",
			(int)stop->pid, (long long)tracer);
	}
	if (error == EPERM) {
		return xhprof_process_denied(stop->pid, failure);
	}
	if (error == E2BIG) {
		return xhprof_fail(failure, XHPROF_EXIT_NOT_STOPPED,
						   "process %d has more than %d threads and cannot be stopped; --no-stop reads it as it runs",
						   (int)stop->pid, XHPROF_STOP_THREADS);
	}
	return xhprof_fail(failure, XHPROF_EXIT_NOT_STOPPED,
					   "process %d cannot be stopped: %s; --no-stop reads it as it runs", (int)stop->pid,
					   strerror(error));
}

xhprof_exit xhprof_stop_begin(xhprof_stop *stop, pid_t pid, xhprof_failure *failure)
{
	uint64_t deadline = xhprof_now() + DEADLINE * (uint64_t)1000000000;
	stop->pid = pid;
	stop->count = 0;
	stop->held = false;
	for (;;) {
		int added = seize_new(stop);
		int error = errno;
		if (added < 0) {
			wait_for_all(stop, deadline); /* threads that are not stopped cannot be released */
			xhprof_stop_end(stop);
			stop->held = error == EPERM;
			return set_refusal(stop, error, failure);
		}
		if (added == 0) {
			break; /* all threads are stopped, so there are no new ones */
		}
		if (!wait_for_all(stop, deadline)) {
			xhprof_stop_end(stop);
			return xhprof_fail(
				failure, XHPROF_EXIT_NOT_STOPPED,
				"process %d does not stop within %d seconds (it waits in the kernel); --no-stop reads it as it is",
				(int)pid, DEADLINE);
		}
	}
	return xhprof_process_ended(pid) ? (xhprof_stop_end(stop), xhprof_process_gone(pid, failure)) : XHPROF_EXIT_OK;
}

void xhprof_stop_end(xhprof_stop *stop)
{
	for (size_t i = 0; i < stop->count; i++) {
		if (stop->threads[i].thread) {
			ptrace(PTRACE_DETACH, stop->threads[i].thread, NULL, (void *)(intptr_t)stop->threads[i].signal);
		}
	}
	stop->count = 0;
}
