/* Frameless calls (compat/frameless.h). While something reads the stack, trampolines around their handlers record which
 * of them runs. The handlers belong to the whole process; with no reader they are the engine's own, so that calls cost
 * nothing more. With threads or a JIT the trampolines are always on. */
#ifndef XHPROF_HOOK_FRAMELESS_H
#define XHPROF_HOOK_FRAMELESS_H

#include "php_xhprof.h"

/* Callbacks around each frameless call that is recorded. They are registered at start-up only, and stay as long as the
 * module. */
typedef struct xhprof_frameless_watcher {
	void (*calling)(void);
	void (*called)(const zend_function *function);
} xhprof_frameless_watcher;

void xhprof_frameless_watch(const xhprof_frameless_watcher *watcher);

/* Prepares the trampolines at start-up. If it is not called, as after dl(), no frameless call is recorded. */
void xhprof_frameless_minit(void);

/* Turns the trampolines on for good if a JIT runs, when a request begins: its settings are known then. */
void xhprof_frameless_rinit(void);

/* Begin and end a time in which frameless calls are recorded. They are called in pairs, in any thread. */
void xhprof_frameless_begin(void);
void xhprof_frameless_end(void);

/* Takes the trampolines off, at the end of the process. */
void xhprof_frameless_mshutdown(void);

/* Returns the function that the innermost frame is calling without a frame, or NULL. */
static inline const zend_function *xhprof_frameless_running(const zend_execute_data *innermost)
{
	return innermost && XHPROF_G(frameless).frame == innermost ? XHPROF_G(frameless).function : NULL;
}

#endif
