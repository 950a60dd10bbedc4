/* The sampler thread's view of the program's stack while the program runs. */
#ifndef XHPROF_HOOK_STACK_WATCH_H
#define XHPROF_HOOK_STACK_WATCH_H

#include "stack_reader.h"
#include "trace/sample_timer.h"

typedef struct xhprof_stack_watch {
	zend_execute_data **current;
	uintptr_t page;   /* address of the first page of the engine's stack */
	size_t page_size; /* 0 if unknown */
	xhprof_seen_frame seen[XHPROF_SEEN_FRAMES];
	uint32_t votes; /* looks that saw this innermost call, minus those that saw another */
} xhprof_stack_watch;

/* Initializes the watch, in the thread that will be watched. */
void xhprof_stack_watch_init(xhprof_stack_watch *watch);

/* Records the innermost frames in `seen`. Called in the timer's thread. `again`: the last record has not been used; of
 * several looks the call that most of them saw is kept, as it will be charged for all of them. */
void xhprof_stack_watch_look(xhprof_stack_watch *watch, xhprof_sample_timer *timer, bool again);

#endif
