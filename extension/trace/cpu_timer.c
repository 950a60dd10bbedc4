#include "cpu_timer.h"

#include "clock.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef __linux__
#include <sys/syscall.h>

/* One that C libraries keep to themselves, sent to single threads only: no program can send, ignore or wait for it, so none of its
 * own signals is ever taken from it. The library's functions refuse it as well. */
#define SIGNAL 32

#define SIGNAL_MASK (UINT64_C(1) << (SIGNAL - 1))

#ifndef SYS_close_range
#define SYS_close_range 436
#endif
#define OF_THIS_THREAD_ONLY 2u /* CLOSE_RANGE_UNSHARE */

#ifndef sigev_notify_thread_id
#define sigev_notify_thread_id _sigev_un._tid
#endif

pid_t xhprof_cpu_timer_thread(void)
{
	return (pid_t)syscall(SYS_gettid);
}

/* The timer's number, or -1. */
static int create(clockid_t clock)
{
	struct sigevent event;
	int id = -1;
	memset(&event, 0, sizeof(event));
	event.sigev_notify = SIGEV_THREAD_ID;
	event.sigev_signo = SIGNAL;
	event.sigev_notify_thread_id = xhprof_cpu_timer_thread();
	return syscall(SYS_timer_create, clock, &event, &id) == 0 ? id : -1;
}

static int open_file(pid_t thread, const char *name)
{
	char path[64];
	snprintf(path, sizeof(path), "/proc/self/task/%ld/%s", (long)thread, name);
	return open(path, O_RDONLY | O_CLOEXEC);
}

void xhprof_cpu_timer_open(xhprof_cpu_timer *timer, clockid_t clock, pid_t thread)
{
	uint64_t blocked = SIGNAL_MASK;
	syscall(SYS_rt_sigprocmask, SIG_BLOCK, &blocked, NULL, sizeof(blocked));
	timer->clock = clock;
	timer->id = create(clock);
	timer->state_file = timer->queue_file = -1;
	/* The numbers and the files of the program are not touched: this thread has a table of files of its own now. */
	if (syscall(SYS_close_range, 0u, ~0u, OF_THIS_THREAD_ONLY) == 0) {
		timer->state_file = open_file(thread, "stat");
		timer->queue_file = open_file(thread, "schedstat");
	}
}

void xhprof_cpu_timer_set(const xhprof_cpu_timer *timer, uint64_t ns)
{
	struct itimerspec at = {.it_value = {.tv_sec = (time_t)(ns / 1000000000u), .tv_nsec = (long)(ns % 1000000000u)}};
	if (timer->id >= 0) {
		syscall(SYS_timer_settime, timer->id, TIMER_ABSTIME, &at, NULL);
	}
}

bool xhprof_cpu_timer_wait(uint64_t ns)
{
	struct timespec longest = {.tv_sec = (time_t)(ns / 1000000000u), .tv_nsec = (long)(ns % 1000000000u)};
	uint64_t waited = SIGNAL_MASK;
	return syscall(SYS_rt_sigtimedwait, &waited, NULL, &longest, sizeof(waited)) == SIGNAL;
}

void xhprof_cpu_timer_wake(pid_t waiter)
{
	syscall(SYS_tgkill, getpid(), waiter, SIGNAL);
}

static uint64_t now(clockid_t clock)
{
	struct timespec time = {0};
	clock_gettime(clock, &time);
	return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

bool xhprof_cpu_timer_runs(const xhprof_cpu_timer *timer, bool ran)
{
	char text[64]; /* number (name) state */
	if (!ran) {
		return now(timer->clock) != now(timer->clock);
	}
	ssize_t length = timer->state_file >= 0 ? pread(timer->state_file, text, sizeof(text), 0) : -1;
	while (length > 2 && text[length - 3] != ')') {
		length--;
	}
	return length < 3 || text[length - 1] == 'R';
}

uint64_t xhprof_cpu_timer_queued(const xhprof_cpu_timer *timer)
{
	char text[64]; /* ns that it ran, ns that it was ready to run, ... */
	ssize_t length = timer->queue_file >= 0 ? pread(timer->queue_file, text, sizeof(text) - 1, 0) : -1;
	text[length > 0 ? length : 0] = '\0';
	const char *second = strchr(text, ' ');
	return second ? strtoull(second, NULL, 10) : 0;
}

void xhprof_cpu_timer_close(xhprof_cpu_timer *timer)
{
	if (timer->id >= 0) {
		syscall(SYS_timer_delete, timer->id);
	}
	if (timer->state_file >= 0) {
		close(timer->state_file);
	}
	if (timer->queue_file >= 0) {
		close(timer->queue_file);
	}
	timer->id = timer->state_file = timer->queue_file = -1;
}

const char *xhprof_cpu_timer_refusal(void)
{
	clockid_t clock;
	int error = pthread_getcpuclockid(pthread_self(), &clock), id = error ? -1 : create(clock);
	if (id >= 0) {
		syscall(SYS_timer_delete, id);
		return NULL;
	}
	return strerror(error ? error : errno);
}

#else

pid_t xhprof_cpu_timer_thread(void)
{
	return 0;
}

void xhprof_cpu_timer_open(xhprof_cpu_timer *timer, clockid_t clock, pid_t thread)
{
	(void)thread;
	*timer = (xhprof_cpu_timer){.id = -1, .state_file = -1, .queue_file = -1, .clock = clock};
}

void xhprof_cpu_timer_set(const xhprof_cpu_timer *timer, uint64_t ns)
{
	(void)timer;
	(void)ns;
}

bool xhprof_cpu_timer_wait(uint64_t ns)
{
	struct timespec time = {.tv_nsec = (long)(ns < 10000000u ? ns : 10000000u)};
	nanosleep(&time, NULL);
	return false;
}

void xhprof_cpu_timer_wake(pid_t waiter)
{
	(void)waiter;
}

bool xhprof_cpu_timer_runs(const xhprof_cpu_timer *timer, bool ran)
{
	struct timespec before = {0}, after = {0};
	clock_gettime(timer->clock, &before);
	clock_gettime(timer->clock, &after);
	return ran || before.tv_nsec != after.tv_nsec || before.tv_sec != after.tv_sec;
}

uint64_t xhprof_cpu_timer_queued(const xhprof_cpu_timer *timer)
{
	(void)timer;
	return 0;
}

void xhprof_cpu_timer_close(xhprof_cpu_timer *timer)
{
	(void)timer;
}

const char *xhprof_cpu_timer_refusal(void)
{
	return "not on this system";
}

#endif
