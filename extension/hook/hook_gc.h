/* Collections of garbage, by the engine or the program, are operations of the function that runs. */
#ifndef XHPROF_HOOK_GC_H
#define XHPROF_HOOK_GC_H

/* Wraps the engine's collector, once per process; threads may race for it. */
void xhprof_hook_gc_install(void);
void xhprof_hook_gc_mshutdown(void);

#endif
