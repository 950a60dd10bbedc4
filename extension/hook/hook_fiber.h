/* The hooks on fibers, each of which has a call stack of its own: that one is made, that the program goes from one to
 * another, that one is destroyed. */
#ifndef XHPROF_HOOK_FIBER_H
#define XHPROF_HOOK_FIBER_H

#include "php_xhprof.h"

#include "zend_fibers.h"

/* Decides to which part of a session (session_part.h) a fiber belongs. */
typedef struct xhprof_fiber_watcher {
	void (*made)(zend_fiber_context *fiber); /* by the code that runs */
	/* Called before each switch. True if another part goes on. */
	bool (*switched)(zend_fiber_context *from, zend_fiber_context *to);
	void (*destroyed)(zend_fiber_context *fiber);
} xhprof_fiber_watcher;

/* Set the hooks at start-up, and remove what has to be at the end. */
void xhprof_hook_fiber_minit(const xhprof_fiber_watcher *watches);
void xhprof_hook_fiber_mshutdown(void);

#endif
