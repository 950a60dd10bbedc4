/* Reads the stack of a process many times a second. The process is not stopped unless requested. */
#ifndef XHPROF_INSPECT_SAMPLING_H
#define XHPROF_INSPECT_SAMPLING_H

#include "options.h"
#include "php_process.h"
#include "stack.h"
#include "stop.h"

typedef struct xhprof_sampling {
	xhprof_remote remote;
	xhprof_php php;
	xhprof_stack stack;
	xhprof_stop *stop;          /* or NULL: it runs while it is read */
	uint64_t period, next, end; /* ns; end 0: none */
	uint64_t taken, idle, dropped, late;
	uint64_t dropped_since; /* ns; 0: a stack could be read, or the process was idle */
} xhprof_sampling;

/* Of a process, or a thread of one. The functions' names are in `names`. */
xhprof_exit xhprof_sampling_begin(xhprof_sampling *sampling, xhprof_chosen chosen,
								  const xhprof_inspect_options *options, xhprof_names *names, xhprof_failure *failure);

/* Starts the clocks of all at once. */
void xhprof_sampling_start(xhprof_sampling *samplings, size_t count, const xhprof_inspect_options *options);

typedef enum xhprof_tick {
	XHPROF_TICK_STACK, /* it is in `stack` */
	XHPROF_TICK_NOTHING,
	XHPROF_TICK_END, /* of the time, of the process or thread, or by a signal */
} xhprof_tick;

/* Waits for the next moment and reads. */
xhprof_tick xhprof_sampling_tick(xhprof_sampling *sampling);

/* "100 samples, 3 idle, 0 dropped, 1 late" on standard error, summed over all. */
void xhprof_sampling_say(const xhprof_sampling *samplings, size_t count);
void xhprof_sampling_end(xhprof_sampling *sampling);

#endif
