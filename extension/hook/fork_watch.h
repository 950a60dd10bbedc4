/* Callbacks of a module before each fork of the process, and after it in parent and child. */
#ifndef XHPROF_HOOK_FORK_WATCH_H
#define XHPROF_HOOK_FORK_WATCH_H

#include <stdbool.h>

/* A module's callbacks. They run in the forking thread, and only if it is one of PHP's. Each may be NULL. */
typedef struct xhprof_fork_watcher {
	void (*before)(void);
	void (*in_parent)(void);
	void (*in_child)(void);
	/* Private. */
	bool watching;
	struct xhprof_fork_watcher *next;
} xhprof_fork_watcher;

/* Calls the callbacks from now on, until the process ends. `watcher` is static; repeated calls do nothing. */
void xhprof_fork_watch(xhprof_fork_watcher *watcher);

#endif
