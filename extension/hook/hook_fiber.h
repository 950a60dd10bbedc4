/* The hook on switches between fibers, each of which has a call stack of its own. */
#ifndef XHPROF_HOOK_FIBER_H
#define XHPROF_HOOK_FIBER_H

void xhprof_hook_fiber_minit(void);

#endif
