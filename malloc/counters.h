/* Counters of allocations and frees, per thread: a thread adds to a slot of its own, with plain stores; a reader sums
 * over them. Slots of ended threads are reused and keep their figures.
 * The peak: a thread adds its level to the common sum when that has changed by XHPROF_COUNTERS_STEP, with its maximum
 * meanwhile. So it is exact with one thread, and each further one can add an error of a step.
 * Nothing here allocates or takes a lock. */
#ifndef XHPROF_COUNTERS_H
#define XHPROF_COUNTERS_H

#include <stdatomic.h>

#include "xhprof_malloc.h"

#define XHPROF_COUNTERS_STEP 32768

typedef struct xhprof_counters_slot {
	/* Written by the owning thread. */
	_Atomic uint64_t allocated_bytes, freed_bytes, allocations, frees;
	/* Of allocated - freed: the part in the common sum, the maximum since it was added there, and the ends of the
	 * step. */
	_Atomic int64_t base, high, upper, lower;
	_Atomic uint32_t taken;
	_Atomic uint32_t inside; /* of observers (see observe.h): number of nested calls of the thread */
} __attribute__((aligned(128))) xhprof_counters_slot;

/* Other models may allocate at a thread's first access to a variable. */
#define XHPROF_PER_THREAD __thread __attribute__((tls_model("initial-exec")))

/* NULL: the thread has none yet, or no longer; see xhprof_counters_begin_thread(). */
extern XHPROF_PER_THREAD xhprof_counters_slot *xhprof_counters_own;

/* Of threads without one. */
extern xhprof_counters_slot xhprof_counters_shared;

/* Gives this thread a slot, unless it is ending, or paused. */
void xhprof_counters_begin_thread(void);
/* From then on, threads give their slots back when they end. */
void xhprof_counters_watch_threads(void);
/* In between nothing of this thread is counted, or reported to observers. Pauses may be nested. */
void xhprof_counters_pause(void);
void xhprof_counters_resume(void);
bool xhprof_counters_paused(void);
/* In a forked child: the other threads are gone. */
void xhprof_counters_forked(void);

/* For threads without a slot. */
void xhprof_counters_allocated_shared(size_t size);
void xhprof_counters_freed_shared(size_t size);
/* Adds this thread's level to the common sum. */
void xhprof_counters_commit(xhprof_counters_slot *slot);

uint64_t xhprof_counters_current(void);
/* `highest`, unless NULL: like the peak, but since xhprof_counters_reset_highest(). */
void xhprof_counters_read(xhprof_malloc_stats *stats, uint64_t *highest);
void xhprof_counters_reset_peak(void);
void xhprof_counters_reset_highest(void);
/* The next slot ever used, or the shared one, which is last; NULL: the first one. */
xhprof_counters_slot *xhprof_counters_next(xhprof_counters_slot *slot);

#define XHPROF_COUNTERS_GET(field) atomic_load_explicit(&(field), memory_order_relaxed)
/* Released, so that a reader that sees a block's free also sees its allocation. */
#define XHPROF_COUNTERS_SET(field, value) atomic_store_explicit(&(field), (value), memory_order_release)

static inline void xhprof_counters_allocated(size_t size)
{
	xhprof_counters_slot *slot = xhprof_counters_own;
	if (!slot) {
		xhprof_counters_allocated_shared(size);
		return;
	}
	uint64_t allocated = XHPROF_COUNTERS_GET(slot->allocated_bytes) + size;
	XHPROF_COUNTERS_SET(slot->allocated_bytes, allocated);
	XHPROF_COUNTERS_SET(slot->allocations, XHPROF_COUNTERS_GET(slot->allocations) + 1);
	int64_t level = (int64_t)(allocated - XHPROF_COUNTERS_GET(slot->freed_bytes));
	if (level > XHPROF_COUNTERS_GET(slot->high)) {
		XHPROF_COUNTERS_SET(slot->high, level);
		if (level > XHPROF_COUNTERS_GET(slot->upper)) {
			xhprof_counters_commit(slot);
		}
	}
}

static inline void xhprof_counters_freed(size_t size)
{
	xhprof_counters_slot *slot = xhprof_counters_own;
	if (!slot) {
		xhprof_counters_freed_shared(size);
		return;
	}
	uint64_t freed = XHPROF_COUNTERS_GET(slot->freed_bytes) + size;
	XHPROF_COUNTERS_SET(slot->freed_bytes, freed);
	XHPROF_COUNTERS_SET(slot->frees, XHPROF_COUNTERS_GET(slot->frees) + 1);
	if ((int64_t)(XHPROF_COUNTERS_GET(slot->allocated_bytes) - freed) < XHPROF_COUNTERS_GET(slot->lower)) {
		xhprof_counters_commit(slot);
	}
}

#endif
