#include "fork_watch.h"

#include <pthread.h>

static xhprof_fork_watcher *watchers; /* process-wide; threads add to it atomically, the newest first */
static bool installed;

/* The watchers of the fork that this thread is in; another thread may add one between the functions. */
static __thread xhprof_fork_watcher *forking;

static void before_fork(void)
{
	forking = NULL;
#ifdef ZTS
	if (!tsrm_get_ls_cache()) {
		return; /* a thread without PHP: it has no globals */
	}
#endif
	forking = __atomic_load_n(&watchers, __ATOMIC_ACQUIRE);
	for (const xhprof_fork_watcher *watcher = forking; watcher; watcher = watcher->next) {
		if (watcher->before) {
			watcher->before();
		}
	}
}

static void in_parent(void)
{
	for (const xhprof_fork_watcher *watcher = forking; watcher; watcher = watcher->next) {
		if (watcher->in_parent) {
			watcher->in_parent();
		}
	}
}

static void in_child(void)
{
	for (const xhprof_fork_watcher *watcher = forking; watcher; watcher = watcher->next) {
		if (watcher->in_child) {
			watcher->in_child();
		}
	}
}

void xhprof_fork_watch(xhprof_fork_watcher *watcher)
{
	if (__atomic_exchange_n(&watcher->watching, true, __ATOMIC_ACQ_REL)) {
		return;
	}
	watcher->next = __atomic_load_n(&watchers, __ATOMIC_ACQUIRE);
	while (
		!__atomic_compare_exchange_n(&watchers, &watcher->next, watcher, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
	}
	if (!__atomic_exchange_n(&installed, true, __ATOMIC_ACQ_REL)) {
		pthread_atfork(before_fork, in_parent, in_child);
	}
}
