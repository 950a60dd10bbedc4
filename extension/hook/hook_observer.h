/* The link between the engine's observer API and the tracer, for user and internal functions. */
#ifndef XHPROF_HOOK_OBSERVER_H
#define XHPROF_HOOK_OBSERVER_H

#include "php_xhprof.h"

#include "zend_fibers.h"

/* There are two ways to let a profile see functions that were called before it, and to clean up when it stops:
 *   switch  the engine's handle goes from an idle place in functions' run-time caches, where all have the answer "not
 *           observed", to one where they are asked anew; two stores
 *   walk    handlers are added to, and taken off, every function that was called; for when the handle must stay */
void xhprof_hook_observer_minit(void);
void xhprof_hook_observer_mshutdown(void);

/* Chooses the way at the first request; later calls do nothing. `walk`: walks even where switching is possible. */
void xhprof_hook_observer_rinit(bool walk);

/* Returns false if hooks are unavailable: with xhprof.hooks=off, or if the module was loaded too late, by dl(). */
bool xhprof_hook_observer_ready(void);

/* Returns the reason why it walks, or NULL if it switches. */
const char *xhprof_hook_observer_refusal(void);

/* Begin and end the observation. Arm is called at the start of a profile, after the tracer's flags were set; disarm
 * after its stop. */
void xhprof_hook_observer_arm(void);
void xhprof_hook_observer_disarm(void);

/* Begin and end the counting of operations in a sampled profile: only their functions have handlers. */
void xhprof_hook_observer_arm_counting(void);
void xhprof_hook_observer_disarm_counting(void);

/* Returns whether no other extension observes calls. */
bool xhprof_hook_observer_alone(void);

/* Repeats `calls` times the engine's observer work for a call of a function that does nothing, either observed by this
 * extension alone or unobserved. Used by the calibration, while a profile runs. False if it is not possible here. */
bool xhprof_hook_observer_probe(xhprof_symbol_ref symbol, bool internal, bool observed, unsigned calls);

/* Follows the switch to a fiber. `known`: it has run in this profile; otherwise its open frames belong to no call of
 * this profile. */
void xhprof_hook_observer_fiber(zend_fiber_context *to, bool known);

#endif
