/* Handlers on the live Zend heap that record every block in the ledger and leave the work to the heap itself. They do
 * not change its statistics and its limit. */
#ifndef XHPROF_HOOK_ALLOC_H
#define XHPROF_HOOK_ALLOC_H

#include "php_xhprof.h"

/* At start-up only. */
void xhprof_hook_alloc_minit(void);
void xhprof_hook_alloc_mshutdown(void);

/* At every request: drops handlers that could not be taken off at the end of the last one. */
void xhprof_hook_alloc_rinit(void);

/* False if the module was loaded too late for this, by dl(). */
bool xhprof_hook_alloc_ready(void);

/* Begins the ledger and records from now on; the nodes of the tracer's tree count blocks. `by_stack`: the tracer does
 * not run, so the path of a sampled block is read from the stack. `at_limit`: called once when memory_limit has been
 * reached; or NULL. False without memory. */
bool xhprof_hook_alloc_start(uint32_t max_records, uint64_t sample_bytes, bool by_stack, void (*at_limit)(void));

/* Stops recording and takes the handlers off; the ledger stays. If another extension has put its own above ours since,
 * ours stay as well and only pass calls on; another call tries again. */
void xhprof_hook_alloc_stop(void);

static inline bool xhprof_hook_alloc_recording(void)
{
	return XHPROF_G(alloc).recording;
}

/* For the tracer's options: see there. */
void xhprof_hook_alloc_moved(const xhprof_shedding *shedding);
xhprof_peak_bytes xhprof_hook_alloc_peak_bytes(void);

/* In a forked child: what was dropped, and the peak, are the parent's; other blocks than there are sampled. */
void xhprof_hook_alloc_forget(void);

/* Gives the ledger's memory back, but for pages that stay for the next one: as xhprof.keep_memory allows, or a quarter of
 * `*budget`, from which they are taken. */
void xhprof_hook_alloc_release(void);
void xhprof_hook_alloc_recycle(size_t *budget);

#endif
