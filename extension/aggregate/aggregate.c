#include "aggregate.h"

#include "aggregate_state.h"
#include "kept_blocks.h"
#include "merged_fold.h"
#include "window_clock.h"

#include "base/route.h"
#include "base/text.h"
#include "export/run_directory.h"
#include "folder/log_once.h"
#include "folder/run_folder.h"
#include "hook/fork_watch.h"
#include "hook/hook_alloc.h"
#include "hook/session.h"
#include "hook/termination.h"

#include <errno.h>
#include <inttypes.h>
#include <pthread.h>

#define SPREAD_MS 50

static uint64_t window_of(const xhprof_aggregate_place *place, uint64_t now_ms)
{
	return now_ms / 1000 / place->seconds;
}

static uint64_t flush_windows(void *context);

/* Lets the thread rest: it must be idle while the process forks. */
static void before_fork(void)
{
	xhprof_aggregate *state = XHPROF_G(aggregate).state;
	if (state && !XHPROF_G(aggregate).busy) {
		xhprof_termination_hold();
		pthread_mutex_lock(&state->thread.lock);
		state->forking = true;
	}
}

static void after_fork(void)
{
	xhprof_aggregate *state = XHPROF_G(aggregate).state;
	if (state && state->forking) {
		state->forking = false;
		pthread_mutex_unlock(&state->thread.lock);
		xhprof_termination_let_go();
	}
}

/* Forgets what the parent has, in the child of a fork. Copied pages are costly and most children soon become another
 * program: only urgent work is done. */
static void forked_child(void)
{
	xhprof_aggregate *state = XHPROF_G(aggregate).state;
	if (!state) {
		return;
	}
	after_fork();
	xhprof_window_thread_forget(&state->thread);
	state->forked = true;
	state->made_ms = xhprof_window_clock_ms();
	xhprof_kept_memory_forked(&state->kept);
	xhprof_cpu_meter_forked(&state->cpu);
	for (size_t i = 0; i < XHPROF_AGGREGATE_SLOTS; i++) {
		if (state->slots[i]) {
			xhprof_spool_forget(&state->slots[i]->spool);
			xhprof_journal_forget(&state->slots[i]->journal);
		}
	}
	for (xhprof_counting *counting = state->waiting; counting; counting = counting->next) {
		xhprof_counting_forked(counting, state->cpu.before);
	}
	xhprof_jobs_forked(&state->jobs, xhprof_clock_monotonic_ns(), state->cpu.before);
	if (state->jobs.sampling) {
		xhprof_hook_alloc_forget();
	}
	if (XHPROF_G(aggregate).running) {
		xhprof_counting_forked(&state->now, state->cpu.before);
		if (state->now.sampling) {
			xhprof_tracer_forget_samples(&XHPROF_G(tracer)); /* the parent's */
			xhprof_hook_alloc_forget();
		}
	}
}

xhprof_aggregate *xhprof_aggregate_state(void)
{
	xhprof_aggregate *state = XHPROF_G(aggregate).state;
	if (!state) {
		state = XHPROF_G(aggregate).state = xhprof_pages_map(sizeof(*state));
		if (state) {
			xhprof_window_thread_init(&state->thread, flush_windows, state);
		}
	}
	if (state && !state->made_ms) {
		state->made_ms = xhprof_window_clock_ms();
	}
	if (state) {
		static xhprof_fork_watcher forks = {.before = before_fork, .in_parent = after_fork, .in_child = forked_child};
		xhprof_fork_watch(&forks);
	}
	return state;
}

/* Empties the slots of a forked child, as the parent flushes its data itself. */
static void forget_parents(xhprof_aggregate *state)
{
	for (size_t i = 0; i < XHPROF_AGGREGATE_SLOTS; i++) {
		if (state->slots[i]) {
			xhprof_aggregate_slot_empty(state->slots[i]);
			state->slots[i]->retry_ms = 0;
			state->slots[i]->kept.known = false;
		}
	}
	xhprof_kept_blocks_forked(&state->kept_blocks);
	state->forked = false;
}

static void on_run_saved_by_thread(const xhprof_aggregate_saver *saver, const xhprof_aggregate_place *place,
								   const xhprof_run_written *written)
{
	const xhprof_aggregate *state = saver->context;
	xhprof_run_folder_admit(written->folder, place->source, state->max_runs, state->max_bytes, written->bytes);
}

