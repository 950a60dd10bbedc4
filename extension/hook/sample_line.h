/* The line of PHP code of a sample. */
#ifndef XHPROF_HOOK_SAMPLE_LINE_H
#define XHPROF_HOOK_SAMPLE_LINE_H

#include "stack_reader.h"

/* The line of the innermost PHP code among the calls `seen` (may be NULL), of which `match` has been found on the stack
 * at `top`; for an internal function, the line of its call. It is that of the last operation which the engine has
 * recorded: one that may call something or fail, or the turn of a loop. Always one of that function's lines; 0 without
 * code. */
uint32_t xhprof_sample_line(const zend_execute_data *top, const xhprof_seen_frame *seen,
							const xhprof_stack_match *match);

#endif
