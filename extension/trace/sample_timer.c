#include "sample_timer.h"

#include "clock.h"

#include <errno.h>
#include <signal.h>

#ifdef __linux__
#include <linux/futex.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

/* The variables that each thread of the process has of its own, of all libraries, are part of it. */
#define STACK_SIZE ((size_t)256 * 1024)

/* Nobody can wait for another thread's CPU time and for the order to stop: what is missing to the next interval is slept in
 * wall time, and looked at again. While the thread runs little or not at all the looks become rarer: twice, four times ...
 * as long, up to so many intervals. A worker that has waited for long costs next to nothing. */
#define LONGEST_SLEEP 8
#define LONG_IDLE_NS UINT64_C(500000000)
#define IDLE_SLEEP_NS UINT64_C(32000000)

/* No looks without end where a thread hardly gets on. */
#define SHORTEST_SLEEP(interval_ns) ((interval_ns) / 16)

static uint64_t timer_now(const xhprof_sample_timer *timer)
{
	struct timespec now = {0};
	clock_gettime(timer->clock, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static bool timer_stopped(const xhprof_sample_timer *timer)
{
	return __atomic_load_n(&timer->stop, __ATOMIC_ACQUIRE);
}

/* Until a moment of CLOCK_MONOTONIC, or until it is told to stop. A condition variable takes a system call and three atomic
 * exchanges more at every tick. */
static void timer_sleep_until(xhprof_sample_timer *timer, uint64_t ns)
{
#ifdef __linux__
	struct timespec deadline = {.tv_sec = (time_t)(ns / 1000000000u), .tv_nsec = (long)(ns % 1000000000u)};
	while (!timer_stopped(timer) && syscall(SYS_futex, &timer->stop, FUTEX_WAIT_BITSET_PRIVATE, 0, &deadline, NULL,
											FUTEX_BITSET_MATCH_ANY) == 0) {
	}
#else
	for (uint64_t now; !timer_stopped(timer) && (now = xhprof_clock_monotonic_ns()) < ns;) {
		uint64_t left = ns - now;
		struct timespec time = {.tv_nsec = (long)(left < 10000000u ? left : 10000000u)};
		nanosleep(&time, NULL);
	}
#endif
}

static void timer_run_wall(xhprof_sample_timer *timer)
{
	while (!timer_stopped(timer)) {
		uint64_t ended = (timer_now(timer) - timer->start_ns) / timer->interval_ns;
		timer_sleep_until(timer, timer->start_ns + (ended + 1) * timer->interval_ns);
		if (!timer_stopped(timer)) {
			timer->tick(timer->context);
		}
	}
}

/* How long `missing` ns of CPU time will take, when the last `cpu` ns took `wall`. */
static uint64_t timer_guess(uint64_t missing, uint64_t cpu, uint64_t wall, uint64_t most)
{
	double guess = cpu ? (double)missing * (double)wall / (double)cpu : (double)most;
	return guess < (double)missing ? missing : guess > (double)most ? most : (uint64_t)guess;
}

static void timer_run_cpu(xhprof_sample_timer *timer)
{
	uint64_t interval = timer->interval_ns, most = interval, cpu = timer_now(timer), wall = xhprof_clock_monotonic_ns();
	uint64_t ended = (cpu - timer->start_ns) / interval, passed_cpu = 1, passed_wall = 1, ticked = wall;
	while (!timer_stopped(timer)) {
		uint64_t missing = timer->start_ns + (ended + 1) * interval - cpu;
		uint64_t sleep = timer_guess(missing, passed_cpu, passed_wall, most);
		sleep = sleep < SHORTEST_SLEEP(interval) ? SHORTEST_SLEEP(interval) : sleep;
		timer_sleep_until(timer, wall + sleep);
		uint64_t cpu_now = timer_now(timer), wall_now = xhprof_clock_monotonic_ns();
		uint64_t ended_now = (cpu_now - timer->start_ns) / interval;
		if (ended_now > ended && !timer_stopped(timer)) {
			timer->tick(timer->context);
			most = interval;
			ticked = wall_now;
		} else if (most < LONGEST_SLEEP * interval) {
			most *= 2;
		} else if (wall_now - ticked > LONG_IDLE_NS && most < IDLE_SLEEP_NS) {
			most = IDLE_SLEEP_NS;
		}
		passed_cpu = cpu_now - cpu;
		passed_wall = wall_now - wall;
		cpu = cpu_now;
		wall = wall_now;
		ended = ended_now;
	}
}

static void *timer_run(void *argument)
{
	xhprof_sample_timer *timer = argument;
#ifdef __linux__
	prctl(PR_SET_NAME, "xhprof-sampler");
	prctl(PR_SET_TIMERSLACK, 1000ul); /* ns; of this thread only */
#endif
	if (timer->clock == CLOCK_MONOTONIC) {
		timer_run_wall(timer);
	} else {
		timer_run_cpu(timer);
	}
	return NULL;
}

static int timer_create_thread(xhprof_sample_timer *timer)
{
	pthread_attr_t attributes;
	int error = pthread_attr_init(&attributes);
	if (error) {
		return error;
	}
	pthread_attr_setstacksize(&attributes, STACK_SIZE);
	error = pthread_create(&timer->thread, &attributes, timer_run, timer);
	pthread_attr_destroy(&attributes);
	if (error == EINVAL) { /* where a thread's own variables need more */
		error = pthread_create(&timer->thread, NULL, timer_run, timer);
	}
	return error;
}

int xhprof_sample_timer_start(xhprof_sample_timer *timer)
{
	sigset_t all, before;
	timer->stop = 0;
	/* The thread inherits the mask: no signal for the process is ever given to it. */
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	int error = timer_create_thread(timer);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	timer->running = !error;
	return error;
}

void xhprof_sample_timer_stop(xhprof_sample_timer *timer)
{
	if (!timer->running) {
		return;
	}
	__atomic_store_n(&timer->stop, 1, __ATOMIC_RELEASE);
#ifdef __linux__
	syscall(SYS_futex, &timer->stop, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
#endif
	pthread_join(timer->thread, NULL);
	timer->running = false;
}

void xhprof_sample_timer_forget(xhprof_sample_timer *timer)
{
	timer->running = false;
}