/* Flushes windows that are over, in the thread, which does not use PHP. Failures are retried; a request that meets one
 * reports it. Returns how long to wait, in ms. */
static uint64_t flush_windows(void *context)
{
	xhprof_aggregate *state = context;
	uint64_t now_ms = xhprof_window_clock_ms(), next_ms = 0;
	for (size_t i = 0; i < XHPROF_AGGREGATE_SLOTS; i++) {
		xhprof_aggregate_slot *slot = state->slots[i];
		uint64_t wait_ms = 0;
		if (!slot || xhprof_merged_empty(&slot->merged)) {
			continue;
		}
		uint64_t end_ms = (slot->window + 1) * slot->place.seconds * 1000;
		if (now_ms < end_ms) {
			wait_ms = end_ms - now_ms + slot->process % SPREAD_MS; /* spread over the processes */
		} else {
			xhprof_aggregate_saver saver = {&state->engine, on_run_saved_by_thread, slot->process, now_ms, false,
											state};
			int save_error;
			xhprof_kept_blocks_bring(&state->kept_blocks, slot); /* an error closes the journal: the data are here */
			wait_ms = xhprof_aggregate_slot_flush_by(slot, XHPROF_FLUSH_QUIET, &saver, &save_error)
						  ? XHPROF_AGGREGATE_RETRY_MS
						  : 0;
		}
		next_ms = !wait_ms || (next_ms && next_ms < wait_ms) ? next_ms : wait_ms;
	}
	return xhprof_window_clock_wait(next_ms);
}

/* Returns the slot for the request's place: its own, a new one, or the least recently used. The program may have set
 * its release since. */
static xhprof_aggregate_slot *slot_of_request(xhprof_aggregate *state, uint64_t now_ms)
{
	size_t choice = 0;
	xhprof_text_copy(state->now.place.release, sizeof(state->now.place.release), XHPROF_G(ini).release);
	xhprof_run_directory_now(state->now.place.directory, state->now.own_folder);
	for (size_t i = 0; i < XHPROF_AGGREGATE_SLOTS; i++) {
		const xhprof_aggregate_slot *slot = state->slots[i], *chosen = state->slots[choice];
		if (slot && xhprof_aggregate_place_is(&slot->place, &state->now.place)) {
			choice = i;
			break;
		}
		choice = chosen && (!slot || slot->used < chosen->used) ? i : choice;
	}
	xhprof_aggregate_slot *slot = state->slots[choice];
	if (slot && !xhprof_aggregate_place_is(&slot->place, &state->now.place)) {
		slot->retry_ms = 0;
		if (xhprof_aggregate_slot_flush(slot, XHPROF_FLUSH_WINDOW, now_ms)) {
			xhprof_aggregate_slot_log_lost(slot);
		}
		xhprof_kept_memory_drop(&state->kept, &slot->kept);
		xhprof_aggregate_slot_release(slot);
		state->slots[choice] = slot = NULL;
	}
	if (!slot && (slot = xhprof_pages_map(sizeof(*slot)))) {
		state->slots[choice] = slot;
		slot->place = state->now.place;
		slot->spool.fd = -1;
		xhprof_aggregate_slot_empty(slot);
	}
	if (slot) {
		slot->used = ++state->requests;
	}
	return slot && slot->merged.tracer.tree.root ? slot : NULL;
}

/* Reports an error of the journal, unless it is EBADF: no journal is open, which was reported. */
static void report_journal(const xhprof_aggregate_slot *slot, int error)
{
	xhprof_aggregate *state = XHPROF_G(aggregate).state;
	if (error && error != EBADF && !state->reported && !XHPROF_G(aggregate).quiet) {
		state->reported = true;
		xhprof_log_notice("no journal in %s, so a killed process loses its part of a window: %s", slot->place.directory,
						  strerror(error));
	}
}

/* Begins a window with its first data; from here on others wait for them. `stays`: the process may go on without more
 * data. */
