#include "stack_watch.h"

#include <string.h>
#ifdef HAVE_PROCESS_VM_READV
#include <sys/uio.h>
#include <unistd.h>
#endif

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

/* The first page of the engine's stack stays for the request and is read in place. A frame elsewhere may be freed
 * meanwhile, even unmapped: if reading would crash, the kernel refuses to copy. */
static bool copy_frame(const xhprof_stack_watch *watch, const zend_execute_data *frame, zend_execute_data *copy)
{
	uintptr_t offset = (uintptr_t)frame - watch->page;
	if (offset < watch->page_size && watch->page_size - offset >= sizeof(*copy)) {
		memcpy(copy, frame, sizeof(*copy));
		return true;
	}
#ifdef HAVE_PROCESS_VM_READV
	struct iovec here = {copy, sizeof(*copy)}, there = {(void *)frame, sizeof(*copy)};
	return process_vm_readv(getpid(), &here, 1, &there, 1, 0) == (ssize_t)sizeof(*copy);
#else
	return false;
#endif
}

/* A copy made after the program left the innermost frame may mix two stacks and is dropped. The engine's own writes have
 * no order for other threads: on aarch64 a frame may be seen a moment before its members. What is copied then is an
 * earlier call's, and no member is followed before it is found in the request's tables. */
static void copy_stack(const xhprof_stack_watch *watch, xhprof_seen_frame seen[XHPROF_SEEN_FRAMES])
{
	for (int tries = 0; tries < TRIES && !seen[0].frame; tries++) {
		const zend_execute_data *current = __atomic_load_n(watch->current, __ATOMIC_ACQUIRE), *frame = current;
		for (size_t i = 0; i < XHPROF_SEEN_FRAMES && frame; i++) {
			zend_execute_data copy;
			bool copied = copy_frame(watch, frame, &copy);
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

void xhprof_stack_watch_look(xhprof_stack_watch *watch, bool again)
{
	xhprof_seen_frame seen[XHPROF_SEEN_FRAMES] = {{NULL, NULL, NULL}};
	copy_stack(watch, seen);
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
