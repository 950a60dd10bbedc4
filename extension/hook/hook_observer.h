/* User and internal functions: from the engine's observer API to the tracer. */
#ifndef XHPROF_HOOK_OBSERVER_H
#define XHPROF_HOOK_OBSERVER_H

#include "php_xhprof.h"

#include "zend_fibers.h"

/* Lets a profile see functions that were called before it, and cleans up when it stops:
 *   switch  the engine's handle goes from an idle place in functions' run-time caches, where all have the answer "not
 *           observed", to one where they are asked anew; two stores
 *   walk    handlers are added to, and taken off, every function that was called; for when the handle must stay */
void xhprof_hook_observer_minit(void);
void xhprof_hook_observer_mshutdown(void);

/* `walk`: even where switching is possible. Counts at the first request only. */
void xhprof_hook_observer_rinit(bool walk);

/* False if hooks are unavailable: xhprof.hooks=off, or the module was loaded too late, by dl(). */
bool xhprof_hook_observer_ready(void);

/* Why it walks, or NULL when it switches. */
const char *xhprof_hook_observer_refusal(void);

/* Call it at the start, with the tracer's flags set, and after the stop of every profile. */
void xhprof_hook_observer_arm(void);
void xhprof_hook_observer_disarm(void);

/* The same for counting operations, of a sampled profile: only their functions have handlers. */
void xhprof_hook_observer_arm_counting(void);
void xhprof_hook_observer_disarm_counting(void);

/* No other extension observes calls. */
bool xhprof_hook_observer_alone(void);

/* Does, `calls` times, the engine's observer work for a call of a function that does nothing: one that we alone
 * observe, or an unobserved one. False if that is not possible here. For calibration; a profile runs. */
bool xhprof_hook_observer_probe(xhprof_symbol_ref symbol, bool internal, bool observed, unsigned calls);

/* A fiber resumes. `known`: it has run in this profile; else its open frames belong to no call of this profile. */
void xhprof_hook_observer_fiber(zend_fiber_context *to, bool known);

#endif