static void begin_window(xhprof_aggregate_slot *slot, uint64_t window, bool stays, uint64_t now_ms)
{
	xhprof_run_engine engine;
	xhprof_aggregate_saver saver = xhprof_aggregate_saver_now(now_ms, &engine);
	xhprof_aggregate *state = XHPROF_G(aggregate).state;
	slot->window = window;
	slot->user = geteuid();
	slot->process = saver.process;
	state->engine = engine;
	state->max_runs = (uint64_t)XHPROF_G(ini).max_runs;
	state->max_bytes = (uint64_t)XHPROF_G(ini).max_bytes;
	int error = xhprof_aggregate_open(&slot->place, &slot->spool, &saver);
	if (error) {
		xhprof_aggregate_slot_log(slot, error);
	} else {
		xhprof_spool_hold(&slot->spool, window);
		report_journal(slot, xhprof_aggregate_open_journal(&slot->place, &slot->journal));
		if (stays) {
			xhprof_window_thread_start(&state->thread);
		}
	}
}

/* Returns the route of the earlier request of which the process has kept something that is not counted yet; or NULL. */
static xhprof_merged_route *take_kept(xhprof_aggregate_slot *slot)
{
	xhprof_kept *kept = &slot->kept;
	bool known = kept->known;
	kept->known = false;
	return known ? xhprof_merged_find(&slot->merged, kept->route, kept->route_length) : NULL;
}

/* Adds what was kept, and `part`, to the journal: as one record where both are of one route. */
static void add_to_journal(xhprof_aggregate_slot *slot, xhprof_spool_part *part)
{
	xhprof_merged_route *of_kept = take_kept(slot);
	xhprof_spool_part kept = {.route = of_kept, .from = part->from, .kept = &slot->kept.bytes};
	if (of_kept == part->route) {
		part->kept = kept.kept;
		xhprof_merged_keep(of_kept, 1, slot->kept.bytes);
	}
	report_journal(slot, xhprof_journal_add(&slot->journal, part, &slot->merged, slot->process));
	if (of_kept && of_kept != part->route) { /* afterwards: a full journal is written anew from what is merged */
		xhprof_merged_keep(of_kept, 1, slot->kept.bytes);
		report_journal(slot, xhprof_journal_add(&slot->journal, &kept, &slot->merged, slot->process));
	}
}

/* Takes over the blocks that a span has allocated, as its samples end. */
static void take_blocks(xhprof_aggregate *state, const xhprof_tracer *profile)
{
	if (state->now.sampling && state->now.kind == XHPROF_COUNTING_SPAN && state->now.place.alloc_bytes) {
		xhprof_kept_blocks_take(&state->kept_blocks, &state->now, profile);
	}
}

/* Adds what is kept, if it is due, to the window to which the span has just been added. */
static void end_blocks(xhprof_aggregate *state, xhprof_aggregate_slot *slot)
{
	if (state->now.kind == XHPROF_COUNTING_SPAN && state->now.place.alloc_bytes) {
		xhprof_kept_blocks_end(&state->kept_blocks, &state->now, &slot->place);
	}
	if (xhprof_kept_blocks_due(&state->kept_blocks) && !xhprof_merged_empty(&slot->merged)) {
		report_journal(slot, xhprof_kept_blocks_bring(&state->kept_blocks, slot));
	}
}

/* Adds samples of the request (`profile` may be NULL), and the request if it has ended, to the data of `window`.
 * `cpu_us`: CPU time that is of no request. */
static void add_to_window(xhprof_aggregate *state, xhprof_aggregate_slot *slot, uint64_t window,
						  const xhprof_tracer *profile, const xhprof_merged_request *request, uint64_t cpu_us,
						  uint64_t now_ms)
{
	bool over = !xhprof_merged_empty(&slot->merged) && slot->window != window;
	if (over) {
		report_journal(slot, xhprof_kept_blocks_bring(&state->kept_blocks, slot));
	}
	if (over && xhprof_aggregate_slot_flush(slot, XHPROF_FLUSH_WINDOW, now_ms) == EAGAIN &&
		xhprof_journal_is_open(&slot->journal)) {
		xhprof_journal_leave(&slot->journal); /* its new owner takes it along; otherwise both windows go together */
		xhprof_spool_let_go(&slot->spool);
		xhprof_aggregate_slot_empty(slot);
	}
	bool full = xhprof_merged_full(&slot->merged, profile ? profile->tree.nodes : 0);
	if (full && !xhprof_merged_empty(&slot->merged)) {
		xhprof_aggregate_slot_flush(slot, XHPROF_FLUSH_EARLY, now_ms);
	}
	if (!slot->merged.tracer.tree.root) {
		return; /* no memory */
	}
	if (xhprof_merged_empty(&slot->merged)) {
		bool stays = state->now.kind != XHPROF_COUNTING_PROGRAM || (state->now.stopped_ns && !request);
		begin_window(slot, window, stays, now_ms);
	}
	xhprof_merged_fold_if_many(&slot->merged);
	uint64_t from = window * slot->place.seconds;
	xhprof_merged_route *route = xhprof_merged_find(&slot->merged, state->now.route, state->now.route_length);
	if (route) {
		xhprof_spool_part part = {route, profile, request, from, NULL, cpu_us};
		route->cpu_us = xhprof_distribution_sum(route->cpu_us, cpu_us);
		xhprof_merged_span(&slot->merged, from, from + 1);
		xhprof_merged_add(&slot->merged, route, profile, request);
		add_to_journal(slot, &part);
	}
}

