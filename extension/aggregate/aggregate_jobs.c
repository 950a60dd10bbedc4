#include "aggregate_jobs.h"

#include "aggregate_state.h"
#include "window_clock.h"

#include "hook/code_context.h"
#include "hook/hook_alloc.h"
#include "hook/operation_count.h"
#include "hook/session.h"

/* What is between requests comes to its window at most such a part of it late. */
#define PARTS_OF_WINDOW 16

static void (*name_owner)(const void *owner, char to[XHPROF_ROUTE_MAX + 1]); /* written in MINIT */

void xhprof_aggregate_name_jobs_by(void (*name)(const void *owner, char to[XHPROF_ROUTE_MAX + 1]))
{
	name_owner = name;
}

static xhprof_aggregate *state_now(void)
{
	return XHPROF_G(aggregate).state;
}

static uint64_t cpu_now(xhprof_aggregate *state, uint64_t now_ns)
{
	return xhprof_cpu_meter_total(&state->cpu, now_ns);
}

/* Sends samples to the one whose turn it is. Those until now have been taken. */
static void aim_samples(xhprof_jobs *jobs)
{
	xhprof_sample_tally *of_none = jobs->between ? &jobs->of_none : &jobs->ignored;
	if (jobs->sampling) {
		xhprof_sample_log_to(&XHPROF_G(tracer).samples, jobs->now ? &jobs->now->tally : of_none);
		XHPROF_G(alloc).carry.owner = jobs->now;
	}
}

/* Marks the session's samples as the jobs' own. */
static void begin_samples(xhprof_jobs *jobs)
{
	jobs->sampling = true;
	xhprof_session_keep_counting(true);
	aim_samples(jobs);
}

/* Names `now` as a job is named at this moment. */
static void name_now(xhprof_aggregate *state, const xhprof_job *job)
{
	char route[XHPROF_ROUTE_MAX + 1];
	name_owner(job->owner, route);
	state->now.route_length = xhprof_route_of_name(state->now.route, route, strlen(route));
}

/* Brings samples to the route of `now`, while their job goes on. */
static void bring(xhprof_aggregate *state, xhprof_sample_tally *tally, uint64_t cpu_us)
{
	const xhprof_tracer *profile = xhprof_jobs_profile(&state->jobs, tally, &state->now.place, false);
	if (profile || cpu_us) {
		xhprof_aggregate_add_samples(state, profile, cpu_us);
	}
	xhprof_sample_tally_clear(tally);
}

static void bring_between(xhprof_aggregate *state)
{
	xhprof_jobs *jobs = &state->jobs;
	if (jobs->between) { /* until now */
		uint64_t cpu = cpu_now(state, xhprof_clock_monotonic_ns());
		jobs->none_cpu_ns += cpu - jobs->none_since;
		jobs->none_since = cpu;
	}
	uint64_t cpu_us = jobs->none_cpu_ns / 1000;
	if (xhprof_sample_tally_any(&jobs->of_none) || cpu_us) {
		jobs->none_cpu_ns -= cpu_us * 1000;
		jobs->brought_ms = xhprof_window_clock_ms();
		state->now.route_length = sizeof(XHPROF_MERGED_BETWEEN) - 1;
		memcpy(state->now.route, XHPROF_MERGED_BETWEEN, sizeof(XHPROF_MERGED_BETWEEN));
		bring(state, &jobs->of_none, cpu_us);
	}
}

/* Brings what is between requests while some are open, which they may always be, in time for its window. */
static void bring_between_in_time(xhprof_aggregate *state)
{
	uint64_t since_ms = xhprof_window_clock_ms() - state->jobs.brought_ms;
	if (since_ms >= (uint64_t)state->now.place.seconds * 1000 / PARTS_OF_WINDOW) {
		bring_between(state);
	}
}

/* Takes over the blocks that a job, which `now` is, has allocated. */
static void close_blocks(xhprof_aggregate *state, const xhprof_job *job)
{
	pthread_mutex_lock(&state->thread.lock); /* the thread may bring what is kept */
	xhprof_kept_blocks_close(&state->kept_blocks, &state->now, job);
	pthread_mutex_unlock(&state->thread.lock);
}

