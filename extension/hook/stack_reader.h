/* Reads the engine's stack of frames and finds its node in the tracer's call tree, for occasional readers. Uses memory
 * of its own only; the symbols and the tree are the tracer's, which does not run meanwhile. */
#ifndef XHPROF_HOOK_STACK_READER_H
#define XHPROF_HOOK_STACK_READER_H

#include "php_xhprof.h"

/* The innermost calls at an earlier moment, the innermost first; NULL frames where there were fewer. */
#define XHPROF_SEEN_FRAMES 4
typedef struct xhprof_seen_frame {
	const zend_execute_data *frame;
	const zend_function *function; /* NULL if unknown; may be freed meanwhile */
	const zend_op *opline;         /* the last operation that it recorded, perhaps of another function; as above */
} xhprof_seen_frame;

/* The part of it found on the stack. */
typedef struct xhprof_stack_match {
	const zend_execute_data *frame; /* the innermost that is still there; NULL: all are gone */
	size_t left;                    /* number of the innermost that have returned meanwhile */
	size_t known;                   /* of those, from the outermost on, functions that have not been freed */
} xhprof_stack_match;

/* A frame of the stack as it was read last, from the bottom up. */
typedef struct xhprof_known_frame {
	const zend_function *function;  /* NULL if its name must not be reused */
	const zend_function *frameless; /* what it calls without a frame, or NULL */
	xhprof_node *node;              /* of that call */
} xhprof_known_frame;

/* Initially all zero. */
typedef struct xhprof_stack_reader {
	xhprof_table functions; /* functions that live as long as the request -> symbol reference, or `unknown_function` */
	const zend_execute_data **frames;
	size_t frames_capacity;
	xhprof_known_frame *known;
	size_t known_capacity, known_depth;
	uint32_t moves; /* how often the tree's nodes had moved when the read began that they are of */
	uint32_t line;  /* that the innermost call of the node read last is at; 0: not known */
	bool labels;    /* whether arguments of calls may be read: see hook/call_label */
} xhprof_stack_reader;

/* Resets it for another profile; memory for stacks of a usual depth stays. */
void xhprof_stack_reader_reset(xhprof_stack_reader *reader);
void xhprof_stack_reader_release(xhprof_stack_reader *reader);

/* Calls of this function count as their caller's. */
void xhprof_stack_ignore(xhprof_stack_reader *reader, const zend_function *function);

/* Collects the frames from `top` down and returns their number; SIZE_MAX without memory. Calls that began after `seen`
 * (or NULL) was recorded are left out. */
size_t xhprof_stack_collect(xhprof_stack_reader *reader, zend_execute_data *top, const xhprof_seen_frame *seen,
							xhprof_stack_match *match);

/* The node of the outermost `count` frames collected. Frames unchanged since the last read need no lookup. */
xhprof_node *xhprof_stack_node(xhprof_stack_reader *reader, size_t count);

/* The node of a call by `parent`, which is at `line`; `parent` itself where calls of the function are its caller's. */
xhprof_node *xhprof_stack_child(xhprof_node *parent, xhprof_symbol_ref symbol, uint32_t line);

/* The symbol of a function that is being called. */
xhprof_symbol_ref xhprof_stack_live_symbol(xhprof_stack_reader *reader, const zend_function *function);

/* The symbol of a function that was on the stack; 0 if it may be gone. */
xhprof_symbol_ref xhprof_stack_left_symbol(xhprof_stack_reader *reader, const zend_function *function);

#endif
