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

/* Prepares the thread, which does not run yet. `work` returns ms until its next call; 0: nothing waits. */
void xhprof_window_thread_init(xhprof_window_thread *thread, uint64_t (*work)(void *context), void *context);

/* Starts the thread, unless it runs, as something waits now; call it with the lock held. If no thread can be made,
 * the data wait for the next request. */
void xhprof_window_thread_start(xhprof_window_thread *thread);

/* Stops the thread; call it without the lock. Without `join`, in a signal's handler, its data stay where they are. */
void xhprof_window_thread_stop(xhprof_window_thread *thread, bool join);

/* Forgets the thread in a forked child, which has none. The lock was taken before the fork. */
void xhprof_window_thread_forget(xhprof_window_thread *thread);

#endif
