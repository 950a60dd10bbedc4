/* The commands memory and image: the memory of a process. */
#include "child.h"
#include "commands.h"
#include "core.h"
#include "core_stack.h"
#include "image.h"
#include "limit_error.h"
#include "output_file.h"
#include "privileges.h"
#include "process.h"
#include "signals.h"
#include "target.h"

#include "export/heap_output.h"

#include <stdlib.h>
#include <time.h>
#include <unistd.h>

typedef struct memory {
	const xhprof_inspect_options *options;
	xhprof_failure *failure;
	xhprof_target target;
	xhprof_image image;
	bool from_image; /* close the image */
	xhprof_core core;
	bool from_core; /* close the core file */
	xhprof_output_file output;
	xhprof_heap_info info;
	xhprof_heap_output snapshot;
	xhprof_walk_result result;
	xhprof_siphash_key hash_key; /* of this snapshot alone, and never written */
	char host[256], path[4096];  /* path: of the output, or "" */
	uint64_t began;
	bool progress;
	int percent;
} memory;

/* ---- Sources ------------------------------------------------------------------------------------------------------------ */

static xhprof_exit open_image(memory *memory, const char *path)
{
	xhprof_target *target = &memory->target;
	memory->from_image = true;
	xhprof_exit code = xhprof_image_open(&memory->image, path, &target->remote, memory->failure);
	if (code) {
		return code;
	}
	target->reading = true;
	target->php = memory->image.header.php;
	int error = xhprof_reader_parse_maps(&target->remote.reader, memory->image.maps, strlen(memory->image.maps));
	const char *problem = error ? strerror(error) : xhprof_target_open_heap(target, !memory->image.header.stopped);
	return problem ? xhprof_fail(memory->failure, XHPROF_EXIT_BAD_IMAGE, "cannot read %s: %s%s", path,
								 error ? "its list of memory: " : "", problem)
				   : XHPROF_EXIT_OK;
}

/* Prints the calls of a core file on standard output. */
static xhprof_exit print_stack(memory *memory)
{
	xhprof_output_file *output = &memory->output;
	xhprof_exit code = xhprof_output_open(output, NULL, memory->failure);
	if (code) {
		return code;
	}
	code = xhprof_core_stack_write(&memory->target, &memory->core, memory->options->depth, &output->writer,
								   memory->failure);
	xhprof_exit closed = xhprof_output_close(output, code == XHPROF_EXIT_OK, memory->failure);
	return code ? code : closed;
}

/* Opens a core file. The process may have ended within its allocator: then its heap is read as that of a process which
 * runs on. */
static xhprof_exit open_core(memory *memory, const char *path)
{
	xhprof_target *target = &memory->target;
	const xhprof_inspect_options *options = memory->options;
	memory->from_core = true;
	xhprof_exit code = xhprof_core_open(&memory->core, path, options->exe, memory->failure);
	code = code ? code : xhprof_core_target(&memory->core, path, options->thread, target, memory->failure);
	code = code || !options->stack ? code : print_stack(memory);
	if (code) {
		return code;
	}
	const char *problem = xhprof_target_open_heap(target, false);
	problem = problem && problem != xhprof_zmm_not_here ? xhprof_target_open_heap(target, true) : problem;
	return problem ? xhprof_fail(memory->failure, XHPROF_EXIT_NO_HEAP, "the heap of process %d cannot be read: %s",
								 (int)target->php.pid, problem)
				   : XHPROF_EXIT_OK;
}

/* Opens the output. A signal that ends this program removes an unfinished one. */
static xhprof_exit open_output(memory *memory)
{
	xhprof_output_file *output = &memory->output;
	const char *pattern = memory->options->output;
	if (pattern && !xhprof_choice_file(pattern, memory->target.php.pid, memory->target.php.thread, memory->path,
									   sizeof(memory->path))) {
		return xhprof_fail(memory->failure, XHPROF_EXIT_ERROR, "cannot write %s: the name is too long", pattern);
	}
	xhprof_signals_hold(true);
	xhprof_exit code = xhprof_output_open(output, pattern ? memory->path : NULL, memory->failure);
	if (code == XHPROF_EXIT_OK) {
		xhprof_signals_end_at_once(output->is_file && output->file.temporary ? output->file.temporary : "");
	}
	xhprof_signals_hold(false);
	return code;
}

static void close_all(memory *memory)
{
	xhprof_signals_end_at_once(NULL);
	xhprof_target_close(&memory->target);
	if (memory->from_image) {
		xhprof_image_close(&memory->image);
		memory->from_image = false;
	}
	if (memory->from_core) {
		xhprof_core_close(&memory->core);
		memory->from_core = false;
	}
}

/* ---- The snapshot ------------------------------------------------------------------------------------------------------- */

