#include "auto_profile.h"

#include "heap_condition.h"
#include "profile_start.h"
#include "request_info.h"
#include "request_route.h"
#include "request_trigger.h"
#include "restart.h"
#include "run_order.h"
#include "save_decision.h"

#include "aggregate/aggregate.h"
#include "aggregate/aggregate_jobs.h"
#include "base/process.h"
#include "compat/jit.h"
#include "export/alloc_output.h"
#include "export/run_info.h"
#include "folder/log_once.h"
#include "folder/run_saved.h"
#include "folder/save_rule.h"
#include "hook/alloc_tracking.h"
#include "hook/answer_watch.h"
#include "hook/heap_peak.h"
#include "hook/outcome.h"
#include "hook/profile_options.h"
#include "hook/session.h"
#include "hook/session_part.h"
#include "hook/termination.h"

#include "php_main.h"

/* The header that has the id of a triggered run. */
#define RUN_HEADER "X-XHProf-Run"

static void yield_nothing(const char *function)
{
}

static void end_nothing(const char *ended_by, bool at_rest)
{
}

static xhprof_auto_beside beside = {yield_nothing, end_nothing}; /* written in MINIT, not where dl() loads the module */

static const char *const modes[] = {"exact", "sample", "alloc", "aggregate"};

bool xhprof_auto_by_chance(double rate)
{
	uint64_t random = XHPROF_G(automatic).random;
	pid_t pid = xhprof_process_id();
	if (!random || XHPROF_G(automatic).random_pid != pid) { /* a forked child seeds its own */
		XHPROF_G(automatic).random_pid = pid;
		random = xhprof_clock_monotonic_ns() ^ (uint64_t)pid << 32 ^ (uintptr_t)&XHPROF_G(automatic);
		random = xhprof_hash_mix(random) | 1; /* similar seeds start far apart */
	}
	random ^= random << 13;
	random ^= random >> 7;
	random ^= random << 17;
	XHPROF_G(automatic).random = random;
	return (double)(random * UINT64_C(0x2545F4914F6CDD1D) >> 11) * 0x1p-53 < rate;
}

static void program_leaves(void);
static void program_stays(void);

static void mark_begun(zend_long mode, bool ordered, bool awaits)
{
	xhprof_restart_watch(ordered, program_leaves, program_stays);
	XHPROF_G(automatic).mode = mode;
	XHPROF_G(automatic).ordered = ordered;
	*XHPROF_G(automatic).saved = '\0';
	XHPROF_G(automatic).other_fibers = 0;
	XHPROF_G(automatic).begin = xhprof_outcome_at_begin(XHPROF_G(request_info)->run.name);
	XHPROF_G(automatic).running = true;
	if (!awaits || !xhprof_sampler_running()) {
		xhprof_termination_arm();
	}
}

/* Begins the profile that bin/xhprof run has ordered. Returns NULL, or why it was not started. */
static const char *begin_ordered(const zend_string *meta)
{
	const xhprof_run_order *order = XHPROF_G(order);
	if (!xhprof_request_info_begin_run(NULL, 0, true) ||
		(meta && !xhprof_request_info_keep_meta(ZSTR_VAL(meta), ZSTR_LEN(meta)))) {
		return xhprof_refusal_text(XHPROF_REFUSED_NO_MEMORY);
	}
	xhprof_request_info_redirect(order->directory, order->source);
	XHPROF_G(request_info)->run.start = "manual";
	if (order->sampled) {
		return xhprof_profile_start_sampling(&order->sampling, false);
	}
	return xhprof_profile_start_exact(order->flags, order->options);
}