/* Adds what was sampled until now to the window in which it was sampled, while the request goes on. */
static void bring_samples(xhprof_aggregate *state, bool flush, uint64_t now_ms)
{
	const xhprof_tracer *profile = &XHPROF_G(tracer);
	bool any = profile->samples.samples || profile->samples.dropped || /* otherwise it waited, or has just begun */
			   xhprof_calltree_has_blocks(&profile->tree);
	pthread_mutex_lock(&state->thread.lock);
	if (state->forked) {
		forget_parents(state);
	}
	xhprof_aggregate_slot *slot = any ? slot_of_request(state, now_ms) : NULL;
	if (slot) {
		add_to_window(state, slot, state->now.window, profile, NULL, 0, now_ms);
		if (flush) {
			xhprof_aggregate_slot_flush(slot, XHPROF_FLUSH_WINDOW, now_ms);
		}
		xhprof_tracer_forget_samples(&XHPROF_G(tracer));
		state->now.parted = true;
	}
	pthread_mutex_unlock(&state->thread.lock);
}

/* Brings the samples so far to their window before one of the next is taken: samples of a long-running program belong
 * to the window in which they were taken. */
static void sample_ahead(void)
{
	xhprof_aggregate *state = XHPROF_G(aggregate).state;
	if (!XHPROF_G(aggregate).running || XHPROF_G(aggregate).busy) {
		return;
	}
	uint64_t now_ms = xhprof_window_clock_ms(), window = window_of(&state->now.place, now_ms);
	if (window == state->now.window) {
		return;
	}
	xhprof_termination_hold();
	XHPROF_G(aggregate).busy = true;
	bring_samples(state, true, now_ms);
	state->now.window = window;
	XHPROF_G(aggregate).busy = false;
	xhprof_termination_let_go();
}

/* Makes the user's own folder, once for each window. Returns NULL, or why it must not be used. */
static const char *make_folder(xhprof_aggregate *state, const char *directory, uint64_t now_ms)
{
	uint64_t window = window_of(&state->now.place, now_ms);
	int error;
	if (state->window_made == window && strcmp(state->now.place.directory, directory) == 0) {
		return NULL;
	}
	const char *refusal = xhprof_run_directory_make(directory, &error);
	state->window_made = refusal ? 0 : window;
	return refusal;
}

const char *xhprof_aggregate_set_place(xhprof_aggregate *state, const char *directory, bool own_folder)
{
	state->now.place.seconds = (uint32_t)XHPROF_G(ini).flush_seconds;
	const char *refusal = own_folder ? make_folder(state, directory, xhprof_window_clock_ms()) : NULL;
	refusal = refusal ? refusal : xhprof_counting_take_place(&state->now, directory, own_folder);
	if (!refusal && state->forked) {
		forget_parents(state);
	}
	return refusal;
}

void xhprof_aggregate_rinit(void)
{
	xhprof_aggregate *state = XHPROF_G(aggregate).state;
	if (state) {
		while (state->waiting) { /* a bailout has skipped their end */
			xhprof_counting_drop(&state->waiting, state->waiting);
		}
		xhprof_counting_forget_samples(&state->now);
		xhprof_jobs_forget(&state->jobs);
		xhprof_kept_memory_rinit(&state->kept);
		pthread_mutex_lock(&state->thread.lock);
		xhprof_kept_blocks_rinit(&state->kept_blocks);
		pthread_mutex_unlock(&state->thread.lock);
	}
}

