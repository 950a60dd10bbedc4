/* Reads the stacks of processes and threads many times a second. They are not stopped unless requested. */
#ifndef XHPROF_INSPECT_SAMPLING_H
#define XHPROF_INSPECT_SAMPLING_H

#include "options.h"
#include "php_process.h"
#include "stack.h"
#include "stop.h"

typedef struct xhprof_sampling_counts {
	uint64_t taken, idle, dropped, late;
} xhprof_sampling_counts;

typedef struct xhprof_sampling {
	xhprof_remote remote;
	xhprof_php php;
	xhprof_stack stack;
	xhprof_stop *stop;          /* or NULL: it runs while it is read */
	uint64_t period, next, end; /* ns; end 0: none */
	xhprof_sampling_counts counts;
	uint64_t dropped_since; /* ns; 0: a stack could be read, or the process was idle */
} xhprof_sampling;

/* All that a command samples. With XHPROF_CHOICE_THREADS it also has threads that begin meanwhile. Zeroed before it begins. */
typedef struct xhprof_samplings {
	const xhprof_inspect_options *options;
	xhprof_names names; /* of functions */
	size_t count;       /* of `list` */
	xhprof_sampling *list;
	bool ended[XHPROF_CHOICE_MAX];
	uint64_t end;                  /* ns; 0: none */
	xhprof_sampling_counts before; /* of those whose place another one has taken */
	xhprof_choice watched;         /* processes whose new threads are sampled too */
	uint64_t listed;               /* ns: when they were last looked for */
	size_t turn;                   /* number of the process where that is next */
} xhprof_samplings;

/* Of the chosen processes and threads. A thread of all, and a process of a pool, may have ended meanwhile. */
xhprof_exit xhprof_samplings_begin(xhprof_samplings *samplings, const xhprof_inspect_options *options,
								   xhprof_failure *failure);

/* Starts the clocks of all at once. */
void xhprof_samplings_start(xhprof_samplings *samplings);

/* Waits for the next moment and reads each; `take` gets those with a stack, and returns false without memory: then so does
 * this. `going`: false at the end of the time, of all processes and threads, or by a signal. */
bool xhprof_samplings_tick(xhprof_samplings *samplings, bool (*take)(void *context, xhprof_stack *stack), void *context,
						   bool *going);

xhprof_sampling_counts xhprof_samplings_counts(const xhprof_samplings *samplings);

/* "100 samples, 3 idle, 0 dropped, 1 late" on standard error, summed over all. */
void xhprof_samplings_say(const xhprof_samplings *samplings);
void xhprof_samplings_end(xhprof_samplings *samplings);

#endif
