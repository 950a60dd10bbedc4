#include "counters.h"

#include <errno.h>
#include <pthread.h>
#include <sys/mman.h>

#define SLOTS_PER_CHUNK 31 /* a page, together with the link to the next one */

typedef struct slot_chunk {
	xhprof_counters_slot slots[SLOTS_PER_CHUNK];
	_Atomic uint32_t used; /* the first ones have been used before */
	struct slot_chunk *_Atomic next;
} slot_chunk;

XHPROF_PER_THREAD xhprof_counters_slot *xhprof_counters_own;
xhprof_counters_slot xhprof_counters_shared;

static slot_chunk first_chunk;
static _Atomic int64_t committed, peak, highest_since;
static pthread_key_t thread_key;
static bool threads_watched;
static XHPROF_PER_THREAD bool without_slot; /* the thread ends, or is about to get a slot */
static XHPROF_PER_THREAD int paused;
static XHPROF_PER_THREAD xhprof_counters_slot *slot_before_pause;

static void raise_to(_Atomic int64_t *highest, int64_t value)
{
	int64_t old = atomic_load_explicit(highest, memory_order_relaxed);
	while (value > old &&
		   !atomic_compare_exchange_weak_explicit(highest, &old, value, memory_order_relaxed, memory_order_relaxed)) {
	}
}

static void add_to_committed(int64_t change, int64_t highest_change)
{
	int64_t before = atomic_fetch_add_explicit(&committed, change, memory_order_relaxed);
	raise_to(&peak, before + highest_change);
	raise_to(&highest_since, before + highest_change);
}

void xhprof_counters_commit(xhprof_counters_slot *slot)
{
	int64_t level = (int64_t)(XHPROF_COUNTERS_GET(slot->allocated_bytes) - XHPROF_COUNTERS_GET(slot->freed_bytes));
	int64_t base = XHPROF_COUNTERS_GET(slot->base);
	add_to_committed(level - base, XHPROF_COUNTERS_GET(slot->high) - base);
	XHPROF_COUNTERS_SET(slot->base, level);
	XHPROF_COUNTERS_SET(slot->high, level);
	XHPROF_COUNTERS_SET(slot->upper, level + XHPROF_COUNTERS_STEP);
	XHPROF_COUNTERS_SET(slot->lower, level - XHPROF_COUNTERS_STEP);
}

void xhprof_counters_allocated_shared(size_t size)
{
	if (paused) {
		return;
	}
	atomic_fetch_add_explicit(&xhprof_counters_shared.allocated_bytes, size, memory_order_release);
	atomic_fetch_add_explicit(&xhprof_counters_shared.allocations, 1, memory_order_release);
	add_to_committed((int64_t)size, (int64_t)size);
}

void xhprof_counters_freed_shared(size_t size)
{
	if (paused) {
		return;
	}
	atomic_fetch_add_explicit(&xhprof_counters_shared.freed_bytes, size, memory_order_release);
	atomic_fetch_add_explicit(&xhprof_counters_shared.frees, 1, memory_order_release);
	add_to_committed(-(int64_t)size, 0);
}

static bool take_slot(xhprof_counters_slot *slot)
{
	uint32_t free_one = 0;
	return atomic_load_explicit(&slot->taken, memory_order_relaxed) == 0 &&
		   atomic_compare_exchange_strong_explicit(&slot->taken, &free_one, 1, memory_order_acquire,
												   memory_order_relaxed);
}

static xhprof_counters_slot *take_slot_in(slot_chunk *chunk)
{
	for (uint32_t i = 0; i < SLOTS_PER_CHUNK; i++) {
		if (take_slot(&chunk->slots[i])) {
			uint32_t used = atomic_load_explicit(&chunk->used, memory_order_relaxed);
			while (used < i + 1 && !atomic_compare_exchange_weak(&chunk->used, &used, i + 1)) {
			}
			return &chunk->slots[i];
		}
	}
	return NULL;
}

