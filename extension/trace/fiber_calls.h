/* The calls of each fiber, of the part of a profile that runs. Fibers are identified by the engine's contexts. */
#ifndef XHPROF_TRACE_FIBER_CALLS_H
#define XHPROF_TRACE_FIBER_CALLS_H

#include "tracer.h"

/* Switches to another fiber in the same part. `called`: the current call has started or resumed it, so its calls belong
 * below this one. Otherwise `to` goes on where it was left, or below main() if it is new. */
void xhprof_fiber_calls_switch(xhprof_tracer *tracer, const void *from, const void *to, bool called);

/* The two halves of a switch between which another part takes the place of this one (parked.h). Leave is false without
 * memory: nothing has changed. */
bool xhprof_fiber_calls_leave(xhprof_tracer *tracer, const void *from);
void xhprof_fiber_calls_enter(xhprof_tracer *tracer, const void *to);

/* Forgets a fiber that is destroyed. */
void xhprof_fiber_calls_end(xhprof_tracer *tracer, const void *fiber);

/* Returns whether the fiber has run in this profile, in whatever part of it. */
bool xhprof_fiber_calls_known(const xhprof_tracer *tracer, const void *fiber);

/* Gives the calls of all fibers back, as the part ends. */
void xhprof_fiber_calls_drop(xhprof_tracer *tracer);

#endif
