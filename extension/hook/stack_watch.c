#include "stack_watch.h"

#include "base/own_memory.h"

#include <string.h>

#define TRIES 3

void xhprof_stack_watch_init(xhprof_stack_watch *watch)
{
	zend_vm_stack page = EG(vm_stack);
	while (page && page->prev) {
		page = page->prev;
	}
	if (page && !EG(active_fiber)) { /* a fiber has pages of its own, which end with it */
		watch->page = (uintptr_t)page;
		watch->page_size = (uintptr_t)page->end - (uintptr_t)page;
	}
	watch->current = &EG(current_execute_data);
}

/* Copies a frame. The first page of the engine's stack stays for the request and is read in place. A frame elsewhere
 * may be freed meanwhile, even unmapped: if reading would crash, the kernel refuses to copy. */
static bool copy_frame(const xhprof_stack_watch *watch, xhprof_sample_timer *timer, const zend_execute_data *frame,
					   zend_execute_data *copy)
{
	uintptr_t offset = (uintptr_t)frame - watch->page;
	if (offset < watch->page_size && watch->page_size - offset >= sizeof(*copy)) {
		memcpy(copy, frame, sizeof(*copy));
		return true;
	}
	bool refused;
	size_t got = xhprof_own_memory_copy(frame, copy, sizeof(*copy), &refused);
	if (refused && xhprof_sample_timer_own_files(timer)) {
		got = xhprof_own_memory_copy_by_file(frame, copy, sizeof(*copy));
	}
	return got == sizeof(*copy);
}

/* Copies the innermost frames. A copy made after the program left the innermost frame may mix two stacks and is
 * dropped. The engine's own writes have no order for other threads: on aarch64 a frame may be seen a moment before its
 * members. What is copied then is an earlier call's, and no member is followed before it is found in the request's
 * tables. */
static void copy_stack(const xhprof_stack_watch *watch, xhprof_sample_timer *timer,
					   xhprof_seen_frame seen[XHPROF_SEEN_FRAMES])
{
	for (int tries = 0; tries < TRIES && !seen[0].frame; tries++) {
		const zend_execute_data *current = __atomic_load_n(watch->current, __ATOMIC_ACQUIRE), *frame = current;
		for (size_t i = 0; i < XHPROF_SEEN_FRAMES && frame; i++) {
			zend_execute_data copy;
			bool copied = copy_frame(watch, timer, frame, &copy);
			__atomic_thread_fence(__ATOMIC_ACQUIRE); /* the copy is read before the second look, not after */
			if (__atomic_load_n(watch->current, __ATOMIC_RELAXED) != current) {
				break;
			}
			if (copied) {
				seen[i] = (xhprof_seen_frame){frame, copy.func, copy.opline};
			} else if (i == 0) {
				seen[i] = (xhprof_seen_frame){.frame = frame};
			}
			frame = copied ? copy.prev_execute_data : NULL;
		}
	}
}

void xhprof_stack_watch_look(xhprof_stack_watch *watch, xhprof_sample_timer *timer, bool again)
{
	xhprof_seen_frame seen[XHPROF_SEEN_FRAMES] = {{NULL, NULL, NULL}};
	copy_stack(watch, timer, seen);
	if (again && !seen[0].frame) {
		return; /* the program changes too fast */
	}
	bool same = seen[0].frame == watch->seen[0].frame && seen[0].function == watch->seen[0].function;
	if (again && !same && --watch->votes > 0) {
		return;
	}
	watch->votes = again && same ? watch->votes + 1 : 1;
	memcpy(watch->seen, seen, sizeof(seen));
}
