/* A process, or its image, whose heap is read: of one moment, as far as possible. */
#ifndef XHPROF_INSPECT_TARGET_H
#define XHPROF_INSPECT_TARGET_H

#include "copy.h"
#include "options.h"
#include "php_process.h"
#include "stop.h"

/* A process stopped within its allocator, or by another program, runs on for a while and is stopped again: at most this
 * often, after pauses that double from the first to the longest (ns). Together some 2 seconds. */
#define XHPROF_TARGET_TRIES 25
#define XHPROF_TARGET_FIRST_PAUSE 1000000u
#define XHPROF_TARGET_LONGEST_PAUSE 100000000u

/* Zeroed before it is opened. */
typedef struct xhprof_target {
	xhprof_remote remote;
	xhprof_php php;
	xhprof_stop stop;
	xhprof_copy copy;
	xhprof_zmm zmm;
	bool reading, in_heap;  /* whether to close them */
	uint64_t stopped_since; /* ns; 0: it is running */
	uint64_t stopped_for;   /* the last time */
	char command[512];
} xhprof_target;

/* Opens a process and its heap, or that of one of its threads. Unless its memory is too large to be copied, it runs on afterwards; otherwise it stays
 * stopped until xhprof_target_let_go(). */
xhprof_exit xhprof_target_open(xhprof_target *target, xhprof_chosen chosen, const xhprof_inspect_options *options,
							   xhprof_failure *failure);

/* Opens the heap behind the open `remote`. With `moving`, its memory is not of one moment. NULL, or one line. */
const char *xhprof_target_open_heap(xhprof_target *target, bool moving);

void xhprof_target_let_go(xhprof_target *target);

/* Whether the process has ended, and some of it could not be read therefore. */
bool xhprof_target_is_lost(const xhprof_target *target);

/* Lets it run on and closes all; may be repeated. */
void xhprof_target_close(xhprof_target *target);

#endif