static bool take_order(void)
{
	zend_string *meta;
	if (!xhprof_run_order_take(&meta)) {
		return false;
	}
	const xhprof_run_order *order = XHPROF_G(order);
	xhprof_termination_hold();
	const char *refusal = begin_ordered(meta);
	xhprof_run_order_drop_options();
	if (meta) {
		zend_string_release(meta);
	}
	if (refusal) {
		xhprof_run_order_answer(NULL, refusal, false);
	} else {
		mark_begun(order->sampled ? XHPROF_RUN_SAMPLE : XHPROF_RUN_EXACT, true, false);
	}
	xhprof_termination_let_go();
	return !refusal;
}

/* Reports a condition of xhprof.save_if that no request can meet. */
static void report_uncounted(void)
{
	const char *refusal = XHPROF_G(tracer).sample_bytes ? "xhprof.alloc_sample_bytes records allocations alone"
														: xhprof_session_counting_refusal();
	if (refusal && xhprof_save_rule_counts(XHPROF_G(ini).save_if)) {
		xhprof_log_condition("xhprof.save_if counts no operations: %s", refusal);
	}
}

/* Sets the request aside: it goes on without samples, while a span has a name and metadata of its own. */
static void set_request_aside(void)
{
	if (XHPROF_G(automatic).request_waits) {
		xhprof_request_info_set_aside();
		xhprof_request_route_set_aside();
	}
}

static void take_request_back(void)
{
	if (XHPROF_G(automatic).request_waits) {
		xhprof_request_info_take_back();
		xhprof_request_route_take_back();
	}
}

void xhprof_auto_take_request_back(void)
{
	take_request_back();
}

/* Returns the mode of a profile that begins: an order always gets a run. */
static zend_long mode_now(void)
{
	zend_long mode = XHPROF_G(ini).mode;
	return mode == XHPROF_RUN_AGGREGATE && XHPROF_G(automatic).triggered ? XHPROF_RUN_EXACT : mode;
}

static void note_start(const xhprof_auto_start *start, zend_long mode)
{
	xhprof_request_info *info = XHPROF_G(request_info);
	info->run.start = start->start;
	info->run.mode = mode ? modes[mode] : NULL; /* an exact one may be of allocations: its flags show that */
	info->run.sample_rate = start->sample_rate;
	report_uncounted();
}

/* Begins a run beside others. Returns NULL, or why it was not started. */
static const char *start_part(zend_long mode, xhprof_auto_apart *apart)
{
	xhprof_session_state kind = mode == XHPROF_RUN_SAMPLE ? XHPROF_SAMPLING : XHPROF_TRACING;
	bool another = XHPROF_G(session).parts.count && XHPROF_G(session).state == kind;
	if (!another) {
		xhprof_aggregate_halt_jobs();
	}
	const char *refusal = another ? NULL : xhprof_profile_start_mode(mode);
	if (!refusal) {
		apart->part = xhprof_session_part_possible() ? xhprof_session_part_begin() : NULL;
		refusal = apart->part ? NULL : xhprof_refusal_text(XHPROF_REFUSED_NO_MEMORY);
	}
	if (refusal && !another && xhprof_session_stop(XHPROF_BY_SETTINGS, XHPROF_G(session).state)) {
		xhprof_session_forget(false);
	}
	return refusal;
}

static const char *start_apart(zend_long mode, xhprof_auto_apart *apart)
{
	const xhprof_request_info *info = XHPROF_G(request_info);
	const char *refusal = info->refusal;
	if (mode != XHPROF_RUN_AGGREGATE) {
		return start_part(mode, apart);
	}
	if (!refusal) {
		apart->job = xhprof_aggregate_open_job(info->directory, info->own_folder, info->started_ns, &refusal);
	}
	return refusal;
}

