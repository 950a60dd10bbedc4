/* User and internal functions: the engine's observer API -> BEGIN_PROFILING / END_PROFILING. */
#ifndef XHPROF_HOOK_OBSERVER_H
#define XHPROF_HOOK_OBSERVER_H

#include "php_xhprof.h"

void xhprof_hook_observer_minit(void);
void xhprof_hook_observer_rinit(void);

/* False when the module came too late to observe anything, by dl(). */
bool xhprof_hook_observer_ready(void);

/* While nothing is profiled the engine is told not to observe; this adds our handlers to all functions that were called
 * meanwhile. Called at the start of every profile. */
void xhprof_hook_observer_arm(void);

#endif
