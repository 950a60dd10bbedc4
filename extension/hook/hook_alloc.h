/* Handlers on the live Zend heap that record each block in the ledger and leave the allocation to the heap itself. The
 * heap's statistics and its limit do not change. */
#ifndef XHPROF_HOOK_ALLOC_H
#define XHPROF_HOOK_ALLOC_H

#include "php_xhprof.h"

/* Set up and shut down, at start-up only. */
void xhprof_hook_alloc_minit(void);
void xhprof_hook_alloc_mshutdown(void);

/* Takes off, at the begin of a request, handlers that could not be taken off at the end of the last one. */
void xhprof_hook_alloc_rinit(void);

/* Returns false if the module was loaded too late for handlers, by dl(). */
bool xhprof_hook_alloc_ready(void);

/* Begins the ledger and records from now on; the nodes of the tracer's tree count blocks. `by_stack`: the path of a
 * sampled block is read from the stack, as the tracer does not run. `carries`: sampled blocks may be carried on after
 * the stop (alloc/carry.h); otherwise those that are carried are forgotten, as their frees are not seen. `at_limit`:
 * called once when memory_limit has been reached; or NULL. False without memory. */
bool xhprof_hook_alloc_start(uint32_t max_records, uint64_t sample_bytes, bool by_stack, bool carries,
							 void (*at_limit)(void));

/* Stops recording and takes the handlers off; the ledger stays. If another extension has put its own above ours since,
 * ours stay as well and only pass calls on; another call tries again. */
void xhprof_hook_alloc_stop(void);

static inline bool xhprof_hook_alloc_recording(void)
{
	return XHPROF_G(alloc).recording;
}

/* After the stop: ends the request of the sampled blocks that are not freed, as xhprof_carry_close() does, if they can be
 * carried on. Returns whether they can. */
bool xhprof_hook_alloc_close(uint32_t (*path_of)(void *context, uint32_t node), void *context);

/* Makes the sampled blocks that are not freed an open request's, while recording goes on for several. */
void xhprof_hook_alloc_open(const void *owner);

/* Watches the frees of carried blocks until the next start or the end of the request. */
void xhprof_hook_alloc_rest(void);

/* Forgets the carried blocks: the heap is another one. */
void xhprof_hook_alloc_carry_none(void);

/* Callbacks for the tracer's options nodes_moved and peak_bytes; see there. */
void xhprof_hook_alloc_moved(const xhprof_shedding *shedding);
xhprof_peak_bytes xhprof_hook_alloc_peak_bytes(void);

/* Forgets in a forked child what belongs to the parent: the dropped blocks and the peak. From now on other blocks are
 * sampled than in the parent. */
void xhprof_hook_alloc_forget(void);

/* Release the ledger's memory, except pages that stay for the next one: as many as xhprof.keep_memory allows, or a
 * quarter of `*budget`, which they are taken off. */
void xhprof_hook_alloc_release(void);
void xhprof_hook_alloc_recycle(size_t *budget);

#endif
