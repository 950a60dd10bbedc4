#include "window_thread.h"

#include <signal.h>
#include <time.h>

#define STACK_SIZE ((size_t)256 * 1024)

static void init_locks(xhprof_window_thread *thread)
{
	pthread_condattr_t attributes;
	pthread_mutex_init(&thread->lock, NULL);
	pthread_condattr_init(&attributes);
	pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
	pthread_cond_init(&thread->wake, &attributes);
	pthread_condattr_destroy(&attributes);
}

void xhprof_window_thread_init(xhprof_window_thread *thread, uint64_t (*work)(void *context), void *context)
{
	*thread = (xhprof_window_thread){.work = work, .context = context};
	init_locks(thread);
}

static void *thread_main(void *context)
{
	xhprof_window_thread *thread = context;
	uint64_t wait_ms;
	pthread_mutex_lock(&thread->lock);
	while (!thread->stops && (wait_ms = thread->work(thread->context))) {
		struct timespec until;
		clock_gettime(CLOCK_MONOTONIC, &until);
		until.tv_sec += (time_t)(wait_ms / 1000);
		until.tv_nsec += (long)(wait_ms % 1000) * 1000000;
		if (until.tv_nsec >= 1000000000) {
			until.tv_sec++;
			until.tv_nsec -= 1000000000;
		}
		pthread_cond_timedwait(&thread->wake, &thread->lock, &until);
	}
	thread->runs = false;
	pthread_mutex_unlock(&thread->lock);
	return NULL;
}

static bool create_thread(xhprof_window_thread *thread)
{
	pthread_attr_t attributes;
	sigset_t all, before;
	if (pthread_attr_init(&attributes) != 0) {
		return false;
	}
	pthread_attr_setstacksize(&attributes, STACK_SIZE);
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	bool created = pthread_create(&thread->thread, &attributes, thread_main, thread) == 0;
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	pthread_attr_destroy(&attributes);
	return created;
}

void xhprof_window_thread_start(xhprof_window_thread *thread)
{
	if (thread->runs || thread->stops) {
		return;
	}
	if (thread->started) {
		pthread_join(thread->thread, NULL); /* it has released its lock */
	}
	thread->started = thread->runs = create_thread(thread);
}

void xhprof_window_thread_stop(xhprof_window_thread *thread, bool join)
{
	pthread_mutex_lock(&thread->lock);
	thread->stops = true;
	pthread_cond_signal(&thread->wake);
	pthread_mutex_unlock(&thread->lock);
	if (join && thread->started) {
		pthread_join(thread->thread, NULL);
		thread->started = false;
	}
}

void xhprof_window_thread_forget(xhprof_window_thread *thread)
{
	thread->runs = thread->started = false;
	init_locks(thread);
}
