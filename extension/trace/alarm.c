#include "alarm.h"

#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* The signal of timers: below the first that programs can use. */
#define SIGNAL 32

/* As <linux/futex.h> has them: not every system with a compiler has the kernel's headers. */
#define WAKE_PRIVATE (1 | 128)
#define WAIT_BITSET_PRIVATE (9 | 128)
#define BITSET_MATCH_ANY 0xFFFFFFFFu

#ifndef sigev_notify_thread_id
#define sigev_notify_thread_id _sigev_un._tid
#endif

/* The ns within which a timer that has run out has its signal. */
#define TRIAL_NS 100000000

/* The kernel's own set of signals: that of the C library leaves this signal out. */
typedef uint64_t signal_set;

static const signal_set only_ours = UINT64_C(1) << (SIGNAL - 1);

static struct timespec time_of(uint64_t ns)
{
	return (struct timespec){.tv_sec = (time_t)(ns / 1000000000u), .tv_nsec = (long)(ns % 1000000000u)};
}

static bool timer_set(int timer, uint64_t ns, uint64_t every)
{
	struct itimerspec when = {.it_interval = time_of(every), .it_value = time_of(ns ? ns : 1)};
	if (ns == XHPROF_ALARM_NEVER) {
		memset(&when, 0, sizeof(when));
	}
	return syscall(SYS_timer_settime, timer, TIMER_ABSTIME, &when, NULL) == 0;
}

/* Opens a timer. The signal must be blocked before it can come: nothing handles it. */
static bool timer_open(int *timer)
{
	struct sigevent event;
	memset(&event, 0, sizeof(event));
	event.sigev_notify = SIGEV_THREAD_ID;
	event.sigev_signo = SIGNAL;
	event.sigev_notify_thread_id = (pid_t)syscall(SYS_gettid);
	return syscall(SYS_rt_sigprocmask, SIG_BLOCK, &only_ours, NULL, sizeof(only_ours)) == 0 &&
		   syscall(SYS_timer_create, CLOCK_MONOTONIC, &event, timer) == 0;
}

static bool timer_works(int timer)
{
	struct timespec patience = time_of(TRIAL_NS);
	return timer_set(timer, 0, 0) &&
		   syscall(SYS_rt_sigtimedwait, &only_ours, NULL, &patience, sizeof(only_ours)) == SIGNAL;
}

static void timer_close(int timer)
{
	syscall(SYS_timer_delete, timer);
}

static void timer_wait(void)
{
	syscall(SYS_rt_sigtimedwait, &only_ours, NULL, NULL, sizeof(only_ours));
}

static void futex_wake(xhprof_alarm *alarm)
{
	syscall(SYS_futex, &alarm->woken, WAKE_PRIVATE, 1, NULL, NULL, 0);
}

/* Sleeps until an alarm wakes it. A condition variable takes a system call and three atomic exchanges more each
 * time. */
static void futex_sleep(xhprof_alarm *alarm, uint32_t woken, uint64_t ns)
{
	struct timespec until = time_of(ns);
	syscall(SYS_futex, &alarm->woken, WAIT_BITSET_PRIVATE, woken, ns == XHPROF_ALARM_NEVER ? NULL : &until, NULL,
			BITSET_MATCH_ANY);
}

xhprof_alarm xhprof_alarm_open(void)
{
	xhprof_alarm alarm = {.opened = true, .ns = XHPROF_ALARM_NEVER};
	if (timer_open(&alarm.timer)) {
		alarm.by_signal = timer_works(alarm.timer);
		if (!alarm.by_signal) {
			timer_close(alarm.timer);
		}
	}
	return alarm;
}

void xhprof_alarm_close(xhprof_alarm *alarm)
{
	if (alarm->opened && alarm->by_signal) {
		timer_close(alarm->timer);
	}
	alarm->opened = false;
}

void xhprof_alarm_set(xhprof_alarm *alarm, uint64_t ns, uint64_t every)
{
	if (!alarm->opened) {
		return;
	}
	alarm->ns = ns;
	if (alarm->by_signal) {
		timer_set(alarm->timer, ns, every);
	} else if (ns < alarm->sleeps_until) {
		__atomic_add_fetch(&alarm->woken, 1, __ATOMIC_SEQ_CST);
		futex_wake(alarm);
	}
}

void xhprof_alarm_wait(xhprof_alarm *alarm, pthread_mutex_t *lock)
{
	uint32_t woken = __atomic_load_n(&alarm->woken, __ATOMIC_SEQ_CST);
	uint64_t until = alarm->sleeps_until = alarm->ns;
	bool by_signal = alarm->by_signal;
	pthread_mutex_unlock(lock);
	if (by_signal) {
		timer_wait();
	} else {
		futex_sleep(alarm, woken, until);
	}
	pthread_mutex_lock(lock);
	alarm->sleeps_until = 0; /* awake: it will see what is set */
}
