#include "target.h"

#include "process.h"
#include "signals.h"

#include <stdlib.h>

#define TEXT(number) #number
#define NUMBER(macro) TEXT(macro)
#define TRIES 20 /* to read the heap of a running process */

const char *xhprof_target_open_heap(xhprof_target *target, bool moving)
{
	const char *problem = NULL;
	for (int i = 0; i < (moving ? TRIES : 1) && !target->in_heap; i++) {
		xhprof_remote_forget(&target->remote);
		problem = xhprof_zmm_open(&target->zmm, &target->remote.reader, target->php.heap,
								  xhprof_php_in_heap(&target->php, &target->remote), moving);
		target->in_heap = !problem;
	}
	return problem;
}

static xhprof_exit take_maps(xhprof_target *target, const char *maps, size_t length, xhprof_failure *failure)
{
	xhprof_reader_close(&target->remote.reader);
	int error = xhprof_reader_parse_maps(&target->remote.reader, maps, length);
	return error ? xhprof_fail(failure, XHPROF_EXIT_ERROR, "/proc/%d/maps: %s", (int)target->php.pid, strerror(error))
				 : XHPROF_EXIT_OK;
}

/* Reads the heap of a process while it runs. */
static xhprof_exit open_moving(xhprof_target *target, xhprof_failure *failure, const char **problem)
{
	size_t length = 0;
	char *maps = xhprof_process_file(target->php.pid, "maps", &length);
	if (!maps) {
		return xhprof_process_gone(target->php.pid, failure);
	}
	xhprof_exit code = take_maps(target, maps, length, failure);
	free(maps);
	*problem = code == XHPROF_EXIT_OK ? xhprof_target_open_heap(target, true) : NULL;
	return code;
}

/* Reads the heap of a process that is stopped, and runs on when its memory has been copied. */
static xhprof_exit open_stopped(xhprof_target *target, xhprof_failure *failure, const char **problem)
{
	static const char other[] = "the process has started another program", ended[] = "the thread has ended";
	pid_t pid = target->php.pid;
	size_t length = 0;
	target->stopped_since = xhprof_now();
	xhprof_exit code = xhprof_stop_begin(&target->stop, pid, failure);
	if (code) {
		target->stopped_since = 0;
		return code;
	}
	xhprof_remote_forget(&target->remote); /* that was of the running process */
	char *maps = xhprof_process_file(pid, "maps", &length);
	if (!maps) {
		return xhprof_process_gone(pid, failure);
	}
	bool same = xhprof_php_is_in(&target->php, maps);
	bool copied = same && target->copy.bytes && xhprof_copy_take(&target->copy, maps, length);
	if (copied || !same) {
		xhprof_target_let_go(target);
	}
	if (same) {
		xhprof_php_find_heap(&target->php, &target->remote);
		code = take_maps(target, copied ? target->copy.maps : maps, length, failure);
	}
	if (!copied) {
		free(maps);
	}
	*problem = !same                                                   ? other
			   : !xhprof_php_has_thread(&target->php, &target->remote) ? ended
			   : code == XHPROF_EXIT_OK                                ? xhprof_target_open_heap(target, false)
																	   : NULL;
	return code;
}

static void report_waiting(const xhprof_target *target)
{
	xhprof_say("xhprof-inspect: the memory of process %d is too large to copy: it is stopped until all is read\n",
			   (int)target->php.pid);
}

/* Opens the target in one attempt; `again`: the next may succeed. */
static xhprof_exit open_once(xhprof_target *target, const xhprof_inspect_options *options, xhprof_failure *failure,
							 bool *again)
{
	static const char tried[] = "; it was stopped " NUMBER(XHPROF_TARGET_TRIES) " times";
	const char *problem = NULL;
	xhprof_exit code =
		options->no_stop ? open_moving(target, failure, &problem) : open_stopped(target, failure, &problem);
	*again = code == XHPROF_EXIT_OK || target->stop.held;
	if (code || !problem) {
		return code;
	}
	if (xhprof_target_is_lost(target)) {
		*again = false;
		return xhprof_process_gone(target->php.pid, failure);
	}
	*again = problem != xhprof_zmm_not_here;
	return xhprof_fail(failure, XHPROF_EXIT_NO_HEAP, "the heap of process %d cannot be read: %s%s",
					   (int)target->php.pid, problem, *again && !options->no_stop ? tried : "");
}

xhprof_exit xhprof_target_open(xhprof_target *target, xhprof_chosen chosen, const xhprof_inspect_options *options,
							   xhprof_failure *failure)
{
	uint64_t pause = XHPROF_TARGET_FIRST_PAUSE;
	if (!xhprof_remote_open(&target->remote, chosen.pid, XHPROF_REMOTE_WALK,
							XHPROF_REMOTE_CACHE >> XHPROF_REMOTE_WALK)) {
		return xhprof_fail(failure, XHPROF_EXIT_ERROR, "no memory");
	}
	target->reading = true;
	xhprof_exit code = xhprof_php_find(&target->php, &target->remote, chosen, failure);
	if (code) {
		return code;
	}
	chosen.thread = target->php.thread;
	chosen.threads = target->php.threads;
	xhprof_process_command(chosen.pid, target->command, sizeof(target->command));
	uint64_t max = options->copy_is_bounded ? options->max_copied : xhprof_copy_max();
	if (!options->no_stop && max) {
		xhprof_copy_open(&target->copy, &target->remote, max);
	}
	for (int i = 1;; i++) {
		bool again = false;
		code = open_once(target, options, failure, &again);
		if (code == XHPROF_EXIT_OK && target->stopped_since && max) {
			report_waiting(target);
		}
		if (code == XHPROF_EXIT_OK || !again || i == XHPROF_TARGET_TRIES) {
			return code;
		}
		xhprof_target_let_go(target);
		xhprof_copy_drop(&target->copy);
		xhprof_remote_of_process(&target->remote);
		xhprof_sleep_until(xhprof_now() + pause);
		pause = 2 * pause < XHPROF_TARGET_LONGEST_PAUSE ? 2 * pause : XHPROF_TARGET_LONGEST_PAUSE;
		code = xhprof_php_find(&target->php, &target->remote, chosen, failure);
		if (code) {
			return code;
		}
	}
}

void xhprof_target_let_go(xhprof_target *target)
{
	xhprof_stop_end(&target->stop);
	if (target->stopped_since) {
		target->stopped_for = xhprof_now() - target->stopped_since;
		target->stopped_since = 0;
	}
}

bool xhprof_target_is_lost(const xhprof_target *target)
{
	bool copied = target->copy.maps != NULL;
	return target->remote.pid &&
		   (copied ? target->remote.lost : target->remote.gone || xhprof_process_ended(target->php.pid));
}

void xhprof_target_close(xhprof_target *target)
{
	xhprof_target_let_go(target);
	if (target->in_heap) {
		xhprof_zmm_close(&target->zmm);
	}
	xhprof_copy_close(&target->copy);
	if (target->reading) {
		xhprof_reader_close(&target->remote.reader);
		xhprof_remote_close(&target->remote);
	}
	target->reading = target->in_heap = false;
}