static void take_info(memory *memory)
{
	xhprof_heap_info *info = &memory->info;
	const xhprof_inspect_options *options = memory->options;
	if (memory->from_image) {
		info->host = memory->image.header.host;
		info->command = memory->image.header.command;
		info->time = memory->image.header.time;
		info->stopped = memory->image.header.stopped != 0;
		info->reader = "image";
	} else if (memory->from_core) {
		info->command = memory->core.command;
		info->time = memory->core.file.time;
		info->stopped = true;
		info->reader = "core";
	} else {
		info->host = gethostname(memory->host, sizeof(memory->host) - 1) == 0 ? memory->host : NULL;
		info->command = memory->target.command;
		info->time = (int64_t)time(NULL);
		info->stopped = !options->no_stop;
		info->reader = "outside";
	}
	info->php = memory->target.php.version[0] ? memory->target.php.version : NULL;
	info->sapi = memory->target.php.sapi[0] ? memory->target.php.sapi : NULL;
	info->pid = (uint64_t)memory->target.php.pid;
	info->zmm = &memory->target.zmm;
	info->max_string = options->max_string;
	info->redact = options->redact;
}

static void show_progress(void *context, uint64_t bytes, uint64_t total)
{
	memory *memory = context;
	int percent = total ? (int)(100.0 * (double)bytes / (double)total) : 0;
	if (memory->progress && percent != memory->percent && percent <= 100) {
		memory->percent = percent;
		xhprof_say("\rxhprof-inspect: %3d %%", percent);
	}
}

static const char *walk_heap(memory *memory, xhprof_heap_visitor visitor)
{
	const xhprof_inspect_options *options = memory->options;
	xhprof_walk_options walk = {
		.max_string = options->redact ? 0 : options->max_string,
		.hash_key = xhprof_siphash_make_key(&memory->hash_key) ? &memory->hash_key : NULL,
		.scalars = options->scalars && !options->redact,
		.native = true,
		.progress = show_progress,
		.context = memory,
	};
	memory->progress = isatty(STDERR_FILENO);
	memory->percent = -1;
	const char *problem =
		xhprof_walk(&memory->target.zmm, &memory->target.php.engine, &walk, &visitor, &memory->result);
	xhprof_siphash_clear_key(&memory->hash_key);
	if (memory->progress) {
		xhprof_say("\r                      \r");
	}
	return problem;
}

static xhprof_exit check_walk(memory *memory, const char *problem)
{
	if (xhprof_target_is_lost(&memory->target)) {
		return xhprof_process_gone(memory->target.php.pid, memory->failure);
	}
	return problem ? xhprof_fail(memory->failure, XHPROF_EXIT_ERROR, "%s", problem) : XHPROF_EXIT_OK;
}

static xhprof_exit write_snapshot(memory *memory)
{
	memory->snapshot = (xhprof_heap_output){.writer = &memory->output.writer, .info = &memory->info};
	xhprof_exit code = check_walk(memory, walk_heap(memory, xhprof_heap_output_begin(&memory->snapshot, NULL)));
	xhprof_target_let_go(&memory->target); /* it need not wait for the rest */
	if (code == XHPROF_EXIT_OK) {
		xhprof_heap_output_end(&memory->snapshot, &memory->result, xhprof_now() - memory->began);
	}
	return code;
}

/* Prints the end of the line, "; PATH: 120 ms; stopped for 3.2 ms" after the sizes. */
static void print_end(const memory *memory)
{
	char stopped[64] = "";
	if (memory->target.stopped_for) {
		xhprof_print_to(stopped, sizeof(stopped), "; stopped for %.1f ms", (double)memory->target.stopped_for / 1e6);
	}
	xhprof_say("; %s: %.0f ms%s\n", memory->path, (double)(xhprof_now() - memory->began) / 1e6, stopped);
}

static void print_result(memory *memory)
{
	const xhprof_walk_result *result = &memory->result;
	uint64_t live = memory->target.zmm.live_bytes;
	double whole = live ? (double)live : 1;
	xhprof_say("xhprof-inspect: ");
	if (memory->options->processes.count > 1) {
		bool one = memory->target.php.thread == memory->target.php.pid;
		xhprof_say(one ? "process %d: " : "thread %d: ", (int)memory->target.php.thread);
	}
	unsigned long long blocks = result->typed_blocks + result->native_blocks + result->unreachable_blocks;
	bool idle = xhprof_php_is_idle(&memory->target.php, &memory->target.remote);
	if (idle && live) {
		xhprof_say("idle between requests, its heap has %llu bytes in %llu block%s", (unsigned long long)live, blocks,
				   blocks == 1 ? "" : "s");
	} else if (live) {
		xhprof_say("%.1f MB in %llu blocks, %.2f %% typed, %.2f %% native, %.2f %% unreachable", (double)live / 1e6,
				   blocks, 100 * (double)result->typed_bytes / whole, 100 * (double)result->native_bytes / whole,
				   100 * (double)result->unreachable_bytes / whole);
	} else {
		xhprof_say("%sits heap is empty", idle ? "idle between requests, " : "");
	}
	print_end(memory);
}