static xhprof_counters_slot *take_any_slot(void)
{
	slot_chunk *chunk = &first_chunk;
	for (;;) {
		xhprof_counters_slot *slot = take_slot_in(chunk);
		if (slot) {
			return slot;
		}
		slot_chunk *next = atomic_load_explicit(&chunk->next, memory_order_acquire);
		if (!next) {
			slot_chunk *made =
				mmap(NULL, sizeof(slot_chunk), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
			if (made == MAP_FAILED) {
				return NULL;
			}
			if (atomic_compare_exchange_strong(&chunk->next, &next, made)) {
				next = made;
			} else {
				munmap(made, sizeof(slot_chunk));
			}
		}
		chunk = next;
	}
}

static void thread_ended(void *slot)
{
	/* The shared slot counts later allocations and frees, by other destructors and the C library. */
	without_slot = true;
	xhprof_counters_own = NULL;
	xhprof_counters_commit(slot);
	atomic_store_explicit(&((xhprof_counters_slot *)slot)->taken, 0, memory_order_release);
}

void xhprof_counters_begin_thread(void)
{
	if (without_slot || paused) {
		return;
	}
	int saved_errno = errno;
	without_slot = true; /* pthread_setspecific() may allocate */
	xhprof_counters_slot *slot = take_any_slot();
	if (slot && threads_watched) {
		pthread_setspecific(thread_key, slot);
	}
	xhprof_counters_own = slot;
	without_slot = false;
	errno = saved_errno;
}

void xhprof_counters_watch_threads(void)
{
	if (!threads_watched && pthread_key_create(&thread_key, thread_ended) == 0) {
		threads_watched = true;
		if (xhprof_counters_own) {
			pthread_setspecific(thread_key, xhprof_counters_own);
		}
	}
}

void xhprof_counters_pause(void)
{
	if (paused++ == 0) {
		slot_before_pause = xhprof_counters_own;
		xhprof_counters_own = NULL;
	}
}

void xhprof_counters_resume(void)
{
	if (--paused == 0) {
		xhprof_counters_own = slot_before_pause;
	}
}

bool xhprof_counters_paused(void)
{
	return paused != 0;
}

void xhprof_counters_forked(void)
{
	for (xhprof_counters_slot *slot = NULL; (slot = xhprof_counters_next(slot)) != NULL;) {
		if (slot != xhprof_counters_own) {
			XHPROF_COUNTERS_SET(slot->taken, 0);
			XHPROF_COUNTERS_SET(slot->inside, 0);
		}
	}
}

xhprof_counters_slot *xhprof_counters_next(xhprof_counters_slot *slot)
{
	if (slot == &xhprof_counters_shared) {
		return NULL;
	}
	slot_chunk *chunk = &first_chunk;
	if (slot) {
		while (slot < chunk->slots || slot >= chunk->slots + SLOTS_PER_CHUNK) {
			chunk = atomic_load_explicit(&chunk->next, memory_order_acquire);
		}
	}
	uint32_t next = slot ? (uint32_t)(slot - chunk->slots) + 1 : 0;
	while (next >= atomic_load(&chunk->used)) {
		chunk = atomic_load_explicit(&chunk->next, memory_order_acquire);
		if (!chunk) {
			return &xhprof_counters_shared;
		}
		next = 0;
	}
	return &chunk->slots[next];
}

static uint64_t clamp_to_zero(int64_t value)
{
	return value > 0 ? (uint64_t)value : 0;
}

/* Returns the level of a slot's thread at one moment, while it may allocate and free concurrently. */
static int64_t level_of(xhprof_counters_slot *slot)
{
	uint64_t allocated, freed = atomic_load_explicit(&slot->freed_bytes, memory_order_acquire), before;
	int tries = 0;
	do {
		before = freed;
		allocated = atomic_load_explicit(&slot->allocated_bytes, memory_order_acquire);
		freed = atomic_load_explicit(&slot->freed_bytes, memory_order_acquire);
	} while (freed != before && ++tries < 8);
	return (int64_t)(allocated - freed);
}

uint64_t xhprof_counters_current(void)
{
	int64_t current = 0;
	for (xhprof_counters_slot *slot = NULL; (slot = xhprof_counters_next(slot)) != NULL;) {
		current += level_of(slot);
	}
	return clamp_to_zero(current);
}

static uint64_t peak_of(_Atomic int64_t *highest, int64_t reached)
{
	raise_to(highest, reached);
	return clamp_to_zero(atomic_load_explicit(highest, memory_order_relaxed));
}

void xhprof_counters_read(xhprof_malloc_stats *stats, uint64_t *highest)
{
	uint64_t frees = 0, allocated = 0, allocations = 0;
	int64_t above = 0, steps = 0;
	/* The frees first: all those blocks were allocated before. */
	for (xhprof_counters_slot *slot = NULL; (slot = xhprof_counters_next(slot)) != NULL;) {
		frees += atomic_load_explicit(&slot->frees, memory_order_acquire);
	}
	for (xhprof_counters_slot *slot = NULL; (slot = xhprof_counters_next(slot)) != NULL;) {
		allocated += atomic_load_explicit(&slot->allocated_bytes, memory_order_acquire);
		allocations += atomic_load_explicit(&slot->allocations, memory_order_acquire);
		int64_t step = XHPROF_COUNTERS_GET(slot->high) - XHPROF_COUNTERS_GET(slot->base);
		/* Another thread may be about to add more than a step to the sum. */
		step = step < XHPROF_COUNTERS_STEP ? step : XHPROF_COUNTERS_STEP;
		above = step > above ? step : above;
		steps += XHPROF_COUNTERS_STEP;
	}
	int64_t current = (int64_t)xhprof_counters_current();
	int64_t reached = atomic_load_explicit(&committed, memory_order_relaxed);
	/* A free of one thread and an allocation of another meanwhile may both be included: the peak would keep that. */
	current = current < reached + steps ? current : reached + steps;
	reached = current > reached + above ? current : reached + above;
	*stats = (xhprof_malloc_stats){
		.current_bytes = clamp_to_zero(current),
		.peak_bytes = peak_of(&peak, reached),
		.total_bytes = allocated,
		.current_blocks = clamp_to_zero((int64_t)(allocations - frees)),
		.allocations = allocations,
		.frees = frees,
	};
	if (highest) {
		uint64_t since = peak_of(&highest_since, reached);
		*highest = since < stats->peak_bytes ? since : stats->peak_bytes;
	}
}

static void reset_highest(_Atomic int64_t *highest)
{
	/* The other threads' maxima stay: a step at most each. */
	if (xhprof_counters_own) {
		xhprof_counters_commit(xhprof_counters_own);
	}
	atomic_store_explicit(highest, (int64_t)xhprof_counters_current(), memory_order_relaxed);
}

void xhprof_counters_reset_peak(void)
{
	reset_highest(&peak);
}

void xhprof_counters_reset_highest(void)
{
	reset_highest(&highest_since);
}
