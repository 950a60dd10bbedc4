/* What the sampler's thread notes of the program's stack while the program runs on. */
#ifndef XHPROF_HOOK_STACK_WATCH_H
#define XHPROF_HOOK_STACK_WATCH_H

#include "stack_reader.h"

typedef struct xhprof_stack_watch {
	zend_execute_data **current;
	uintptr_t page;   /* the first of the engine's stack */
	size_t page_size; /* 0 when it is not known */
	xhprof_seen_frame seen[XHPROF_SEEN_FRAMES];
} xhprof_stack_watch;

/* In the thread that is to be watched. */
void xhprof_stack_watch_init(xhprof_stack_watch *watch);

/* In any thread: notes the innermost frames in `seen`. */
void xhprof_stack_watch_look(xhprof_stack_watch *watch);

#endif
