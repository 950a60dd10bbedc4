/* User and internal functions: the engine's observer API -> BEGIN_PROFILING / END_PROFILING. */
#ifndef XHPROF_HOOK_OBSERVER_H
#define XHPROF_HOOK_OBSERVER_H

#include "php_xhprof.h"

#include "zend_fibers.h"

/* How a profile begins to see functions that were called before it, and leaves nothing behind when it stops:
 *   switch  the engine's handle goes from an idle place in functions' run-time caches, where all have the answer "not
 *           observed", to one where they are asked anew; two stores
 *   walk    handlers are added to, and taken off, every function that was called; for where the handle must stay */
void xhprof_hook_observer_minit(void);
void xhprof_hook_observer_mshutdown(void);

/* `walk`: even where switching is possible. Counts at the first request only. */
void xhprof_hook_observer_rinit(bool walk);

/* False when no hooks are to be had: xhprof.hooks=off, or the module came too late, by dl(). */
bool xhprof_hook_observer_ready(void);

/* Why it walks, or NULL when it switches. */
const char *xhprof_hook_observer_refusal(void);

/* At the start, with the tracer's flags set, and after the stop of every profile. */
void xhprof_hook_observer_arm(void);
void xhprof_hook_observer_disarm(void);

/* No other extension observes calls. */
bool xhprof_hook_observer_alone(void);

/* Does, `calls` times, what the engine does about observers when a function that does nothing is called: one that is
 * observed, by us alone, or one that is not. False when that cannot be done here. For calibration; a profile runs. */
bool xhprof_hook_observer_probe(xhprof_symbol_ref symbol, bool internal, bool observed, unsigned calls);

/* A fiber goes on. `known`: it has run in this profile; else the frames it has open are not this profile's. */
void xhprof_hook_observer_fiber(zend_fiber_context *to, bool known);

#endif
