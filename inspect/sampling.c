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
	xhprof_exit code = xhprof_php_find(php, &finder, chosen, failure);
	xhprof_remote_close(&finder);
	return code;
}

/* Begins the sampling of a process, or of a thread of one. */
static xhprof_exit begin_one(xhprof_sampling *sampling, xhprof_chosen chosen, const xhprof_inspect_options *options,
							 xhprof_names *names, xhprof_failure *failure)
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

/* Returns whether process and thread are gone; a read stack is of one that is there. */
static bool has_ended(xhprof_sampling *sampling)
{
	xhprof_remote_forget(&sampling->remote);
	return xhprof_process_ended(sampling->php.pid) || !xhprof_php_has_thread(&sampling->php, &sampling->remote);
}

/* Returns whether the process is still PHP. It may have become another program, by exec(), which may have anything in
 * the engine's place. */
static bool is_still_php(xhprof_sampling *sampling)
{
	xhprof_php php;
	xhprof_failure ignored;
	const xhprof_chosen same = {sampling->php.pid, sampling->php.thread, sampling->php.threads};
	return find_php(&php, same, &ignored) == XHPROF_EXIT_OK &&
		   php.engine.executor_globals == sampling->php.engine.executor_globals;
}

typedef enum tick {
	TICK_STACK, /* a stack was read, into `stack` */
	TICK_NOTHING,
	TICK_END,  /* the process or thread has ended */
	TICK_OVER, /* the time is over, or a signal has come: all end */
} tick;

/* Waits for the next moment and reads a stack. */
static tick read_one(xhprof_sampling *sampling)
{
	uint64_t now = xhprof_now();
	if (xhprof_signals_received() || (sampling->end && sampling->next >= sampling->end)) {
		return TICK_OVER;
	}
	if (now < sampling->next) {
		xhprof_sleep_until(sampling->next);
		if (xhprof_signals_received()) {
			return TICK_OVER;
		}
		now = xhprof_now();
	}
	uint64_t passed = (now - sampling->next) / sampling->period; /* moments missed meanwhile */
	sampling->counts.late += passed;
	sampling->next += (passed + 1) * sampling->period;
	/* Names of functions that look unchanged are trusted for a second. */
	sampling->stack.cache.generation = now / SECOND + 1;

	switch (look_at_process(sampling)) {
		case XHPROF_STACK_READ:
			sampling->counts.taken++;
			sampling->dropped_since = 0;
			return TICK_STACK;
		case XHPROF_STACK_IDLE:
			sampling->counts.idle++;
			sampling->dropped_since = 0;
			return has_ended(sampling) ? TICK_END : TICK_NOTHING;
		case XHPROF_STACK_TORN:
			break;
	}
	sampling->dropped_since = sampling->dropped_since ? sampling->dropped_since : now;
	if (sampling->remote.gone || has_ended(sampling)) {
		return TICK_END;
	}
	sampling->counts.dropped++;
	if (now - sampling->dropped_since > 2 * (uint64_t)SECOND) {
		sampling->dropped_since = now;
		return is_still_php(sampling) ? TICK_NOTHING : TICK_END;
	}
	return TICK_NOTHING;
}

static void end_one(xhprof_sampling *sampling)
{
	free(sampling->stop);
	if (sampling->stack.frames) {
		xhprof_stack_close(&sampling->stack);
	}
	if (sampling->remote.lines) {
		xhprof_remote_close(&sampling->remote);
	}
	memset(sampling, 0, sizeof(*sampling));
}

/* ---- All of them -------------------------------------------------------------------------------------------------------- */

static void add_counts(xhprof_sampling_counts *to, const xhprof_sampling_counts *counts)
{
	to->taken += counts->taken;
	to->idle += counts->idle;
	to->dropped += counts->dropped;
	to->late += counts->late;
}

xhprof_exit xhprof_samplings_begin(xhprof_samplings *samplings, const xhprof_inspect_options *options,
								   xhprof_failure *failure)
{
	xhprof_exit code = XHPROF_EXIT_OK;
	samplings->options = options;
	samplings->list = calloc(XHPROF_CHOICE_MAX, sizeof(*samplings->list));
	if (!samplings->list) {
		return xhprof_fail(failure, XHPROF_EXIT_ERROR, "no memory");
	}
	for (; code == XHPROF_EXIT_OK && samplings->count < options->processes.count; samplings->count++) {
		xhprof_chosen chosen = options->processes.list[samplings->count];
		code = begin_one(&samplings->list[samplings->count], chosen, options, &samplings->names, failure);
		bool all = xhprof_php_has_threads && options->thread == XHPROF_CHOICE_THREADS && chosen.thread;
		bool may_end = options->pool || all;
		if (all && xhprof_choice_add(&samplings->watched, chosen.pid)) {
			samplings->watched.list[samplings->watched.count - 1].threads = chosen.threads;
		}
		if (may_end && (code == XHPROF_EXIT_GONE || code == XHPROF_EXIT_NO_PROCESS)) {
			samplings->ended[samplings->count] = true;
			code = XHPROF_EXIT_OK;
		}
	}
	return code;
}