/* Brings the samples of all jobs to their routes, so that the tree can be emptied. */
static void bring_all(xhprof_aggregate *state)
{
	for (xhprof_job *job = state->jobs.first; job; job = job->next) {
		if (xhprof_sample_tally_any(&job->tally)) {
			name_now(state, job);
			bring(state, &job->tally, 0);
			close_blocks(state, job);
			job->parted = true;
		}
	}
	bring_between(state);
	xhprof_sample_tally_clear(&state->jobs.ignored);
}

/* Starts the samples of all jobs. False if another profile runs. */
static bool start_session(xhprof_aggregate *state)
{
	if (xhprof_session_busy()) {
		return false;
	}
	xhprof_counting_sample(&state->now, NULL);
	if (state->now.sampling) {
		begin_samples(&state->jobs);
	}
	return state->now.sampling;
}

/* Stops the samples of all jobs, which are in their windows. */
static void stop_session(xhprof_aggregate *state)
{
	if (state->jobs.sampling) {
		state->jobs.sampling = false;
		xhprof_sample_log_to(&XHPROF_G(tracer).samples, NULL);
		if (xhprof_session_stop(XHPROF_BY_SETTINGS, XHPROF_SAMPLING)) {
			xhprof_session_forget(true);
		}
		XHPROF_G(alloc).carry.owner = NULL;
		xhprof_hook_alloc_rest();
	}
}

/* Begins the samples anew in an empty tree where little room is left for more paths. */
static void make_room(xhprof_aggregate *state)
{
	const xhprof_calltree *tree = &XHPROF_G(tracer).tree;
	if (state->jobs.sampling && tree->nodes > tree->max_nodes / 4 * 3) {
		bring_all(state);
		stop_session(state);
		if (!start_session(state)) {
			state->jobs.halted_ns = xhprof_clock_monotonic_ns();
		}
	}
}

xhprof_job *xhprof_aggregate_make_job(void)
{
	xhprof_aggregate *state = state_now();
	bool may = XHPROF_G(aggregate).running && !XHPROF_G(aggregate).busy && state->now.kind == XHPROF_COUNTING_SPAN;
	xhprof_job *job = may ? xhprof_jobs_add(&state->jobs) : NULL;
	if (!job) {
		return NULL;
	}
	const xhprof_counting *now = &state->now;
	job->begin = now->begin;
	job->of_parent = now->of_parent;
	job->parted = now->parted;
	job->counts = now->counts;
	memcpy(job->operations, now->operations, sizeof(job->operations));
	job->started_ns = now->started_ns;
	job->missed_ns = now->missed_ns;
	job->cpu_before = now->cpu_before;
	state->jobs.now = job;
	state->jobs.halted_ns = now->stopped_ns;
	XHPROF_G(aggregate).running = false;
	if (now->sampling) {
		xhprof_sampler_settle(xhprof_clock_monotonic_ns());
		xhprof_jobs_take_samples(job, &XHPROF_G(tracer));
		xhprof_hook_alloc_open(job);
		begin_samples(&state->jobs);
	}
	return job;
}

/* Charges the samples until now to what has the turn. */
static void settle(const xhprof_aggregate *state, uint64_t now_ns)
{
	if (state->jobs.sampling) {
		xhprof_sampler_settle(now_ns);
	}
}

/* Lets a job that is new have its turn, from when it began. Nothing has one. */
static void begin_turn(xhprof_aggregate *state, xhprof_job *job)
{
	settle(state, xhprof_clock_monotonic_ns());
	xhprof_jobs_switch(&state->jobs, job, false, job->started_ns, job->cpu_before);
	aim_samples(&state->jobs);
}

