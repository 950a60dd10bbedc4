/* trace: the stacks of a process over time. */
#include "commands.h"
#include "output_file.h"
#include "samples.h"
#include "sampling.h"

#include <stdlib.h>

#define FLUSH_EVERY 250000000u /* ns; who reads the lines meanwhile wants to see them */

typedef struct trace {
	xhprof_sampling sampling;
	xhprof_samples samples;
	xhprof_output_file output;
} trace;

static xhprof_exit run(trace *trace, const xhprof_inspect_options *options, xhprof_failure *failure)
{
	bool lines = options->lines, memory = true;
	uint64_t flushed = 0;
	xhprof_tick tick;
	while (memory && (tick = xhprof_sampling_tick(&trace->sampling)) != XHPROF_TICK_END) {
		if (tick == XHPROF_TICK_STACK && !lines) {
			memory = xhprof_samples_add(&trace->samples, &trace->sampling.stack);
		} else if (tick == XHPROF_TICK_STACK) {
			xhprof_samples_write_lines(&trace->sampling.stack, &trace->output.writer);
		}
		if (lines && trace->sampling.next - flushed > FLUSH_EVERY) {
			flushed = trace->sampling.next;
			if (!xhprof_writer_flush(&trace->output.writer)) {
				break; /* nobody reads on */
			}
		}
	}
	xhprof_samples_write_folded(&trace->samples, &trace->output.writer);
	return memory ? XHPROF_EXIT_OK : xhprof_fail(failure, XHPROF_EXIT_ERROR, "no memory");
}

xhprof_exit xhprof_command_trace(const xhprof_inspect_options *options, xhprof_failure *failure)
{
	trace *trace = calloc(1, sizeof(*trace));
	if (!trace) {
		return xhprof_fail(failure, XHPROF_EXIT_ERROR, "no memory");
	}
	xhprof_exit code = xhprof_sampling_begin(&trace->sampling, options, failure);
	if (code == XHPROF_EXIT_OK) {
		code = xhprof_output_open(&trace->output, options->output, failure);
		if (code == XHPROF_EXIT_OK) {
			code = run(trace, options, failure);
			xhprof_exit closed = xhprof_output_close(&trace->output, code == XHPROF_EXIT_OK, failure);
			code = code ? code : closed;
		}
		if (code == XHPROF_EXIT_OK) {
			xhprof_sampling_say(&trace->sampling);
		}
	}
	xhprof_samples_release(&trace->samples);
	xhprof_sampling_end(&trace->sampling);
	free(trace);
	return code;
}