bool xhprof_auto_begin_apart(const xhprof_auto_start *start, xhprof_auto_apart *apart)
{
	zend_long mode = mode_now();
	const char *refusal = xhprof_refusal_text(XHPROF_REFUSED_NO_MEMORY);
	xhprof_request_route_forget();
	if (xhprof_request_info_begin_run(start->name, start->name_length,
									  mode != XHPROF_RUN_AGGREGATE || *XHPROF_G(ini).save_if) &&
		(!start->meta || xhprof_request_info_keep_meta(start->meta, start->meta_length))) {
		refusal = start_apart(mode, apart);
	}
	if (refusal) {
		xhprof_log_failure("no profile: %s", refusal);
		return false;
	}
	note_start(start, mode);
	XHPROF_G(automatic).mode = mode;
	XHPROF_G(automatic).begin = xhprof_outcome_at_begin(true);
	xhprof_termination_arm();
	return true;
}

static bool begin_profile(const xhprof_auto_start *start)
{
	zend_long mode = mode_now();
	const char *refusal = xhprof_refusal_text(XHPROF_REFUSED_NO_MEMORY);
	bool may_be_run = mode != XHPROF_RUN_AGGREGATE || *XHPROF_G(ini).save_if;
	bool awaits = xhprof_profile_start_may_await_signals(mode, start->name != NULL);
	if (start->name) {
		set_request_aside();
		xhprof_request_route_forget();
	}
	if (awaits) {
		xhprof_termination_await(); /* before the first look */
	}
	if (xhprof_request_info_begin_run(start->name, start->name_length, may_be_run) &&
		(!start->meta || xhprof_request_info_keep_meta(start->meta, start->meta_length))) {
		refusal = xhprof_profile_start_mode(mode);
	}
	if (refusal) {
		if (awaits) {
			xhprof_termination_release();
		}
		take_request_back();
		xhprof_log_failure("no profile: %s", refusal);
		return false;
	}
	note_start(start, mode);
	mark_begun(mode, false, awaits);
	return true;
}

bool xhprof_auto_begin(const xhprof_auto_start *start)
{
	if (xhprof_auto_running()) {
		return false;
	}
	xhprof_termination_hold();
	bool begun = begin_profile(start);
	xhprof_termination_let_go();
	return begun;
}

static int write_run(const xhprof_tracer *tracer, const xhprof_alloc_dump *memory, size_t peak,
					 xhprof_run_written *written)
{
	xhprof_request_info *info = XHPROF_G(request_info);
	xhprof_run_engine engine;
	xhprof_run_engine_now(&engine);
	engine.peak_memory = peak;
	xhprof_run run = {
		.tracer = tracer,
		.memory = memory,
		.directory = info->directory,
		.source = info->source,
		.id = xhprof_request_info_show_id(),
		.engine = &engine,
		.info = &info->run,
	};
	return xhprof_run_write(&run, written);
}

/* Saves the profile, with the peak that it was judged by. Returns whether there is a run. `at_rest`: in a signal's handler.
 * `by_program`: the program starts a profile of its own. */
static bool save_profile(const xhprof_tracer *tracer, size_t peak, bool at_rest, bool by_program)
{
	xhprof_request_info *info = XHPROF_G(request_info);
	const char *refusal = xhprof_request_info_refusal();
	xhprof_alloc_dump memory;
	bool has_memory = false, ordered = XHPROF_G(automatic).ordered;
	xhprof_run_written written;
	xhprof_request_info_end_run();
	if (tracer->flags & XHPROF_TRACE_ALLOC) {
		xhprof_alloc_request request;
		xhprof_alloc_request_init(&request, NULL);
		request.dump.by_marks = true;
		has_memory = xhprof_alloc_tracking_dump(&memory, &request.dump);
	}
	if (!refusal) {
		int error = write_run(tracer, has_memory ? &memory : NULL, peak, &written);
		refusal = !error ? NULL : at_rest ? "" : strerror(error); /* strerror() may allocate */
	}
	if (has_memory) {
		xhprof_alloc_dump_release(&memory);
	}
	if (!refusal) {
		if (!at_rest && !ordered) {
			xhprof_run_saved(&written, info->named, info->source);
		}
		close(written.folder);
	}
	if (ordered) {
		xhprof_run_order_answer(refusal ? NULL : info->run_of.id, refusal, !by_program);
	} else if (refusal && !at_rest) {
		xhprof_log_failure("cannot write a run to %s: %s", info->named, refusal);
	}
	return !refusal;
}

