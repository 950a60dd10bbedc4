/* Forks of the process: a module's callbacks before them, and after them on both sides. */
#ifndef XHPROF_HOOK_FORK_WATCH_H
#define XHPROF_HOOK_FORK_WATCH_H

#include <stdbool.h>

/* The functions run in the forking thread, and only if it is one of PHP's. Each may be NULL. */
typedef struct xhprof_fork_watcher {
	void (*before)(void);
	void (*in_parent)(void);
	void (*in_child)(void);
	/* Private. */
	bool watching;
	struct xhprof_fork_watcher *next;
} xhprof_fork_watcher;

/* Calls them from now on, for as long as the process lives. `watcher` is static; repeated calls do nothing. */
void xhprof_fork_watch(xhprof_fork_watcher *watcher);

#endif
