/* The running calls of a process at a moment, innermost first. */
#ifndef XHPROF_INSPECT_STACK_H
#define XHPROF_INSPECT_STACK_H

#include "function_cache.h"
#include "php_process.h"

typedef struct xhprof_stack_frame {
	xhprof_addr address; /* 0: the call has no frame of its own */
	xhprof_addr function, opline;
	bool top; /* called by an internal function, or by the engine */
} xhprof_stack_frame;

typedef enum xhprof_stack_state {
	XHPROF_STACK_READ,
	XHPROF_STACK_IDLE, /* no PHP code runs: between two requests, at the start or the end */
	XHPROF_STACK_TORN, /* changed during every attempt to read it */
} xhprof_stack_state;

/* The pages of the innermost frames of the last sample. They are read by one system call, with the address of the
 * current frame before them and once more behind them: if that is unchanged, so are they. */
#define XHPROF_STACK_PAGES 16
typedef struct xhprof_stack_window {
	size_t count;
	xhprof_addr pages[XHPROF_STACK_PAGES]; /* addresses */
	uint32_t used;                         /* a bit for each that this sample needed */
	bool missed;                           /* a needed one has been added: read again */
	char bytes[XHPROF_STACK_PAGES][4096];
} xhprof_stack_window;

typedef struct xhprof_stack {
	xhprof_function_cache cache;
	xhprof_stack_window window;
	xhprof_addr current;   /* address of EG(current_execute_data) */
	xhprof_addr frameless; /* of xhprof_php */
	size_t max;            /* frames */
	xhprof_stack_frame *frames;
	size_t count;
	bool cut; /* there are more; these are the innermost */
} xhprof_stack;

/* Of the process with that PHP. The functions' names are in `names`. False without memory. */
bool xhprof_stack_open(xhprof_stack *stack, xhprof_remote *remote, const xhprof_php *php, size_t max,
					   xhprof_names *names);
void xhprof_stack_close(xhprof_stack *stack);

/* Reads the stack as it is now. The cache has the functions of all its frames. */
xhprof_stack_state xhprof_stack_take(xhprof_stack *stack);

#endif