void xhprof_aggregate_rshutdown(void)
{
	xhprof_aggregate *state = XHPROF_G(aggregate).state;
	if (!state || state->forked || !state->kept_blocks.changed || XHPROF_G(aggregate).busy) {
		return;
	}
	pthread_mutex_lock(&state->thread.lock);
	for (size_t i = 0; i < XHPROF_AGGREGATE_SLOTS; i++) {
		xhprof_aggregate_slot *slot = state->slots[i];
		if (!slot || !xhprof_kept_blocks_are_of(&state->kept_blocks, slot)) {
			continue;
		}
		if (xhprof_merged_empty(&slot->merged)) { /* the thread has brought the window's other data */
			uint64_t now_ms = xhprof_window_clock_ms(), window = window_of(&slot->place, now_ms);
			begin_window(slot, window, false, now_ms);
			xhprof_merged_span(&slot->merged, window * slot->place.seconds, window * slot->place.seconds + 1);
		}
		report_journal(slot, xhprof_kept_blocks_bring(&state->kept_blocks, slot));
	}
	pthread_mutex_unlock(&state->thread.lock);
}

const char *xhprof_aggregate_begin(const char *route, const char *directory, bool own_folder, uint64_t started_ns,
								   xhprof_counting_kind kind)
{
	bool busy = XHPROF_G(aggregate).running || XHPROF_G(aggregate).busy || xhprof_session_busy();
	xhprof_aggregate *state = busy ? NULL : xhprof_aggregate_state();
	if (!state) {
		return xhprof_refusal_text(busy ? XHPROF_REFUSED_BUSY : XHPROF_REFUSED_NO_MEMORY);
	}
	const char *refusal = xhprof_aggregate_set_place(state, directory, own_folder);
	if (refusal) {
		return refusal;
	}
	xhprof_cpu_meter_begin(&state->cpu, XHPROF_COUNTING_CPU_CLOCK, XHPROF_CPU_OF_REQUESTS, started_ns);
	xhprof_counting_begin(&state->now, route, kind, started_ns, state->cpu.before);
	state->now.window = window_of(&state->now.place, xhprof_window_clock_ms());
	xhprof_kept_memory_begin(&state->kept, &state->now);
	xhprof_counting_sample(&state->now, sample_ahead);
	XHPROF_G(aggregate).running = true;
	return NULL;
}

void xhprof_aggregate_rename(const char *route)
{
	xhprof_aggregate *state = XHPROF_G(aggregate).state;
	if (XHPROF_G(aggregate).running && !XHPROF_G(aggregate).busy) {
		state->now.route_length = xhprof_route_of_name(state->now.route, route, strlen(route));
	}
}

/* Stops the samples. A request's samples stay with it, as its route may still change; others go to their route now. */
static void stop_samples(xhprof_aggregate *state, xhprof_counting *now, uint64_t now_ns)
{
	xhprof_counting_pause(now, now_ns);
	if (now->sampling && xhprof_session_stop(XHPROF_BY_SETTINGS, XHPROF_SAMPLING)) {
		const xhprof_tracer *profile = xhprof_session_last();
		take_blocks(state, profile);
		if (now->kind != XHPROF_COUNTING_REQUEST || !xhprof_counting_set_aside(now, profile)) {
			bring_samples(state, false, xhprof_window_clock_ms());
		}
		xhprof_session_forget(true);
		xhprof_hook_alloc_rest();
	}
	now->sampling = false;
}

xhprof_counting *xhprof_aggregate_wait(void)
{
	xhprof_aggregate *state = XHPROF_G(aggregate).state;
	bool may = XHPROF_G(aggregate).running && !XHPROF_G(aggregate).busy;
	xhprof_counting *waiting = may ? xhprof_pages_map(sizeof(*waiting)) : NULL;
	if (waiting) {
		XHPROF_G(aggregate).busy = true;
		xhprof_session_keep_counting(true);
		stop_samples(state, &state->now, xhprof_clock_monotonic_ns());
		memcpy(waiting, &state->now, sizeof(*waiting));
		state->now.aside = NULL;
		waiting->next = state->waiting;
		state->waiting = waiting;
		XHPROF_G(aggregate).running = XHPROF_G(aggregate).busy = false;
	}
	return waiting;
}

/* Takes a counting out of those that wait. */
static void drop_waiting(xhprof_aggregate *state, xhprof_counting *waiting)
{
	xhprof_counting_drop(&state->waiting, waiting);
	if (!state->waiting && !state->jobs.count) {
		xhprof_session_keep_counting(false);
	}
}

