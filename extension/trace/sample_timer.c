#include "sample_timer.h"

#include "clock.h"
#include "cpu_timer.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>

#ifdef __linux__
#include <linux/futex.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

/* The variables that each thread of the process has of its own, of all libraries, are part of it. */
#define STACK_SIZE ((size_t)256 * 1024)

/* While the thread waits, the kernel's timer wakes this one; nothing is slept for but what nobody foresaw. Where there is no such
 * timer the looks become rarer and rarer. */
#define LONGEST_SLEEP_NS UINT64_C(1000000000)
#define LONGEST_SLEEP_UNTIMED_NS UINT64_C(32000000)

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
	return __atomic_load_n(&timer->stop, __ATOMIC_SEQ_CST) != 0;
}

static void timer_wait(xhprof_sample_timer *timer, uint32_t while_it_is)
{
#ifdef __linux__
	syscall(SYS_futex, &timer->stop, FUTEX_WAIT_PRIVATE, while_it_is, NULL, NULL, 0);
#else
	(void)timer;
	(void)while_it_is;
	sched_yield();
#endif
}

static void timer_set_stop(xhprof_sample_timer *timer, uint32_t stop)
{
	__atomic_store_n(&timer->stop, stop, __ATOMIC_SEQ_CST);
#ifdef __linux__
	syscall(SYS_futex, &timer->stop, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
#endif
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

/* When the program's thread was last looked at, by three clocks. */
typedef struct look {
	uint64_t cpu, queued, wall;
} look;

static look timer_look(const xhprof_cpu_timer *bell, uint64_t cpu)
{
	return (look){.cpu = cpu, .queued = xhprof_cpu_timer_queued(bell), .wall = xhprof_clock_monotonic_ns()};
}

/* Whether the thread has hardly waited between two looks, but for a processor. */
static bool timer_is_steady(const look *from, const look *to)
{
	uint64_t wall = to->wall - from->wall;
	return to->cpu - from->cpu + (to->queued - from->queued) >= wall - wall / 8;
}

static uint64_t timer_random(uint64_t *state, uint64_t below)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state % below;
}

/* Up to two ticks of the kernel: bursts that come at a rhythm are not to be met at that of the looks. */
static uint64_t timer_spread(uint64_t *state)
{
	struct timespec tick = {0};
#ifdef __linux__
	clock_getres(CLOCK_MONOTONIC_COARSE, &tick);
#endif
	return timer_random(state, 2 * (uint64_t)tick.tv_nsec + 1);
}

/* The kernel's timer rings at the first tick of the kernel (every 1 to 10 ms) at which the thread runs after its time, anywhere
 * between two waits. All intervals that have ended by then are that look's. Where the thread has run from one look to the next, as
 * it does from the start, what is missing is slept, to be precise; in a program of bursts and waits that would favour the longest
 * bursts. An interval's end that is noticed while the thread waits is no reason to look: what it waits in has not used the time. */
static void timer_count_cpu(xhprof_sample_timer *timer, const xhprof_cpu_timer *bell)
{
	uint64_t interval = timer->interval_ns, cpu = timer_now(timer), ended = timer->ended;
	uint64_t longest = bell->id >= 0 ? LONGEST_SLEEP_NS : LONGEST_SLEEP_UNTIMED_NS;
	uint64_t ended_now = (cpu - timer->start_ns) / interval, next = timer->start_ns + (ended_now + 1) * interval;
	look last = timer_look(bell, cpu);
	uint64_t random = (last.wall ^ (cpu << 20)) | 1;
	bool steady = ended_now == ended;
	uint64_t sleep = steady || bell->id < 0 ? next - cpu : longest;
	xhprof_cpu_timer_set(bell, steady ? next : cpu + 1);
	while (!timer_stopped(timer)) {
		bool rung = xhprof_cpu_timer_wait(sleep < SHORTEST_SLEEP(interval) ? SHORTEST_SLEEP(interval) : sleep);
		bool runs = !timer_stopped(timer) && xhprof_cpu_timer_runs(bell, rung || steady);
		cpu = timer_now(timer);
		ended_now = (cpu - timer->start_ns) / interval;
		next = timer->start_ns + (ended_now + 1) * interval;
		bool looks = runs && ended_now > ended;
		if (looks) {
			timer->tick(timer->context);
			look now = timer_look(bell, cpu);
			steady = timer_is_steady(&last, &now);
			last = now;
			ended = ended_now;
		}
		if (looks || rung) {
			xhprof_cpu_timer_set(bell, steady ? next : next + timer_spread(&random));
		}
		if (bell->id < 0) {
			sleep = runs ? next - cpu : 2 * sleep < longest ? 2 * sleep : longest;
		} else {
			sleep = runs && steady ? next - cpu : longest;
		}
	}
}

/* Does not end before it has been woken: its number may be another thread's afterwards. */
static void timer_run_cpu(xhprof_sample_timer *timer)
{
	xhprof_cpu_timer bell;
	xhprof_cpu_timer_open(&bell, timer->clock, timer->watched);
	__atomic_store_n(&timer->waiter, xhprof_cpu_timer_thread(), __ATOMIC_SEQ_CST);
	timer_count_cpu(timer, &bell);
	xhprof_cpu_timer_close(&bell);
	while (__atomic_load_n(&timer->stop, __ATOMIC_ACQUIRE) != 2) {
		timer_wait(timer, 1);
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
	timer->waiter = 0;
	timer->watched = xhprof_cpu_timer_thread();
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
	timer_set_stop(timer, 1);
	pid_t waiter = __atomic_load_n(&timer->waiter, __ATOMIC_SEQ_CST);
	if (waiter) { /* else it is not waiting yet, and sees that it is to stop */
		xhprof_cpu_timer_wake(waiter);
	}
	if (timer->clock != CLOCK_MONOTONIC) {
		timer_set_stop(timer, 2);
	}
	pthread_join(timer->thread, NULL);
	timer->running = false;
}

void xhprof_sample_timer_forget(xhprof_sample_timer *timer)
{
	timer->running = false;
}
