/* The command top: the functions that a process or its threads are in, live on a terminal; a table otherwise. */
#include "commands.h"
#include "output_file.h"
#include "process.h"
#include "samples.h"
#include "sampling.h"
#include "signals.h"

#include "heap/utf8_cut.h"

#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define SECOND 1000000000u
#define PLAIN_ROWS 40
#define CLEAR "\033[H\033[2J"

typedef struct top {
	xhprof_samplings samplings;
	xhprof_php php; /* the PHP of the first process */
	xhprof_samples samples;
	xhprof_output_file output;
	bool live;
	uint64_t idle, ticks; /* at the last table */
} top;

static int by_recent(const void *a, const void *b)
{
	const xhprof_name *one = *(xhprof_name *const *)a, *other = *(xhprof_name *const *)b;
	const uint64_t order[][2] = {{one->recent_self, other->recent_self},
								 {one->recent_total, other->recent_total},
								 {one->self, other->self},
								 {one->total, other->total}};
	for (unsigned i = 0; i < sizeof(order) / sizeof(*order); i++) {
		if (order[i][0] != order[i][1]) {
			return order[i][0] < order[i][1] ? 1 : -1;
		}
	}
	return one->id < other->id ? -1 : 1;
}

/* Writes a name in the rest of a line; control bytes are shown as \xNN. */
static void write_cut(xhprof_writer *writer, const char *text, size_t length, size_t room)
{
	xhprof_write_name(writer, text, xhprof_utf8_cut(text, length, length, room), '\0');
	xhprof_write_bytes(writer, "\n", 1);
}

static void write_head(top *top, size_t width)
{
	char line[8300], script[4096], uri[4096], command[512];
	xhprof_samplings *samplings = &top->samplings;
	size_t going = 0;
	for (size_t i = 0; i < samplings->count; i++) {
		going += !samplings->ended[i];
	}
	xhprof_process_command(top->php.pid, command, sizeof(command));
	size_t length = xhprof_print_to(line, sizeof(line), "%d  PHP %s (%s)  %s", (int)top->php.pid, top->php.version,
									top->php.sapi, command);
	write_cut(&top->output.writer, line, length, width);
	length = 0;
	if (samplings->count > 1) {
		length = xhprof_print_to(line, sizeof(line), "%zu threads", going);
	} else if (going) {
		xhprof_php_request(&top->php, &samplings->list[0].remote, script, sizeof(script), uri, sizeof(uri));
		length = xhprof_print_to(line, sizeof(line), "%s%s%s", script, script[0] && uri[0] ? "  " : "", uri);
	}
	write_cut(&top->output.writer, line, length, width);
	xhprof_sampling_counts counts = xhprof_samplings_counts(samplings);
	uint64_t ticks = counts.taken + counts.idle, recent = ticks - top->ticks;
	length = xhprof_print_to(line, sizeof(line), "%llu samples, %llu dropped, %llu late; idle %.0f %%",
							 (unsigned long long)counts.taken, (unsigned long long)counts.dropped,
							 (unsigned long long)counts.late,
							 recent ? 100.0 * (double)(counts.idle - top->idle) / (double)recent : 0.0);
	write_cut(&top->output.writer, line, length, width);
	top->ticks = ticks;
	top->idle = counts.idle;
}

static bool write_table(top *top)
{
	xhprof_names *names = &top->samplings.names;
	xhprof_writer *writer = &top->output.writer;
	size_t rows = PLAIN_ROWS, width = SIZE_MAX;
	struct winsize window;
	if (top->live && ioctl(STDOUT_FILENO, TIOCGWINSZ, &window) == 0 && window.ws_row > 6 && window.ws_col > 40) {
		rows = window.ws_row - 6u;
		width = window.ws_col - 1u;
	}
	xhprof_name **order = malloc((names->count + 1) * sizeof(*order));
	if (!order) {
		return false;
	}
	for (size_t i = 0; i < names->count; i++) {
		order[i] = names->list[i];
	}
	qsort(order, names->count, sizeof(*order), by_recent);
	if (top->live) {
		xhprof_write_string(writer, CLEAR);
	}
	write_head(top, width);
	xhprof_write_string(writer, "\n  self%  total%      self     total  function\n");
	double all = top->samples.recent ? (double)top->samples.recent : 1;
	for (size_t i = 0; i < names->count && i < rows && order[i]->total; i++) {
		char figures[128];
		const xhprof_name *name = order[i];
		size_t length = xhprof_print_to(
			figures, sizeof(figures), "%7.1f %7.1f %9llu %9llu  ", 100.0 * (double)name->recent_self / all,
			100.0 * (double)name->recent_total / all, (unsigned long long)name->self, (unsigned long long)name->total);
		xhprof_write_bytes(writer, figures, length);
		write_cut(writer, name->text, name->length, width > length ? width - length : 0);
	}
	for (size_t i = 0; i < names->count; i++) {
		names->list[i]->recent_self = names->list[i]->recent_total = 0;
	}
	top->samples.recent = 0;
	free(order);
	return xhprof_writer_flush(writer);
}

static bool take_stack(void *context, xhprof_stack *stack)
{
	top *top = context;
	return xhprof_samples_add(&top->samples, stack);
}

static xhprof_exit run_top(top *top, const xhprof_inspect_options *options, xhprof_failure *failure)
{
	uint64_t interval = (uint64_t)((options->interval > 0 ? options->interval : 1) * SECOND);
	bool tables = top->live || options->interval > 0, written = false, memory = true, going = true;
	uint64_t next = xhprof_now() + interval;
	while (going && memory) {
		memory = xhprof_samplings_tick(&top->samplings, take_stack, top, &going);
		uint64_t now = xhprof_now();
		if (tables && going && memory && now >= next) {
			next = now + interval;
			if (written && !top->live) {
				xhprof_write_bytes(&top->output.writer, "\n", 1);
			}
			if (!write_table(top)) {
				return XHPROF_EXIT_OK; /* closing reports the cause */
			}
			written = true;
		}
	}
	if (!memory) {
		return xhprof_fail(failure, XHPROF_EXIT_ERROR, "no memory");
	}
	if (!written) {
		write_table(top);
	}
	return XHPROF_EXIT_OK;
}

xhprof_exit xhprof_command_top(const xhprof_inspect_options *options, xhprof_failure *failure)
{
	top *top = calloc(1, sizeof(*top));
	if (!top) {
		return xhprof_fail(failure, XHPROF_EXIT_ERROR, "no memory");
	}
	xhprof_exit code = xhprof_samplings_begin(&top->samplings, options, failure);
	if (code == XHPROF_EXIT_OK) {
		xhprof_output_open(&top->output, NULL, failure);
		top->live = isatty(STDOUT_FILENO);
		top->php = top->samplings.list[0].php;
		xhprof_samplings_start(&top->samplings);
		code = run_top(top, options, failure);
		xhprof_exit closed = xhprof_output_close(&top->output, true, failure);
		code = code ? code : closed;
	}
	xhprof_samples_release(&top->samples);
	xhprof_samplings_end(&top->samplings);
	free(top);
	return code;
}
