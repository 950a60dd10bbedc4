/* The hook on switches between fibers, each of which has a call stack of its own. */
#ifndef XHPROF_HOOK_FIBER_H
#define XHPROF_HOOK_FIBER_H

#include "php_xhprof.h"

#include "zend_fibers.h"

/* Decides to which part of a session (session_part.h) a fiber belongs. */
typedef struct xhprof_fiber_watcher {
	/* Called before each switch. True if another part goes on. */
	bool (*switched)(zend_fiber_context *from, zend_fiber_context *to);
	void (*destroyed)(zend_fiber_context *fiber);
} xhprof_fiber_watcher;

/* Sets the hook, at start-up. */
void xhprof_hook_fiber_minit(const xhprof_fiber_watcher *watches);

#endif
