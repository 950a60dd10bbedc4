#include "sample_timer.h"

#include "clock.h"

#include <errno.h>
#include <signal.h>

#ifdef __linux__
#include <sys/prctl.h>
#endif

#define STACK_SIZE ((size_t)64 * 1024)

static void *timer_run(void *argument)
{
	xhprof_sample_timer *timer = argument;
#ifdef __linux__
	prctl(PR_SET_NAME, "xhprof-sampler");
	prctl(PR_SET_TIMERSLACK, 1000ul); /* ns; of this thread only */
#endif
	pthread_mutex_lock(&timer->lock);
	while (!timer->stop) {
		uint64_t ended = (xhprof_clock_monotonic_ns() - timer->start_ns) / timer->interval_ns;
		uint64_t next = timer->start_ns + (ended + 1) * timer->interval_ns;
		struct timespec deadline = {.tv_sec = (time_t)(next / 1000000000u), .tv_nsec = (long)(next % 1000000000u)};
		if (pthread_cond_timedwait(&timer->wake, &timer->lock, &deadline) == ETIMEDOUT && !timer->stop) {
			timer->tick(timer->context);
		}
	}
	pthread_mutex_unlock(&timer->lock);
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
	pthread_condattr_t monotonic;
	sigset_t all, before;
	timer->stop = false;
	pthread_condattr_init(&monotonic);
	pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
	pthread_mutex_init(&timer->lock, NULL);
	pthread_cond_init(&timer->wake, &monotonic);
	pthread_condattr_destroy(&monotonic);
	/* The thread inherits the mask: no signal for the process is ever given to it. */
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	int error = timer_create_thread(timer);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	timer->running = !error;
	if (error) {
		pthread_cond_destroy(&timer->wake);
		pthread_mutex_destroy(&timer->lock);
	}
	return error;
}

void xhprof_sample_timer_stop(xhprof_sample_timer *timer)
{
	if (!timer->running) {
		return;
	}
	pthread_mutex_lock(&timer->lock);
	timer->stop = true;
	pthread_cond_signal(&timer->wake);
	pthread_mutex_unlock(&timer->lock);
	pthread_join(timer->thread, NULL);
	pthread_cond_destroy(&timer->wake);
	pthread_mutex_destroy(&timer->lock);
	timer->running = false;
}

void xhprof_sample_timer_forget(xhprof_sample_timer *timer)
{
	timer->running = false; /* the lock may have been held in the parent: it is left as it is */
}
