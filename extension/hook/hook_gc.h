/* The engine's cycle collector, whoever starts it: its runs are operations of the function that runs, and marks of the
 * timeline. */
#ifndef XHPROF_HOOK_GC_H
#define XHPROF_HOOK_GC_H

void xhprof_hook_gc_minit(void);
void xhprof_hook_gc_mshutdown(void);

#endif
