#include "sampling.h"

#include "process.h"
#include "signals.h"

#include <stdlib.h>

#define SECOND 1000000000u
#define LINES 128 /* of the cache, 4 KiB each: a stack and its functions */

static xhprof_exit find_php(xhprof_php *php, xhprof_chosen chosen, xhprof_failure *failure)
{
	xhprof_remote finder;
	if (!xhprof_remote_open(&finder, chosen.pid, XHPROF_REMOTE_WALK, 64)) {
		return xhprof_fail(failure, XHPROF_EXIT_ERROR, "no memory");
	}
	xhprof_exit code = xhprof_php_find(php, &finder, chosen.thread, failure);
	xhprof_remote_close(&finder);
	return code;
}

xhprof_exit xhprof_sampling_begin(xhprof_sampling *sampling, xhprof_chosen chosen,
								  const xhprof_inspect_options *options, xhprof_names *names, xhprof_failure *failure)
{
	memset(sampling, 0, sizeof(*sampling));
	xhprof_exit code = find_php(&sampling->php, chosen, failure);
	if (code) {
		return code;
	}
	if (!xhprof_remote_open(&sampling->remote, chosen.pid, XHPROF_REMOTE_SAMPLE, LINES) ||
		!xhprof_stack_open(&sampling->stack, &sampling->remote, &sampling->php, options->depth, names)) {
		return xhprof_fail(failure, XHPROF_EXIT_ERROR, "no memory");
	}
	if (options->stop) {
		sampling->stop = malloc(sizeof(*sampling->stop));
		if (!sampling->stop) {
			return xhprof_fail(failure, XHPROF_EXIT_ERROR, "no memory");
		}
		code = xhprof_stop_begin(sampling->stop, chosen.pid, failure); /* tests whether it can be stopped */
		xhprof_stop_end(sampling->stop);
	}
	return code;
}

void xhprof_sampling_start(xhprof_sampling *samplings, size_t count, const xhprof_inspect_options *options)
{
	uint64_t now = xhprof_now();
	for (size_t i = 0; i < count; i++) {
		samplings[i].period = SECOND / options->rate;
		samplings[i].next = now;
		samplings[i].end = options->seconds > 0 ? now + (uint64_t)(options->seconds * SECOND) : 0;
	}
}

static xhprof_stack_state look_at_process(xhprof_sampling *sampling)
{
	xhprof_failure ignored;
	if (!sampling->stop) {
		return xhprof_stack_take(&sampling->stack);
	}
	if (xhprof_stop_begin(sampling->stop, sampling->php.pid, &ignored) != XHPROF_EXIT_OK) {
		return XHPROF_STACK_TORN;
	}
	xhprof_stack_state state = xhprof_stack_take(&sampling->stack);
	xhprof_stop_end(sampling->stop);
	return state;
}

/* Whether process and thread are gone; a read stack is of one that is there. */
static bool has_ended(xhprof_sampling *sampling)
{
	xhprof_remote_forget(&sampling->remote);
	return xhprof_process_ended(sampling->php.pid) || !xhprof_php_has_thread(&sampling->php, &sampling->remote);
}

/* The process may have become another program, by exec(), which may have anything in the engine's place. */
static bool is_still_php(xhprof_sampling *sampling)
{
	xhprof_php php;
	xhprof_failure ignored;
	const xhprof_chosen same = {sampling->php.pid, sampling->php.thread};
	return find_php(&php, same, &ignored) == XHPROF_EXIT_OK &&
		   php.engine.executor_globals == sampling->php.engine.executor_globals;
}

xhprof_tick xhprof_sampling_tick(xhprof_sampling *sampling)
{
	uint64_t now = xhprof_now();
	if (xhprof_signals_received() || (sampling->end && sampling->next >= sampling->end)) {
		return XHPROF_TICK_END;
	}
	if (now < sampling->next) {
		xhprof_sleep_until(sampling->next);
		if (xhprof_signals_received()) {
			return XHPROF_TICK_END;
		}
		now = xhprof_now();
	}
	uint64_t passed = (now - sampling->next) / sampling->period; /* moments missed meanwhile */
	sampling->late += passed;
	sampling->next += (passed + 1) * sampling->period;
	/* Names of functions that look unchanged are trusted for a second. */
	sampling->stack.cache.generation = now / SECOND + 1;

	switch (look_at_process(sampling)) {
		case XHPROF_STACK_READ:
			sampling->taken++;
			sampling->dropped_since = 0;
			return XHPROF_TICK_STACK;
		case XHPROF_STACK_IDLE:
			sampling->idle++;
			sampling->dropped_since = 0;
			return has_ended(sampling) ? XHPROF_TICK_END : XHPROF_TICK_NOTHING;
		case XHPROF_STACK_TORN:
			break;
	}
	sampling->dropped_since = sampling->dropped_since ? sampling->dropped_since : now;
	if (sampling->remote.gone || has_ended(sampling)) {
		return XHPROF_TICK_END;
	}
	sampling->dropped++;
	if (now - sampling->dropped_since > 2 * (uint64_t)SECOND) {
		sampling->dropped_since = now;
		return is_still_php(sampling) ? XHPROF_TICK_NOTHING : XHPROF_TICK_END;
	}
	return XHPROF_TICK_NOTHING;
}

void xhprof_sampling_say(const xhprof_sampling *samplings, size_t count)
{
	unsigned long long taken = 0, idle = 0, dropped = 0, late = 0;
	for (size_t i = 0; i < count; i++) {
		taken += samplings[i].taken;
		idle += samplings[i].idle;
		dropped += samplings[i].dropped;
		late += samplings[i].late;
	}
	xhprof_say("xhprof-inspect: %llu samples, %llu idle, %llu dropped, %llu late\n", taken, idle, dropped, late);
}

void xhprof_sampling_end(xhprof_sampling *sampling)
{
	free(sampling->stop);
	if (sampling->stack.frames) {
		xhprof_stack_close(&sampling->stack);
	}
	if (sampling->remote.lines) {
		xhprof_remote_close(&sampling->remote);
	}
}