xhprof_job *xhprof_aggregate_open_job(const char *directory, bool own_folder, uint64_t started_ns, const char **refusal)
{
	xhprof_aggregate *state = XHPROF_G(aggregate).busy ? NULL : xhprof_aggregate_state();
	*refusal = state ? xhprof_aggregate_set_place(state, directory, own_folder)
					 : xhprof_refusal_text(XHPROF_REFUSED_NO_MEMORY);
	xhprof_job *job = *refusal ? NULL : xhprof_jobs_add(&state->jobs);
	if (!job) {
		*refusal = *refusal ? *refusal : xhprof_refusal_text(XHPROF_REFUSED_NO_MEMORY);
		return NULL;
	}
	xhprof_cpu_meter_begin(&state->cpu, XHPROF_COUNTING_CPU_CLOCK, XHPROF_CPU_OF_REQUESTS, started_ns);
	xhprof_counting_begin(&state->now, "", XHPROF_COUNTING_SPAN, started_ns, state->cpu.before);
	state->now.resident = 0;
	job->begin = state->now.begin;
	job->started_ns = started_ns;
	job->cpu_before = state->cpu.before;
	if (state->jobs.sampling) {
		static const uint64_t none[XHPROF_OPERATION_KINDS];
		job->counts = xhprof_operation_count_since(none, job->operations);
		begin_turn(state, job);
		return job;
	}
	if (!start_session(state) && !state->jobs.halted_ns) {
		state->jobs.halted_ns = started_ns;
	}
	job->counts = state->now.counts;
	memcpy(job->operations, state->now.operations, sizeof(job->operations));
	begin_turn(state, job);
	return job;
}

/* Notes the trace that a job is of, as it is left or ends, unless that is known. */
static void note_context(xhprof_job *job)
{
	if (job && !xhprof_trace_ids_any(&job->context)) {
		xhprof_code_context_outermost(&job->context);
	}
}

void xhprof_aggregate_switch_job(xhprof_job *job, bool between)
{
	xhprof_aggregate *state = state_now();
	if (!state || !state->jobs.count || (job == state->jobs.now && (job || between == state->jobs.between))) {
		return;
	}
	uint64_t now_ns = xhprof_clock_monotonic_ns();
	settle(state, now_ns);
	note_context(state->jobs.now);
	xhprof_jobs_switch(&state->jobs, job, between, now_ns, cpu_now(state, now_ns));
	aim_samples(&state->jobs);
}

uint64_t xhprof_aggregate_job_suspended(const xhprof_job *job)
{
	return job->suspended_ns + (job->left_ns ? xhprof_clock_monotonic_ns() - job->left_ns : 0);
}

/* Sets `now` to a job that ends. */
static void end_as_now(xhprof_aggregate *state, xhprof_job *job, uint64_t now_ns)
{
	xhprof_counting *now = &state->now;
	uint64_t cpu = job->left_ns ? job->cpu_left : cpu_now(state, now_ns);
	uint64_t halted_ns = state->jobs.halted_ns;
	xhprof_jobs_end_turn(&state->jobs, job, cpu);
	xhprof_counting_begin(now, "", XHPROF_COUNTING_SPAN, job->started_ns, job->cpu_before);
	name_now(state, job);
	now->begin = job->begin;
	now->of_job = true;
	now->of_parent = job->of_parent;
	now->parted = job->parted;
	now->whole = state->jobs.sampling && !job->parted && !job->of_parent && !job->missed_ns;
	now->counts = job->counts;
	memcpy(now->operations, job->operations, sizeof(now->operations));
	now->missed_ns = job->missed_ns;
	now->stopped_ns = state->jobs.sampling ? 0 : halted_ns > job->started_ns ? halted_ns : job->started_ns;
	now->cpu_ns = cpu > job->cpu_before ? cpu - job->cpu_before : 0;
	now->suspended_ns = xhprof_aggregate_job_suspended(job);
	now->suspended = job->suspended || job->left_ns;
	now->context = job->context;
}

