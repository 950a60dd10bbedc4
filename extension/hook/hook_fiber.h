/* Fibers: one stack of calls each. */
#ifndef XHPROF_HOOK_FIBER_H
#define XHPROF_HOOK_FIBER_H

void xhprof_hook_fiber_minit(void);

#endif
