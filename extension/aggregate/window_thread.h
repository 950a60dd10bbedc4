/* A thread that runs only while something waits for the end of a window: it works then, and ends when nothing is left.
 * It takes no signals, and runs no code of PHP. */
#ifndef XHPROF_AGGREGATE_WINDOW_THREAD_H
#define XHPROF_AGGREGATE_WINDOW_THREAD_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct xhprof_window_thread {
	pthread_t thread;
	pthread_mutex_t lock; /* held while `work` is called; guards all that it reads */
	pthread_cond_t wake;
	uint64_t (*work)(void *context);
	void *context;
	bool runs, started, stops; /* started: it has to be joined */
} xhprof_window_thread;

/* `work`: returns ms until the next call; 0: nothing waits. */
void xhprof_window_thread_init(xhprof_window_thread *thread, uint64_t (*work)(void *context), void *context);

/* With the lock held: something waits now. If no thread can be made, it waits for the next request. */
void xhprof_window_thread_start(xhprof_window_thread *thread);

/* Without the lock. Not `join`: in a signal's handler, and its data stay where they are. */
void xhprof_window_thread_stop(xhprof_window_thread *thread, bool join);

/* In a forked child, which has no such thread; the lock was taken before the fork. */
void xhprof_window_thread_forget(xhprof_window_thread *thread);

#endif