static xhprof_exit take_snapshot(memory *memory, xhprof_chosen chosen)
{
	const xhprof_inspect_options *options = memory->options;
	memory->began = xhprof_now();
	xhprof_signals_end_at_once(""); /* the process then runs on */
	xhprof_exit code = options->image  ? open_image(memory, options->image)
					   : options->core ? open_core(memory, options->core)
									   : xhprof_target_open(&memory->target, chosen, options, memory->failure);
	if (code) {
		return code;
	}
	if (options->limit_file &&
		!xhprof_limit_error_patch(&memory->target.php, &memory->target.remote, options->limit_file, options->limit_line,
								  options->limit_depth)) {
		return xhprof_fail(
			memory->failure, XHPROF_EXIT_NO_STACK,
			"process %d has no calls left from line %u of %s: PHP may have unwound them before the shutdown functions; "
			"use xhprof.heap_on_limit then",
			(int)memory->target.php.pid, options->limit_line, options->limit_file);
	}
	take_info(memory);
	code = open_output(memory);
	if (code) {
		return code;
	}
	code = write_snapshot(memory);
	xhprof_exit closed = xhprof_output_close(&memory->output, code == XHPROF_EXIT_OK, memory->failure);
	code = code ? code : closed;
	xhprof_heap_output_release(&memory->snapshot);
	if (code == XHPROF_EXIT_OK && options->output) {
		print_result(memory);
	}
	return code;
}

static xhprof_exit take_image(memory *memory, xhprof_chosen chosen)
{
	memory->began = xhprof_now();
	xhprof_signals_end_at_once("");
	xhprof_exit code = xhprof_target_open(&memory->target, chosen, memory->options, memory->failure);
	code = code ? code : open_output(memory);
	if (code) {
		return code;
	}
	int file = memory->output.file.fd;
	uint64_t bytes = 0;
	code = xhprof_image_write(file, &memory->target, !memory->options->no_stop, &bytes, memory->failure);
	xhprof_target_let_go(&memory->target);
	xhprof_exit closed = xhprof_output_close(&memory->output, code == XHPROF_EXIT_OK, memory->failure);
	code = code ? code : closed;
	if (code == XHPROF_EXIT_OK) {
		xhprof_say("xhprof-inspect: %.1f MB of process %d", (double)bytes / 1e6, (int)chosen.pid);
		print_end(memory);
	}
	return code;
}

/* ---- The commands ------------------------------------------------------------------------------------------------------- */

typedef xhprof_exit (*take)(memory *memory, xhprof_chosen chosen);

static xhprof_exit take_of_child(memory *memory, int *status)
{
	pid_t child;
	xhprof_exit code = xhprof_child_start(memory->options->arguments, &child, memory->failure);
	if (code) {
		return code;
	}
	xhprof_privileges_drop(true);
	if (xhprof_child_wait(child, memory->options->after)) {
		code = xhprof_fail(memory->failure, XHPROF_EXIT_GONE, "%s ended before its snapshot was due, after %g s",
						   memory->options->arguments[0], memory->options->after);
	} else {
		code = take_snapshot(memory, (xhprof_chosen){.pid = child, .thread = XHPROF_CHOICE_THREAD});
	}
	close_all(memory);
	*status = xhprof_child_end(child);
	return code;
}

/* Takes the memory of a process; of a program to run, with `status`; or of an image, whose number is 0. */
static xhprof_exit take_one(const xhprof_inspect_options *options, take take, xhprof_chosen chosen, int *status,
							xhprof_failure *failure)
{
	memory *memory = calloc(1, sizeof(*memory));
	if (!memory) {
		return xhprof_fail(failure, XHPROF_EXIT_ERROR, "no memory");
	}
	memory->options = options;
	memory->failure = failure;
	xhprof_exit code = status ? take_of_child(memory, status) : take(memory, chosen);
	close_all(memory);
	free(memory);
	return code;
}

/* Takes the memory of one process after the other; a failure does not stop the others. Returns the first failure's code
 * and the last one's line: earlier ones have been printed. */
static xhprof_exit take_each(const xhprof_inspect_options *options, take take, xhprof_failure *failure)
{
	xhprof_exit first = XHPROF_EXIT_OK;
	xhprof_failure last = {0};
	for (size_t i = 0; i < options->processes.count; i++) {
		xhprof_exit code = take_one(options, take, options->processes.list[i], NULL, failure);
		if (code) {
			if (first) {
				xhprof_say("xhprof-inspect: %s\n", last.text);
			}
			first = first ? first : code;
			last = *failure;
		}
	}
	*failure = last;
	return first;
}

xhprof_exit xhprof_command_memory(const xhprof_inspect_options *options, int *status, xhprof_failure *failure)
{
	return options->processes.count
			   ? take_each(options, take_snapshot, failure)
			   : take_one(options, take_snapshot, (xhprof_chosen){0}, options->arguments ? status : NULL, failure);
}

xhprof_exit xhprof_command_image(const xhprof_inspect_options *options, xhprof_failure *failure)
{
	return take_each(options, take_image, failure);
}
