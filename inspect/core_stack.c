/* The command trace of a core file: its one stack. */
#include "core_stack.h"

#include "commands.h"
#include "output_file.h"
#include "samples.h"

#include <stdlib.h>
#include <string.h>

xhprof_exit xhprof_core_stack_write(xhprof_target *target, const xhprof_core *core, uint32_t depth,
									xhprof_writer *writer, xhprof_failure *failure)
{
	xhprof_names names = {0};
	xhprof_stack *stack = calloc(1, sizeof(*stack));
	xhprof_exit code = XHPROF_EXIT_OK;
	const char *signal = core->file.signal ? strsignal(core->file.signal) : NULL;
	if (!stack || !xhprof_stack_open(stack, &target->remote, &target->php, depth, &names)) {
		free(stack);
		return xhprof_fail(failure, XHPROF_EXIT_ERROR, "no memory");
	}
	xhprof_say("xhprof-inspect: process %d, %s%s%s\n", (int)target->php.pid, core->command,
			   signal ? ", ended by: " : "", signal ? signal : "");
	switch (xhprof_stack_take(stack)) {
		case XHPROF_STACK_READ:
			xhprof_samples_write_lines(stack, writer);
			break;
		case XHPROF_STACK_IDLE:
			xhprof_say("xhprof-inspect: no PHP code ran\n");
			break;
		default:
			code = xhprof_fail(failure, XHPROF_EXIT_NO_STACK, "the calls of process %d cannot be read",
							   (int)target->php.pid);
	}
	xhprof_stack_close(stack);
	xhprof_names_release(&names);
	free(stack);
	return code;
}

static xhprof_exit write_stack(xhprof_target *target, xhprof_core *core, const xhprof_inspect_options *options,
							   xhprof_failure *failure)
{
	static xhprof_output_file output;
	xhprof_exit code = xhprof_core_open(core, options->core, options->exe, failure);
	code = code ? code : xhprof_core_target(core, options->core, options->thread, target, failure);
	code = code ? code : xhprof_output_open(&output, options->output, failure);
	if (code) {
		return code;
	}
	code = xhprof_core_stack_write(target, core, options->depth, &output.writer, failure);
	xhprof_exit closed = xhprof_output_close(&output, code == XHPROF_EXIT_OK, failure);
	return code ? code : closed;
}

xhprof_exit xhprof_command_core_stack(const xhprof_inspect_options *options, xhprof_failure *failure)
{
	static xhprof_target target;
	static xhprof_core core;
	xhprof_exit code = write_stack(&target, &core, options, failure);
	xhprof_target_close(&target);
	xhprof_core_close(&core);
	return code;
}
