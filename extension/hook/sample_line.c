#include "sample_line.h"

#include "zend_generators.h"

static bool has_code(const zend_function *function)
{
	return function && ZEND_USER_CODE(function->type) && !(function->common.fn_flags & ZEND_ACC_CALL_VIA_TRAMPOLINE);
}

/* 0 if the operation is not within the function: until a frame records one, the field holds stale memory. */
static uint32_t line_of(const zend_function *function, const zend_op *opline)
{
	uintptr_t offset = (uintptr_t)opline - (uintptr_t)function->op_array.opcodes;
	bool within = offset % sizeof(zend_op) == 0 && offset / sizeof(zend_op) < function->op_array.last;
	return within ? opline->lineno : 0;
}

/* Of a frame that is on the stack; `opline`: as it was at an earlier moment, or NULL. */
static uint32_t frame_line(const zend_execute_data *frame, const zend_op *opline)
{
	uint32_t line = opline ? line_of(frame->func, opline) : 0;
	line = line ? line : line_of(frame->func, frame->opline);
	return line ? line : frame->func->op_array.line_start;
}

uint32_t xhprof_sample_line(const zend_execute_data *top, const xhprof_seen_frame *seen,
							const xhprof_stack_match *match)
{
	for (size_t i = 0; i < match->left; i++) { /* returned since */
		const zend_function *function = i < match->left - match->known ? NULL : seen[i].function;
		if (has_code(function)) {
			uint32_t line = line_of(function, seen[i].opline);
			return line ? line : function->op_array.line_start;
		}
	}
	const zend_execute_data *frame = match->frame ? match->frame : top;
	const zend_op *opline = match->frame ? seen[match->left].opline : NULL;
	while (frame) {
		frame = zend_generator_check_placeholder_frame((zend_execute_data *)frame);
		if (has_code(frame->func)) {
			return frame_line(frame, opline);
		}
		frame = frame->prev_execute_data;
		opline = NULL;
	}
	return 0;
}
