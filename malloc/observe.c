#include "observe.h"

#include <errno.h>
#include <sched.h>
#include <time.h>

#include "counters.h"
#include "profile_log.h"

_Atomic uint32_t xhprof_observe_active;

static const xhprof_malloc_watcher *_Atomic current_watcher;
static _Atomic bool was_watched;
static _Atomic(xhprof_malloc_callback) current_callback;
static void *_Atomic callback_cookie;
static atomic_flag callback_changes = ATOMIC_FLAG_INIT;
/* The watcher that this thread has set: its own calls need no marks, as no other thread unwatches it. */
static XHPROF_PER_THREAD const xhprof_malloc_watcher *own_watcher;
/* Whether this thread is within an observer's function. */
static XHPROF_PER_THREAD bool notifying;

/* Marks that this thread is within an observer, before that is read: the thread that removes it sees either this mark,
 * or that no other thread can reach it any more. */
static xhprof_counters_slot *enter_observer(void)
{
	xhprof_counters_slot *slot = xhprof_counters_own ? xhprof_counters_own : &xhprof_counters_shared;
	atomic_fetch_add(&slot->inside, 1);
	return slot;
}

static void leave_observer(xhprof_counters_slot *slot)
{
	atomic_fetch_sub_explicit(&slot->inside, 1, memory_order_release);
}

/* Waits until no other thread is within the removed observer. */
static void wait_for_others(void)
{
	const xhprof_counters_slot *own = xhprof_counters_own ? xhprof_counters_own : &xhprof_counters_shared;
	for (xhprof_counters_slot *slot = NULL; (slot = xhprof_counters_next(slot)) != NULL;) {
		for (int tries = 0; slot != own && atomic_load(&slot->inside) != 0; tries++) {
			if (tries < 100) {
				sched_yield();
			} else {
				nanosleep(&(struct timespec){.tv_nsec = 50000}, NULL);
			}
		}
	}
}

static void notify_watcher(void *block, size_t size, bool allocated)
{
	const xhprof_malloc_watcher *watcher = atomic_load_explicit(&current_watcher, memory_order_relaxed);
	if (!watcher) {
		return;
	}
	bool mine = watcher == own_watcher;
	xhprof_counters_slot *slot = NULL;
	if (!mine) {
		slot = enter_observer();
		watcher = atomic_load(&current_watcher);
	}
	if (watcher) {
		(allocated ? watcher->allocated : watcher->freed)(watcher->context, block, size, mine);
	}
	if (slot) {
		leave_observer(slot);
	}
}

static void notify_change(void)
{
	uint32_t active = atomic_load_explicit(&xhprof_observe_active, memory_order_relaxed);
	if (active & XHPROF_OBSERVE_CALLBACK) {
		xhprof_counters_slot *slot = enter_observer();
		xhprof_malloc_callback callback = atomic_load(&current_callback);
		if (callback) {
			callback(atomic_load(&callback_cookie), xhprof_counters_current());
		}
		leave_observer(slot);
	}
	if (active & XHPROF_OBSERVE_PROFILE) {
		xhprof_profile_log_change();
	}
}

static void notify(void *block, size_t size, bool allocated, bool changed)
{
	if (notifying) {
		return;
	}
	int saved_errno = errno;
	notifying = true;
	if (block) {
		notify_watcher(block, size, allocated);
	}
	if (changed) {
		notify_change();
	}
	notifying = false;
	errno = saved_errno;
}

void xhprof_observe_allocated(void *block, size_t size)
{
	notify(block, size, true, true);
}

void xhprof_observe_freed(void *block, size_t size)
{
	notify(block, size, false, true);
}

void xhprof_observe_realloc_begin(void *block, size_t size)
{
	notify(block, size, false, false);
}

void xhprof_observe_realloc_failed(void *block, size_t size)
{
	notify(block, size, true, false);
}

static void set_active(uint32_t which, bool on)
{
	if (on) {
		atomic_fetch_or(&xhprof_observe_active, which);
	} else {
		atomic_fetch_and(&xhprof_observe_active, ~which);
	}
}

bool xhprof_observe_watch(const xhprof_malloc_watcher *watcher)
{
	const xhprof_malloc_watcher *none = NULL;
	if (!atomic_compare_exchange_strong(&current_watcher, &none, watcher)) {
		return false;
	}
	own_watcher = watcher;
	atomic_store(&was_watched, true);
	set_active(XHPROF_OBSERVE_WATCHER, true);
	return true;
}

void xhprof_observe_unwatch(const xhprof_malloc_watcher *watcher)
{
	if (!watcher || atomic_load(&current_watcher) != watcher) {
		return;
	}
	/* First the bit: once there is no watcher, another thread may set its own. */
	set_active(XHPROF_OBSERVE_WATCHER, false);
	own_watcher = NULL;
	atomic_store(&current_watcher, NULL);
	wait_for_others();
}

bool xhprof_observe_was_watched(void)
{
	return atomic_load(&was_watched);
}

void xhprof_malloc_set_callback(xhprof_malloc_callback callback, void *cookie)
{
	while (atomic_flag_test_and_set(&callback_changes)) {
		sched_yield();
	}
	set_active(XHPROF_OBSERVE_CALLBACK, false);
	atomic_store(&current_callback, NULL);
	wait_for_others();
	atomic_store(&callback_cookie, cookie);
	atomic_store(&current_callback, callback);
	set_active(XHPROF_OBSERVE_CALLBACK, callback != NULL);
	atomic_flag_clear(&callback_changes);
}

void xhprof_observe_profile(bool on)
{
	set_active(XHPROF_OBSERVE_PROFILE, on);
}

void xhprof_observe_forked(void)
{
	atomic_flag_clear(&callback_changes);
}
