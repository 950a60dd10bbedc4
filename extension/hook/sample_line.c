#include "sample_line.h"

#include "code_place.h"

#include "zend_generators.h"

/* Returns the line of a frame that is on the stack. `opline`: its opcode at an earlier moment, or NULL. */
static uint32_t frame_line(const zend_execute_data *frame, const zend_op *opline)
{
	uint32_t line = opline ? xhprof_line_within(frame->func, opline) : 0;
	line = line ? line : xhprof_line_within(frame->func, frame->opline);
	return line ? line : frame->func->op_array.line_start;
}

uint32_t xhprof_sample_line(const zend_execute_data *top, const xhprof_seen_frame *seen,
							const xhprof_stack_match *match)
{
	for (size_t i = 0; i < match->left; i++) { /* returned since */
		const zend_function *function = i < match->left - match->known ? NULL : seen[i].function;
		if (xhprof_has_code(function)) {
			uint32_t line = xhprof_line_within(function, seen[i].opline);
			return line ? line : function->op_array.line_start;
		}
	}
	const zend_execute_data *frame = match->frame ? match->frame : top;
	const zend_op *opline = match->frame ? seen[match->left].opline : NULL;
	while (frame) {
		frame = zend_generator_check_placeholder_frame((zend_execute_data *)frame);
		if (xhprof_has_code(frame->func)) {
			return frame_line(frame, opline);
		}
		frame = frame->prev_execute_data;
		opline = NULL;
	}
	return 0;
}