/* Returns whether the request has run nothing: PHP-FPM's own pages, which monitoring requests all the time, and missing
 * scripts. */
static bool has_run_nothing(void)
{
	return SG(request_info).request_method && zend_hash_num_elements(&EG(included_files)) == 0;
}

static bool is_to_be_saved(const xhprof_tracer *tracer, uint64_t wall_us, size_t peak, bool failed)
{
	if (XHPROF_G(automatic).ordered) {
		/* Not those of forked children, nor that of a process that only waits for the program that took its place. */
		return XHPROF_G(request_info)->pid == xhprof_process_id() && !xhprof_run_order_answered();
	}
	if (!XHPROF_G(automatic).triggered && has_run_nothing()) {
		return false;
	}
	return XHPROF_G(automatic).triggered || xhprof_save_asked(tracer, wall_us, peak, failed, NULL);
}

/* Returns whether the request, job or program of the running profile has failed, if it ends now. */
static bool has_failed(const char *ended_by)
{
	return xhprof_outcome_failed(&XHPROF_G(automatic).begin, ended_by);
}

/* Judges a request of a window, and saves it as a run of its own if xhprof.save_if asks for that. */
static void end_of_aggregate(const xhprof_tracer *profile, const xhprof_merged_request *request,
							 const uint64_t *operations)
{
	uint64_t wall_us = request->values[XHPROF_MERGED_WALL];
	size_t peak = request->values[XHPROF_MERGED_PEAK];
	xhprof_request_info *info = XHPROF_G(request_info);
	bool at_rest = XHPROF_G(aggregate).quiet;
	info->run.judged = true;
	info->run.failed = request->failed;
	if (*XHPROF_G(ini).save_if && xhprof_save_asked(profile, wall_us, peak, request->failed, operations)) {
		info->run.mode = "sample";
		save_profile(profile, peak, at_rest, false);
		info->run.mode = modes[XHPROF_RUN_AGGREGATE];
	}
}

/* Returns what the running profile records; a window is another matter. */
static xhprof_session_state running_kind(void)
{
	return XHPROF_G(automatic).mode == XHPROF_RUN_SAMPLE ? XHPROF_SAMPLING
		   : XHPROF_G(tracer).sample_bytes               ? XHPROF_TRACKING
														 : XHPROF_TRACING;
}

/* Names the run of a worker's request, not of its job: its name is its route. */
static void name_request(xhprof_request_info *info)
{
	if (info->worker && info->run.method) {
		info->run.name = NULL;
	}
}

/* Returns the peak that the running profile is judged by: a span's own, or that of the process. */
static size_t peak_now(void)
{
	size_t of_span = XHPROF_G(request_info)->run.name ? xhprof_heap_peak_of_turn() : 0;
	return of_span ? of_span : xhprof_heap_peak();
}

static bool end_profile(const char *ended_by, size_t peak, bool at_rest, bool by_program)
{
	xhprof_request_info *info = XHPROF_G(request_info);
	uint64_t wall_us = xhprof_answer_watch_time(info->started_ns).wall_us;
	bool saved = false;
	xhprof_request_route_end(at_rest);
	name_request(info);
	XHPROF_G(automatic).running = false;
	if (ended_by || XHPROF_G(automatic).mode != XHPROF_RUN_AGGREGATE) { /* that may have been interrupted */
		info->run.ended_by = ended_by;
	}
	info->run.judged = true;
	info->run.failed = has_failed(ended_by);
	info->run.other_fibers = XHPROF_G(automatic).other_fibers;
	*info->saved_if = '\0';
	info->run.saved_if = info->saved_if;
	if (XHPROF_G(automatic).mode == XHPROF_RUN_AGGREGATE) {
		if (has_run_nothing()) {
			xhprof_aggregate_drop();
		} else {
			xhprof_aggregate_rename(info->run.route ? info->run.route : "");
			xhprof_aggregate_end(ended_by, peak, end_of_aggregate);
		}
		return false;
	}
	const xhprof_tracer *profile = &XHPROF_G(tracer); /* it is made ready to be read only if that is to be */
	bool stopped = xhprof_session_stop(XHPROF_BY_SETTINGS, running_kind());
	if (stopped && is_to_be_saved(profile, wall_us, peak, info->run.failed)) {
		saved = save_profile(xhprof_session_last(), peak, at_rest, by_program);
	}
	if (stopped && !at_rest) {
		xhprof_session_forget(false); /* programs may not read it */
	}
	if (saved) {
		memcpy(XHPROF_G(automatic).saved, info->run_of.id, sizeof(info->run_of.id));
	}
	return saved;
}