/* Shows a job that was counted, with its samples, to `ended`. */
static void show(xhprof_aggregate *state, const xhprof_job *job, const xhprof_merged_request *request,
				 xhprof_aggregate_ended ended)
{
	uint64_t numbers[XHPROF_OPERATION_KINDS], wall_us = request->values[XHPROF_MERGED_WALL];
	const uint64_t *operations = xhprof_counting_operations(&state->now, numbers) ? numbers : NULL;
	const xhprof_tracer *samples = xhprof_jobs_profile(&state->jobs, &job->tally, &state->now.place, true);
	if (samples) {
		double now = (double)xhprof_window_clock_ms() / 1e3;
		xhprof_jobs_finish_profile(&state->jobs, now - (double)wall_us / 1e6, (wall_us - request->suspended_us) * 1000,
								   wall_us * 1000);
		ended(samples, request, operations);
	}
}

/* Frees a job that has ended; with the last one the session stops. */
static void remove_job(xhprof_aggregate *state, xhprof_job *job, bool had_turn)
{
	xhprof_jobs *jobs = &state->jobs;
	xhprof_jobs_remove(jobs, job);
	aim_samples(jobs);
	if (!jobs->count) {
		jobs->between &= !had_turn; /* counting it is no request's and between none: no other one is open */
		bring_between(state);
		jobs->between = false;
		stop_session(state);
		jobs->halted_ns = 0;
		xhprof_session_keep_counting(state->waiting != NULL);
	} else {
		make_room(state);
		bring_between_in_time(state);
	}
}

void xhprof_aggregate_end_job(xhprof_job *job, const char *ended_by, size_t peak, xhprof_aggregate_ended ended)
{
	xhprof_aggregate *state = state_now();
	xhprof_jobs *jobs = &state->jobs;
	if (XHPROF_G(aggregate).busy) {
		return;
	}
	XHPROF_G(aggregate).busy = true;
	uint64_t now_ns = xhprof_clock_monotonic_ns();
	settle(state, now_ns);
	bool had_turn = job == jobs->now;
	note_context(had_turn ? job : NULL);
	end_as_now(state, job, now_ns);
	close_blocks(state, job);
	const xhprof_tracer *samples = xhprof_jobs_profile(jobs, &job->tally, &state->now.place, false);
	xhprof_merged_request request = xhprof_aggregate_count(state, samples, ended_by, peak);
	if (ended && request.whole) {
		show(state, job, &request, ended);
	}
	remove_job(state, job, had_turn);
	XHPROF_G(aggregate).busy = false;
}

void xhprof_aggregate_drop_job(xhprof_job *job)
{
	xhprof_aggregate *state = state_now();
	if (XHPROF_G(aggregate).busy) {
		return;
	}
	XHPROF_G(aggregate).busy = true;
	uint64_t now_ns = xhprof_clock_monotonic_ns();
	settle(state, now_ns);
	bool had_turn = job == state->jobs.now;
	end_as_now(state, job, now_ns);
	pthread_mutex_lock(&state->thread.lock);
	xhprof_kept_blocks_drop(job);
	pthread_mutex_unlock(&state->thread.lock);
	remove_job(state, job, had_turn);
	XHPROF_G(aggregate).busy = false;
}

void xhprof_aggregate_halt_jobs(void)
{
	xhprof_aggregate *state = state_now();
	if (state && state->jobs.sampling && !XHPROF_G(aggregate).busy) {
		XHPROF_G(aggregate).busy = true;
		xhprof_sampler_settle(xhprof_clock_monotonic_ns());
		bring_all(state);
		stop_session(state);
		state->jobs.halted_ns = xhprof_clock_monotonic_ns();
		XHPROF_G(aggregate).busy = false;
	}
}

void xhprof_aggregate_resume_jobs(void)
{
	xhprof_aggregate *state = state_now();
	if (!state || !state->jobs.count || state->jobs.sampling || XHPROF_G(aggregate).busy || !start_session(state)) {
		return;
	}
	uint64_t now_ns = xhprof_clock_monotonic_ns(), halted_ns = state->jobs.halted_ns;
	for (xhprof_job *job = state->jobs.first; job; job = job->next) {
		uint64_t from = halted_ns > job->started_ns ? halted_ns : job->started_ns;
		job->missed_ns += halted_ns ? now_ns - from : 0;
	}
	state->jobs.halted_ns = 0;
}
