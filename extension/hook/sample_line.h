/* Which line of PHP code a sample is of. */
#ifndef XHPROF_HOOK_SAMPLE_LINE_H
#define XHPROF_HOOK_SAMPLE_LINE_H

#include "stack_reader.h"

/* The line of the innermost PHP code among what was `seen` (may be NULL), of which `match` has been found on the stack at
 * `top`; for an internal function, where it is called. It is that of the last operation which the engine has noted: one
 * that may call something or fail, or the turn of a loop. Always one of that function's lines; 0 when there is no code. */
uint32_t xhprof_sample_line(const zend_execute_data *top, const xhprof_seen_frame *seen,
							const xhprof_stack_match *match);

#endif
