/* The stack reader: reads the engine's stack of frames and finds its node in the tracer's call tree, for samples. It
 * uses memory of its own only; the symbols and the tree are the tracer's, which does not run meanwhile. */
#ifndef XHPROF_HOOK_STACK_READER_H
#define XHPROF_HOOK_STACK_READER_H

#include "php_xhprof.h"

/* Number of innermost calls that are recorded at a moment, the innermost first; frames are NULL where there were
 * fewer. */
#define XHPROF_SEEN_FRAMES 4
typedef struct xhprof_seen_frame {
	const zend_execute_data *frame;
	const zend_function *function; /* NULL if unknown; may be freed meanwhile */
	const zend_op *opline; /* the last opcode that it recorded, perhaps of another function; may be freed meanwhile */
} xhprof_seen_frame;

/* The part of the recorded calls that was found on the stack later. */
typedef struct xhprof_stack_match {
	const zend_execute_data *frame; /* the innermost frame that is still there; NULL: all are gone */
	size_t left;                    /* number of innermost calls that have returned meanwhile */
	size_t known;                   /* number of these, from the outermost on, whose functions have not been freed */
} xhprof_stack_match;

/* A frame of the stack at the last read. They are kept from the bottom up. */
typedef struct xhprof_known_frame {
	const zend_function *function;  /* NULL if its name must not be reused */
	const zend_function *frameless; /* the function that it calls without a frame, or NULL */
	xhprof_node *node;              /* node of that call */
} xhprof_known_frame;

/* Initially all zero. */
typedef struct xhprof_stack_reader {
	xhprof_table functions; /* functions that live as long as the request -> symbol reference, or `unknown_function` */
	const zend_execute_data **frames;
	size_t frames_capacity;
	xhprof_known_frame *known;
	size_t known_capacity, known_depth;
	uint32_t moves; /* how often the tree's nodes had moved when that read began */
	uint32_t line;  /* current line of the innermost call at the last read; 0: not known */
	bool in_fiber;  /* the frames collected last are those of a fiber alone */
	bool labels;    /* arguments of calls may be read, for hook/call_label.h */
} xhprof_stack_reader;

/* Resets the reader for another profile. Memory for stacks of a usual depth stays. */
void xhprof_stack_reader_reset(xhprof_stack_reader *reader);
void xhprof_stack_reader_release(xhprof_stack_reader *reader);

/* Ignores a function: its calls count as their caller's. */
void xhprof_stack_ignore(xhprof_stack_reader *reader, const zend_function *function);

/* Collects the frames from `top` down and returns their number; SIZE_MAX without memory. Calls that began after `seen`
 * (or NULL) was recorded are left out. */
size_t xhprof_stack_collect(xhprof_stack_reader *reader, zend_execute_data *top, const xhprof_seen_frame *seen,
							xhprof_stack_match *match);

/* Returns the node of the outermost `count` collected frames. Frames unchanged since the last read need no lookup. */
xhprof_node *xhprof_stack_node(xhprof_stack_reader *reader, size_t count);

/* Returns the node of a call by `parent`, which is at `line`; `parent` itself if the function is ignored. */
xhprof_node *xhprof_stack_child(xhprof_node *parent, xhprof_symbol_ref symbol, uint32_t line);

/* Returns the symbol of a function that is being called. */
xhprof_symbol_ref xhprof_stack_live_symbol(xhprof_stack_reader *reader, const zend_function *function);

/* Returns the symbol of a function that was on the stack; 0 if the function may be gone. */
xhprof_symbol_ref xhprof_stack_left_symbol(xhprof_stack_reader *reader, const zend_function *function);

#endif
