/* The command trace: the stacks of a process over time. */
#include "commands.h"
#include "output_file.h"
#include "samples.h"
#include "sampling.h"
#include "signals.h"

#include <stdlib.h>

#define FLUSH_EVERY 250000000u /* ns; readers want to see the lines meanwhile */

typedef struct trace {
	xhprof_samplings samplings;
	xhprof_samples samples;
	xhprof_output_file output;
	bool lines;
} trace;

static bool take_stack(void *context, xhprof_stack *stack)
{
	trace *trace = context;
	if (trace->lines) {
		xhprof_samples_write_lines(stack, &trace->output.writer);
	}
	return trace->lines || xhprof_samples_add(&trace->samples, stack);
}

static xhprof_exit run_trace(trace *trace, xhprof_failure *failure)
{
	bool memory = true, going = true, read = true;
	uint64_t flushed = 0;
	while (memory && going && read) {
		memory = xhprof_samplings_tick(&trace->samplings, take_stack, trace, &going);
		uint64_t now = xhprof_now();
		if (trace->lines && now - flushed > FLUSH_EVERY) {
			flushed = now;
			read = xhprof_writer_flush(&trace->output.writer);
		}
	}
	xhprof_samples_write_folded(&trace->samples, &trace->output.writer);
	return memory ? XHPROF_EXIT_OK : xhprof_fail(failure, XHPROF_EXIT_ERROR, "no memory");
}

xhprof_exit xhprof_command_trace(const xhprof_inspect_options *options, xhprof_failure *failure)
{
	if (options->core) {
		return xhprof_command_core_stack(options, failure);
	}
	trace *trace = calloc(1, sizeof(*trace));
	if (!trace) {
		return xhprof_fail(failure, XHPROF_EXIT_ERROR, "no memory");
	}
	trace->lines = options->lines;
	xhprof_exit code = xhprof_samplings_begin(&trace->samplings, options, failure);
	if (code == XHPROF_EXIT_OK) {
		code = xhprof_output_open(&trace->output, options->output, failure);
		if (code == XHPROF_EXIT_OK) {
			xhprof_samplings_start(&trace->samplings);
			code = run_trace(trace, failure);
			xhprof_exit closed = xhprof_output_close(&trace->output, code == XHPROF_EXIT_OK, failure);
			code = code ? code : closed;
		}
		if (code == XHPROF_EXIT_OK) {
			xhprof_samplings_say(&trace->samplings);
		}
	}
	xhprof_samples_release(&trace->samples);
	xhprof_samplings_end(&trace->samplings);
	free(trace);
	return code;
}