bool xhprof_aggregate_go_on(xhprof_counting *waiting)
{
	xhprof_aggregate *state = XHPROF_G(aggregate).state;
	if (!waiting->resumable || XHPROF_G(aggregate).running || XHPROF_G(aggregate).busy || xhprof_session_busy()) {
		return false;
	}
	XHPROF_G(aggregate).busy = true;
	memcpy(&state->now, waiting, sizeof(*waiting));
	state->now.window = window_of(&state->now.place, xhprof_window_clock_ms());
	bool resumed = xhprof_counting_resume(&state->now, sample_ahead);
	if (resumed) {
		waiting->aside = NULL; /* its samples have gone with it */
		drop_waiting(state, waiting);
	} else {
		waiting->resumable = false;
		state->now.aside = NULL;
	}
	XHPROF_G(aggregate).running = resumed;
	XHPROF_G(aggregate).busy = false;
	return resumed;
}

void xhprof_aggregate_add_samples(xhprof_aggregate *state, const xhprof_tracer *profile, uint64_t cpu_us)
{
	uint64_t now_ms = xhprof_window_clock_ms();
	pthread_mutex_lock(&state->thread.lock);
	if (state->forked) {
		forget_parents(state);
	}
	xhprof_aggregate_slot *slot = slot_of_request(state, now_ms);
	if (slot) {
		add_to_window(state, slot, window_of(&slot->place, now_ms), profile, NULL, cpu_us, now_ms);
	}
	pthread_mutex_unlock(&state->thread.lock);
}

xhprof_merged_request xhprof_aggregate_count(xhprof_aggregate *state, const xhprof_tracer *samples,
											 const char *ended_by, size_t peak)
{
	xhprof_counting *now = &state->now;
	pthread_mutex_lock(&state->thread.lock);
	if (state->forked) {
		forget_parents(state);
	}
	uint64_t now_ms = xhprof_window_clock_ms(), now_ns = xhprof_clock_monotonic_ns();
	uint64_t cpu_ns = now->of_job ? now->cpu_ns : xhprof_counting_cpu(now, &state->cpu, now_ns);
	xhprof_merged_request request = xhprof_counting_end(now, ended_by, cpu_ns, now_ns);
	request.values[XHPROF_MERGED_PEAK] = peak;
	request.ended = now_ms / 1000;
	xhprof_aggregate_slot *slot = slot_of_request(state, now_ms);
	take_blocks(state, samples);
	if (slot) {
		add_to_window(state, slot, window_of(&slot->place, now_ms), samples, &request, 0, now_ms);
		xhprof_kept_memory_end(&state->kept, &slot->kept, now);
		end_blocks(state, slot);
	}
	pthread_mutex_unlock(&state->thread.lock);
	return request;
}

/* Counts `now`, and shows its samples to `ended`. */
static void count(xhprof_aggregate *state, const char *ended_by, size_t peak, xhprof_aggregate_ended ended)
{
	xhprof_counting *now = &state->now;
	const xhprof_tracer *samples = now->sampling ? &XHPROF_G(tracer) : xhprof_counting_samples(now);
	xhprof_merged_request request = xhprof_aggregate_count(state, samples, ended_by, peak);
	uint64_t numbers[XHPROF_OPERATION_KINDS];
	const uint64_t *operations = xhprof_counting_operations(now, numbers) ? numbers : NULL;
	if (request.whole) {
		ended(xhprof_session_last(), &request, operations);
	} else if (now->aside && !now->of_parent) {
		xhprof_counting_finish_samples(now);
		ended(samples, &request, operations);
	}
}

void xhprof_aggregate_end(const char *ended_by, size_t peak, xhprof_aggregate_ended ended)
{
	xhprof_aggregate *state = XHPROF_G(aggregate).state;
	if (!XHPROF_G(aggregate).running || XHPROF_G(aggregate).busy) {
		return;
	}
	XHPROF_G(aggregate).busy = true;
	XHPROF_G(aggregate).running = false;
	bool sampled = state->now.sampling && xhprof_session_stop(XHPROF_BY_SETTINGS, XHPROF_SAMPLING);
	bool all = !state->now.aside; /* otherwise there are others, of before another profile */
	if (sampled && !all) {
		xhprof_counting_set_aside(&state->now, xhprof_session_last());
	}
	state->now.sampling = sampled && all;
	count(state, ended_by, peak, ended);
	if (sampled) {
		xhprof_session_forget(true); /* programs may not read it; the next one finds warm memory */
	}
	xhprof_hook_alloc_rest();
	xhprof_counting_forget_samples(&state->now);
	XHPROF_G(aggregate).busy = false;
}

