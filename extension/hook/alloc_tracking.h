/* One tracking of allocations, from its start to its stop: the ledger of the Zend heap, native memory, marks, types. */
#ifndef XHPROF_HOOK_ALLOC_TRACKING_H
#define XHPROF_HOOK_ALLOC_TRACKING_H

#include "php_xhprof.h"

#include "alloc/alloc_dump.h"

typedef struct xhprof_alloc_tracking_options {
	bool native;            /* native memory too, if available */
	bool by_stack;          /* the tracer does not run: paths of sampled blocks are read from the stack */
	void (*at_limit)(void); /* called once when memory_limit has been reached; or NULL */
} xhprof_alloc_tracking_options;

/* The tracer has been prepared with XHPROF_TRACE_ALLOC. False without memory, or if the heap takes no handlers. */
bool xhprof_alloc_tracking_start(const xhprof_alloc_tracking_options *options);

void xhprof_alloc_tracking_stop(void);

/* After the stop: keeps the records for dumps, until the release; resolves types now. */
void xhprof_alloc_tracking_freeze(void);
void xhprof_alloc_tracking_release(void);

/* Whether there is anything to dump. */
bool xhprof_alloc_tracking_any(void);

static inline bool xhprof_alloc_tracking_running(void)
{
	return XHPROF_G(tracking).running;
}

static inline uint32_t xhprof_alloc_tracking_marks(void)
{
	return __atomic_load_n(&XHPROF_G(alloc).ledger.marks, __ATOMIC_RELAXED);
}

/* Begins a new span of time for dumps by marks; its number, from 1. */
uint32_t xhprof_alloc_tracking_mark(void);

/* Takes a snapshot, which the caller releases; false without memory. Nothing may be started or stopped while it is
 * taken: xhprof_session_lock(), unless no code of the program runs meanwhile. Walks the program's values for their
 * types, unless `options` disable them. */
bool xhprof_alloc_tracking_dump(xhprof_alloc_dump *dump, const xhprof_alloc_dump_options *options);

#endif
