/* trace: the stacks of a process over time. */
#include "commands.h"
#include "output_file.h"
#include "samples.h"
#include "sampling.h"
#include "signals.h"

#include <stdlib.h>

#define FLUSH_EVERY 250000000u /* ns; readers want to see the lines meanwhile */

typedef struct trace {
	xhprof_names names;
	xhprof_samples samples;
	xhprof_output_file output;
	size_t count;
	bool ended[XHPROF_CHOICE_MAX];
	xhprof_sampling samplings[]; /* of each process or thread */
} trace;

/* Reads one of them. False without memory. */
static bool trace_process(trace *trace, size_t i, bool lines)
{
	xhprof_sampling *sampling = &trace->samplings[i];
	xhprof_tick tick = xhprof_sampling_tick(sampling);
	trace->ended[i] = tick == XHPROF_TICK_END;
	if (tick == XHPROF_TICK_STACK && lines) {
		xhprof_samples_write_lines(&sampling->stack, &trace->output.writer);
	}
	return tick != XHPROF_TICK_STACK || lines || xhprof_samples_add(&trace->samples, &sampling->stack);
}

static xhprof_exit run_trace(trace *trace, const xhprof_inspect_options *options, xhprof_failure *failure)
{
	bool memory = true, going = true, read = true;
	uint64_t flushed = 0;
	while (memory && going && read) {
		going = false;
		for (size_t i = 0; i < trace->count && memory; i++) {
			memory = trace->ended[i] || trace_process(trace, i, options->lines);
			going = going || !trace->ended[i];
		}
		uint64_t now = xhprof_now();
		if (options->lines && now - flushed > FLUSH_EVERY) {
			flushed = now;
			read = xhprof_writer_flush(&trace->output.writer);
		}
	}
	xhprof_samples_write_folded(&trace->samples, &trace->output.writer);
	return memory ? XHPROF_EXIT_OK : xhprof_fail(failure, XHPROF_EXIT_ERROR, "no memory");
}

xhprof_exit xhprof_command_trace(const xhprof_inspect_options *options, xhprof_failure *failure)
{
	size_t count = options->processes.count;
	trace *trace = calloc(1, sizeof(*trace) + count * sizeof(*trace->samplings));
	if (!trace) {
		return xhprof_fail(failure, XHPROF_EXIT_ERROR, "no memory");
	}
	xhprof_exit code = XHPROF_EXIT_OK;
	for (; code == XHPROF_EXIT_OK && trace->count < count; trace->count++) {
		code = xhprof_sampling_begin(&trace->samplings[trace->count], options->processes.list[trace->count], options,
									 &trace->names, failure);
		bool was_there =
			options->pool || (options->thread == XHPROF_CHOICE_THREADS && options->processes.list[trace->count].thread);
		if (was_there && (code == XHPROF_EXIT_GONE || code == XHPROF_EXIT_NO_PROCESS)) {
			trace->ended[trace->count] = true; /* as workers and threads do */
			code = XHPROF_EXIT_OK;
		}
	}
	if (code == XHPROF_EXIT_OK) {
		code = xhprof_output_open(&trace->output, options->output, failure);
		if (code == XHPROF_EXIT_OK) {
			xhprof_sampling_start(trace->samplings, count, options);
			code = run_trace(trace, options, failure);
			xhprof_exit closed = xhprof_output_close(&trace->output, code == XHPROF_EXIT_OK, failure);
			code = code ? code : closed;
		}
		if (code == XHPROF_EXIT_OK) {
			xhprof_sampling_say(trace->samplings, count);
		}
	}
	xhprof_samples_release(&trace->samples);
	for (size_t i = 0; i < trace->count; i++) {
		xhprof_sampling_end(&trace->samplings[i]);
	}
	xhprof_names_release(&trace->names);
	free(trace);
	return code;
}