static void start_one(const xhprof_samplings *samplings, xhprof_sampling *sampling, uint64_t first)
{
	sampling->period = SECOND / samplings->options->rate;
	sampling->next = first;
	sampling->end = samplings->end;
}

void xhprof_samplings_start(xhprof_samplings *samplings)
{
	uint64_t now = xhprof_now();
	double seconds = samplings->options->seconds;
	samplings->listed = now;
	samplings->end = seconds > 0 ? now + (uint64_t)(seconds * SECOND) : 0;
	for (size_t i = 0; i < samplings->count; i++) {
		start_one(samplings, &samplings->list[i], now);
	}
}

/* Returns the first sampling that has not ended, or NULL. */
static const xhprof_sampling *first_going(const xhprof_samplings *samplings)
{
	size_t i = 0;
	while (i < samplings->count && samplings->ended[i]) {
		i++;
	}
	return i < samplings->count ? &samplings->list[i] : NULL;
}

/* Returns a place for another sampling, perhaps of one that has ended; NULL when all are taken. */
static xhprof_sampling *free_place(xhprof_samplings *samplings)
{
	size_t i = 0;
	while (i < samplings->count && !samplings->ended[i]) {
		i++;
	}
	if (i == XHPROF_CHOICE_MAX) {
		return NULL;
	}
	if (i == samplings->count) {
		samplings->count++;
	} else {
		add_counts(&samplings->before, &samplings->list[i].counts);
		end_one(&samplings->list[i]);
	}
	samplings->ended[i] = true;
	return &samplings->list[i];
}

static bool is_sampled(const xhprof_samplings *samplings, xhprof_chosen thread)
{
	for (size_t i = 0; i < samplings->count; i++) {
		const xhprof_php *php = &samplings->list[i].php;
		if (!samplings->ended[i] && php->pid == thread.pid && php->thread == thread.thread) {
			return true;
		}
	}
	return false;
}

/* Adds the threads of a process that have begun meanwhile. */
static void add_threads(xhprof_samplings *samplings, xhprof_chosen process)
{
	xhprof_chosen threads[XHPROF_CHOICE_MAX];
	xhprof_failure ignored;
	size_t count;
	if (!xhprof_choice_list_threads(process, threads, &count)) {
		return;
	}
	for (size_t i = 0; i < count && i < XHPROF_CHOICE_MAX; i++) {
		xhprof_sampling *place = is_sampled(samplings, threads[i]) ? NULL : free_place(samplings);
		if (place && begin_one(place, threads[i], samplings->options, &samplings->names, &ignored) == XHPROF_EXIT_OK) {
			const xhprof_sampling *other = first_going(samplings);
			start_one(samplings, place, other ? other->next : xhprof_now());
			samplings->ended[place - samplings->list] = false;
		}
	}
}

/* Looks at one process a second, in turn, or at all if nothing else is left. */
static void look_for_threads(xhprof_samplings *samplings, bool going)
{
	const size_t count = samplings->watched.count;
	uint64_t now = xhprof_now();
	if (count && (!going || now - samplings->listed >= SECOND)) {
		samplings->listed = now;
		for (size_t i = 0; i < (going ? 1 : count); i++) {
			add_threads(samplings, samplings->watched.list[samplings->turn++ % count]);
		}
	}
}

bool xhprof_samplings_tick(xhprof_samplings *samplings, bool (*take)(void *context, xhprof_stack *stack), void *context,
						   bool *going)
{
	*going = true;
	for (size_t i = 0; i < samplings->count && *going; i++) {
		xhprof_sampling *sampling = &samplings->list[i];
		tick tick = samplings->ended[i] ? TICK_NOTHING : read_one(sampling);
		*going = tick != TICK_OVER;
		samplings->ended[i] = samplings->ended[i] || tick == TICK_END;
		if (tick == TICK_STACK && !take(context, &sampling->stack)) {
			return false;
		}
	}
	if (*going) {
		look_for_threads(samplings, first_going(samplings) != NULL);
		*going = first_going(samplings) != NULL;
	}
	return true;
}

xhprof_sampling_counts xhprof_samplings_counts(const xhprof_samplings *samplings)
{
	xhprof_sampling_counts all = samplings->before;
	for (size_t i = 0; i < samplings->count; i++) {
		add_counts(&all, &samplings->list[i].counts);
	}
	return all;
}

void xhprof_samplings_say(const xhprof_samplings *samplings)
{
	xhprof_sampling_counts all = xhprof_samplings_counts(samplings);
	xhprof_say("xhprof-inspect: %llu samples, %llu idle, %llu dropped, %llu late\n", (unsigned long long)all.taken,
			   (unsigned long long)all.idle, (unsigned long long)all.dropped, (unsigned long long)all.late);
}

void xhprof_samplings_end(xhprof_samplings *samplings)
{
	for (size_t i = 0; i < samplings->count; i++) {
		end_one(&samplings->list[i]);
	}
	xhprof_names_release(&samplings->names);
	free(samplings->list);
}
