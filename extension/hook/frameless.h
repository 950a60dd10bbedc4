/* Frameless calls (compat/frameless.h): while something reads the stack, trampolines around their handlers show which of
 * them runs. The handlers are the process's; with no reader they are the engine's own, so that nothing is paid. Only with
 * threads or a JIT the trampolines are always on. */
#ifndef XHPROF_HOOK_FRAMELESS_H
#define XHPROF_HOOK_FRAMELESS_H

#include "php_xhprof.h"

/* Called around each such call that shows. At start-up only: a watcher stays as long as the module. */
typedef struct xhprof_frameless_watcher {
	void (*calling)(void);
	void (*called)(const zend_function *function);
} xhprof_frameless_watcher;

void xhprof_frameless_watch(const xhprof_frameless_watcher *watcher);

/* At start-up. Where it is not called, as after dl(), nothing shows. */
void xhprof_frameless_minit(void);

/* When a request begins; the settings of the JIT are known then. */
void xhprof_frameless_rinit(void);

/* Every begin has its end. In any thread. */
void xhprof_frameless_begin(void);
void xhprof_frameless_end(void);

/* At the end of the process: takes the trampolines off. */
void xhprof_frameless_mshutdown(void);

/* The function that the innermost frame is calling so, or NULL. */
static inline const zend_function *xhprof_frameless_running(const zend_execute_data *innermost)
{
	return innermost && XHPROF_G(frameless).frame == innermost ? XHPROF_G(frameless).function : NULL;
}

#endif
