/* The line of PHP code of a sample. */
#ifndef XHPROF_HOOK_SAMPLE_LINE_H
#define XHPROF_HOOK_SAMPLE_LINE_H

#include "stack_reader.h"

/* Returns the line of the innermost PHP code among the calls `seen` (may be NULL), of which `match` was found on the
 * stack at `top`; for an internal function the line of its call. It is the line of the last opcode that the engine has
 * recorded: one that may call something or fail, or the next turn of a loop. It is always one of that function's lines;
 * 0 without code. */
uint32_t xhprof_sample_line(const zend_execute_data *top, const xhprof_seen_frame *seen,
							const xhprof_stack_match *match);

#endif
