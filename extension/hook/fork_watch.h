/* Forks of the process: what a module does before them, and after them on both sides. */
#ifndef XHPROF_HOOK_FORK_WATCH_H
#define XHPROF_HOOK_FORK_WATCH_H

#include <stdbool.h>

/* The functions run in the thread that forks, and only where it is one of PHP's. Each may be NULL. */
typedef struct xhprof_fork_watcher {
	void (*before)(void);
	void (*in_parent)(void);
	void (*in_child)(void);
	/* The watch's own. */
	bool watching;
	struct xhprof_fork_watcher *next;
} xhprof_fork_watcher;

/* Calls them from now on, for as long as the process lives. `watcher` is static; later calls do nothing. */
void xhprof_fork_watch(xhprof_fork_watcher *watcher);

#endif