bool xhprof_auto_drop(void)
{
	if (!xhprof_auto_running() || XHPROF_G(session).locked || XHPROF_G(automatic).ordered) {
		return false;
	}
	xhprof_termination_hold();
	XHPROF_G(automatic).running = false;
	if (XHPROF_G(automatic).mode == XHPROF_RUN_AGGREGATE) {
		xhprof_aggregate_drop();
	} else if (xhprof_session_stop(XHPROF_BY_SETTINGS, running_kind())) {
		xhprof_session_forget(false);
	}
	if (XHPROF_G(automatic).triggered && SG(request_info).request_method && !SG(headers_sent)) {
		sapi_header_line header = {.line = RUN_HEADER, .line_len = sizeof(RUN_HEADER) - 1};
		sapi_header_op(SAPI_HEADER_DELETE, &header);
	}
	take_request_back();
	xhprof_termination_let_go();
	if (XHPROF_G(automatic).mode != XHPROF_RUN_AGGREGATE) {
		xhprof_termination_release();
	}
	return true;
}

static bool end_early(const char *ended_by, bool by_program)
{
	if (!xhprof_auto_running() || XHPROF_G(session).locked) { /* by a dump whose stream ends the span */
		return false;
	}
	xhprof_termination_hold();
	bool is_span = XHPROF_G(request_info)->run.name, saved = end_profile(ended_by, peak_now(), false, by_program);
	take_request_back();
	xhprof_termination_let_go();
	/* A window has data of earlier spans. After a span another one begins soon: this saves twenty system calls. */
	if (XHPROF_G(automatic).mode != XHPROF_RUN_AGGREGATE && !is_span && !XHPROF_G(automatic).request_waits) {
		xhprof_termination_release();
	}
	return saved;
}

/* Ends only the samples of the request that a window counts: its figures are those of its end. False if none does. */
static bool go_on_counting(const char *ended_by)
{
	xhprof_request_info *info = XHPROF_G(request_info);
	struct xhprof_counting *counting = NULL;
	if (xhprof_auto_running() && XHPROF_G(automatic).mode == XHPROF_RUN_AGGREGATE && !XHPROF_G(session).locked) {
		xhprof_termination_hold();
		if (!info->run.method) { /* a program's samples go to its route now */
			xhprof_request_route_end(false);
			xhprof_aggregate_rename(info->run.route ? info->run.route : "");
		}
		counting = xhprof_aggregate_wait();
		if (counting) {
			XHPROF_G(automatic).running = false;
			XHPROF_G(automatic).request_waits = counting;
			info->run.ended_by = ended_by;
		}
		xhprof_termination_let_go();
	}
	return counting;
}

bool xhprof_auto_end(const char *ended_by)
{
	return end_early(ended_by, false);
}

void xhprof_auto_end_part(const char *ended_by, size_t peak, bool at_rest)
{
	XHPROF_G(automatic).running = true;
	end_profile(ended_by, peak, at_rest, false);
}

