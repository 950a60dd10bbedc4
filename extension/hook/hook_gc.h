/* The engine's cycle collector: when it ran, for the timeline. */
#ifndef XHPROF_HOOK_HOOK_GC_H
#define XHPROF_HOOK_HOOK_GC_H

void xhprof_hook_gc_minit(void);
void xhprof_hook_gc_mshutdown(void);

#endif