void xhprof_aggregate_end_waiting(xhprof_counting *waiting, const char *route, const char *ended_by,
								  xhprof_aggregate_ended ended)
{
	xhprof_aggregate *state = XHPROF_G(aggregate).state;
	if (!state || XHPROF_G(aggregate).busy) {
		return;
	}
	xhprof_counting *running = xhprof_pages_map(sizeof(*running));
	XHPROF_G(aggregate).busy = true;
	if (running && ended) {
		memcpy(running, &state->now, sizeof(*running));
		memcpy(&state->now, waiting, sizeof(*waiting));
		if (route) {
			state->now.route_length = xhprof_route_of_name(state->now.route, route, strlen(route));
		}
		count(state, ended_by, xhprof_heap_peak(), ended);
		memcpy(&state->now, running, sizeof(*running));
	}
	xhprof_pages_unmap(running, sizeof(*running));
	drop_waiting(state, waiting);
	XHPROF_G(aggregate).busy = false;
}

void xhprof_aggregate_end_all_waiting(const char *ended_by, xhprof_aggregate_ended ended)
{
	xhprof_aggregate *state = XHPROF_G(aggregate).state;
	while (state && state->waiting && !XHPROF_G(aggregate).busy) {
		xhprof_aggregate_end_waiting(state->waiting, NULL, ended_by, ended);
	}
}

void xhprof_aggregate_drop(void)
{
	if (XHPROF_G(aggregate).running && !XHPROF_G(aggregate).busy) {
		XHPROF_G(aggregate).running = false;
		if (XHPROF_G(aggregate).state->now.sampling && xhprof_session_stop(XHPROF_BY_SETTINGS, XHPROF_SAMPLING)) {
			xhprof_session_forget(true);
		}
		xhprof_counting_forget_samples(&XHPROF_G(aggregate).state->now);
	}
}

void xhprof_aggregate_mute(void)
{
	XHPROF_G(aggregate).quiet = true;
}

static void finish_aggregate(xhprof_aggregate *state)
{
	uint64_t now_ms = xhprof_window_clock_ms();
	bool in_handler = XHPROF_G(aggregate).quiet;
	xhprof_window_thread_stop(&state->thread, !in_handler);
	while (state->waiting) {
		xhprof_counting_drop(&state->waiting, state->waiting);
	}
	xhprof_counting_forget_samples(&state->now);
	xhprof_jobs_release(&state->jobs);
	xhprof_kept_memory_close(&state->kept);
	xhprof_cpu_meter_close(&state->cpu);
	if (state->forked) {
		forget_parents(state);
	}
	for (size_t i = 0; i < XHPROF_AGGREGATE_SLOTS; i++) {
		xhprof_aggregate_slot *slot = state->slots[i];
		if (slot && !xhprof_merged_empty(&slot->merged)) {
			xhprof_kept_blocks_bring(&state->kept_blocks, slot);
			bool lived = now_ms >= state->made_ms + (uint64_t)slot->place.seconds * 1000;
			if (xhprof_aggregate_slot_flush(slot, lived ? XHPROF_FLUSH_LAST : XHPROF_FLUSH_END, now_ms)) {
				xhprof_aggregate_slot_log_lost(slot);
			}
		}
		if (slot) {
			xhprof_kept_memory_drop(&state->kept, &slot->kept);
			xhprof_aggregate_slot_release(slot);
			state->slots[i] = NULL;
		}
	}
	xhprof_kept_blocks_release(&state->kept_blocks);
	if (!in_handler) { /* otherwise the thread may still wait for its lock; the process ends anyway */
		xhprof_pages_unmap(state, sizeof(*state));
	}
}

void xhprof_aggregate_mshutdown(void)
{
	xhprof_aggregate *state = XHPROF_G(aggregate).state;
	if (state && !XHPROF_G(aggregate).busy) {
		XHPROF_G(aggregate).running = false;
		XHPROF_G(aggregate).state = NULL;
		finish_aggregate(state);
	}
}

void xhprof_aggregate_gshutdown(zend_xhprof_globals *globals)
{
	xhprof_aggregate *state = globals->aggregate.state;
	if (state) {
		globals->aggregate.state = NULL;
		finish_aggregate(state);
	}
}