void xhprof_auto_end_job(struct xhprof_job *job, const char *ended_by, size_t peak, bool at_rest)
{
	xhprof_request_info *info = XHPROF_G(request_info);
	info->run.ended_by = ended_by;
	info->run.suspended_us = xhprof_aggregate_job_suspended(job) / 1000;
	*info->saved_if = '\0';
	info->run.saved_if = info->saved_if;
	xhprof_request_route_end(at_rest);
	name_request(info);
	xhprof_aggregate_end_job(job, ended_by, peak, end_of_aggregate);
}

void xhprof_auto_yield(const char *function)
{
	beside.yield(function);
	if (!go_on_counting(function)) {
		end_early(function, true);
	}
}

void xhprof_auto_make_way(void)
{
	if (!go_on_counting("span")) {
		end_early("span", false);
	}
}

void xhprof_auto_go_on(void)
{
	struct xhprof_counting *request = XHPROF_G(automatic).request_waits;
	xhprof_termination_hold();
	xhprof_aggregate_resume_jobs();
	if (request && !XHPROF_G(recording).count && !xhprof_auto_running() && xhprof_aggregate_go_on(request)) {
		XHPROF_G(automatic).request_waits = NULL;
		XHPROF_G(automatic).other_fibers = 0;
		XHPROF_G(automatic).mode = XHPROF_RUN_AGGREGATE;
		XHPROF_G(automatic).running = true;
		XHPROF_G(request_info)->run.ended_by = "interruption";
	}
	xhprof_termination_let_go();
}

/* Ends what has gone on without samples. */
static void end_waiting(const char *ended_by, bool at_rest)
{
	xhprof_request_info *info = XHPROF_G(request_info);
	struct xhprof_counting *request = XHPROF_G(automatic).request_waits;
	if (request) {
		take_request_back();
		XHPROF_G(automatic).request_waits = NULL;
		XHPROF_G(automatic).mode = XHPROF_RUN_AGGREGATE;
		info->run.ended_by = ended_by ? ended_by : info->run.ended_by;
		*info->saved_if = '\0';
		info->run.saved_if = info->saved_if;
		xhprof_request_route_end(at_rest);
		xhprof_aggregate_end_waiting(request, info->run.route ? info->run.route : "", ended_by,
									 has_run_nothing() ? NULL : end_of_aggregate);
	}
	xhprof_aggregate_end_all_waiting(ended_by, end_of_aggregate);
}

/* Ends the profile of a process that is about to become another program. */
static void program_leaves(void)
{
	bool span = XHPROF_G(request_info)->run.name;
	XHPROF_G(automatic).left = xhprof_auto_running() && !XHPROF_G(session).locked && !span;
	end_early("pcntl_exec", false);
	beside.end_all("pcntl_exec", false);
}

/* Goes on where the process did not become another program: what comes now is another part. The run of an order covers
 * only the time before. */
static void program_stays(void)
{
	const xhprof_request_info *info = XHPROF_G(request_info);
	if (XHPROF_G(automatic).ordered) {
		if (*XHPROF_G(automatic).saved) {
			xhprof_run_order_answer(XHPROF_G(automatic).saved, NULL, false);
		}
	} else if (XHPROF_G(automatic).left && info->run.start) {
		xhprof_auto_begin(&(xhprof_auto_start){.start = info->run.start, .sample_rate = info->run.sample_rate});
	}
}

static void on_termination(const char *signal, bool at_rest)
{
	if (at_rest) {
		xhprof_aggregate_mute();
	}
	if (xhprof_auto_running() && !XHPROF_G(session).locked) {
		end_profile(signal, peak_now(), at_rest, false);
	}
	if (!XHPROF_G(session).locked) {
		beside.end_all(signal, at_rest);
		end_waiting(signal, at_rest);
	}
	xhprof_aggregate_mshutdown();
}

void xhprof_auto_minit(const xhprof_auto_beside *others)
{
	beside = *others;
	xhprof_outcome_minit();
	xhprof_save_rule_minit();
	xhprof_termination_minit(on_termination);
	xhprof_request_route_minit();
}

