/* The hook on runs of the engine's cycle collector, started by the program or by the engine. Each is recorded as an
 * operation of the function that runs, and as a mark of the timeline. */
#ifndef XHPROF_HOOK_GC_H
#define XHPROF_HOOK_GC_H

void xhprof_hook_gc_minit(void);
void xhprof_hook_gc_mshutdown(void);

#endif
