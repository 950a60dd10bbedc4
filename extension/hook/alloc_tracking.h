/* The tracking of allocations, from its start to its stop: the ledger of the Zend heap, native memory, marks, types. */
#ifndef XHPROF_HOOK_ALLOC_TRACKING_H
#define XHPROF_HOOK_ALLOC_TRACKING_H

#include "php_xhprof.h"

#include "alloc/alloc_dump.h"

typedef struct xhprof_alloc_tracking_options {
	bool native;            /* tracks native memory too, if available */
	bool by_stack;          /* paths of sampled blocks are read from the stack, as the tracer does not run */
	void (*at_limit)(void); /* called once when memory_limit has been reached; or NULL */
} xhprof_alloc_tracking_options;

/* Starts a tracking. The tracer has been prepared with XHPROF_TRACE_ALLOC. False without memory, or if the heap takes
 * no handlers. */
bool xhprof_alloc_tracking_start(const xhprof_alloc_tracking_options *options);

void xhprof_alloc_tracking_stop(void);

/* Keep the records for dumps after the stop, and release them. Freeze resolves the types of the blocks. */
void xhprof_alloc_tracking_freeze(void);
void xhprof_alloc_tracking_release(void);

/* Returns whether there is anything to dump. */
bool xhprof_alloc_tracking_any(void);

static inline bool xhprof_alloc_tracking_running(void)
{
	return XHPROF_G(tracking).running;
}

static inline uint32_t xhprof_alloc_tracking_marks(void)
{
	return __atomic_load_n(&XHPROF_G(alloc).ledger.marks, __ATOMIC_RELAXED);
}

/* Makes a mark, between which dumps can select blocks, and returns its number, from 1. */
uint32_t xhprof_alloc_tracking_mark(void);

/* Names the job that has ended with a mark, by the id of a symbol of the tracer. */
void xhprof_alloc_tracking_name_mark(uint32_t mark, uint32_t job);

/* Takes a dump, which the caller releases; false without memory. Nothing may be started or stopped meanwhile: the
 * caller holds xhprof_session_lock(), unless no code of the program runs. Walks the program's values for their types,
 * unless `options` disable them. */
bool xhprof_alloc_tracking_dump(xhprof_alloc_dump *dump, const xhprof_alloc_dump_options *options);

#endif