void xhprof_auto_mshutdown(void)
{
	xhprof_aggregate_mshutdown();
	xhprof_restart_mshutdown();
	xhprof_termination_mshutdown();
	xhprof_outcome_mshutdown();
	xhprof_save_rule_mshutdown();
	xhprof_request_route_mshutdown();
	xhprof_answer_watch_mshutdown();
}

static bool begin_request(void)
{
	xhprof_auto_start start = {.start = "yes"};
	zend_long when = XHPROF_G(ini).start_with_request;
	if (XHPROF_G(automatic).triggered) {
		start.start = "trigger";
	} else if (when == XHPROF_START_SAMPLED && xhprof_auto_by_chance(XHPROF_G(ini).sample_rate)) {
		start.start = "sampled";
		start.sample_rate = XHPROF_G(ini).sample_rate;
	} else if (when != XHPROF_START_YES) {
		return false;
	}
	return xhprof_auto_begin(&start);
}

static void send_run_id(void)
{
	char line[sizeof(RUN_HEADER ": ") + XHPROF_RUN_ID_LENGTH];
	sapi_header_line header = {.line = line};
	header.line_len = (size_t)snprintf(line, sizeof(line), RUN_HEADER ": %s", xhprof_request_info_show_id());
	sapi_header_op(SAPI_HEADER_REPLACE, &header);
}

void xhprof_auto_show_run_id(void)
{
	if (XHPROF_G(automatic).triggered && SG(request_info).request_method && !SG(headers_sent)) {
		send_run_id();
	}
}

void xhprof_auto_take_trigger(void)
{
	zend_long when = XHPROF_G(ini).start_with_request;
	bool aggregate = XHPROF_G(ini).mode == XHPROF_RUN_AGGREGATE;
	XHPROF_G(automatic).triggered =
		(when == XHPROF_START_TRIGGER || when == XHPROF_START_SAMPLED || aggregate) && xhprof_request_triggered();
}

void xhprof_auto_rinit(bool memprof)
{
	zend_long when = XHPROF_G(ini).start_with_request;
	bool aggregate = XHPROF_G(ini).mode == XHPROF_RUN_AGGREGATE;
	bool ordered = xhprof_run_order_exists();
	XHPROF_G(automatic).triggered = false;
	XHPROF_G(automatic).request_waits = NULL; /* a bailout may have skipped its end */
	xhprof_request_route_rinit();
	xhprof_aggregate_rinit();
	if (!php_during_module_startup()) {
		xhprof_answer_watch_rinit();
	}
	if ((when == XHPROF_START_NO && !aggregate && !ordered) ||
		php_during_module_startup()) { /* opcache is preloading */
		return;
	}
	xhprof_auto_take_trigger();
	XHPROF_G(automatic).triggered &= !memprof;                              /* its GET needs the trigger too */
	if ((when == XHPROF_START_NO && !ordered) || (memprof && !aggregate)) { /* for spans only; or it ends at once */
		return;
	}
	volatile bool begun = false;
	zend_try
	{
		begun = ordered ? take_order() : begin_request();
	}
	zend_catch
	{ /* memory_limit: the request should end normally */
		xhprof_termination_let_go();
	}
	zend_end_try();
	if (begun) {
		xhprof_auto_show_run_id();
	}
}

void xhprof_auto_rshutdown(void)
{
	xhprof_termination_reset();
	xhprof_auto_end(XHPROF_G(recording).count ? "shutdown" : NULL);
	xhprof_termination_hold();
	beside.end_all("shutdown", false);
	end_waiting(NULL, false);
	xhprof_aggregate_rshutdown();
	xhprof_termination_let_go();
	xhprof_termination_release();
	xhprof_heap_condition_end_request();
	xhprof_request_info_forget();
	xhprof_run_order_release();
}
