#include "counting.h"

#include "base/process.h"
#include "base/text.h"
#include "folder/log_once.h"
#include "folder/save_rule.h"
#include "hook/answer_watch.h"
#include "hook/code_context.h"
#include "hook/operation_count.h"
#include "hook/session.h"
#include "hook/termination.h"

const char *xhprof_counting_take_place(xhprof_counting *counting, const char *directory, bool own_folder)
{
	xhprof_aggregate_place *place = &counting->place;
	xhprof_sampler_options options = xhprof_sampler_settings(XHPROF_SAMPLE_AUTOMATIC_US);
	size_t length = strlen(directory);
	if (*directory != '/' || length >= sizeof(place->directory)) {
		return "the name of the folder is not one that can be used";
	}
	memcpy(place->directory, directory, length + 1);
	counting->own_folder = own_folder;
	xhprof_text_copy(place->source, sizeof(place->source), XHPROF_G(ini).source);
	place->seconds = (uint32_t)XHPROF_G(ini).flush_seconds;
	place->interval_us = options.interval_us;
	place->clock = options.clock;
	place->alloc_bytes = (uint64_t)XHPROF_G(ini).alloc_sample_bytes;
	return NULL;
}

void xhprof_counting_begin(xhprof_counting *counting, const char *route, xhprof_counting_kind kind, uint64_t started_ns,
						   uint64_t cpu_before)
{
	counting->route_length = xhprof_route_of_name(counting->route, route, strlen(route));
	counting->kind = kind;
	counting->begin = xhprof_outcome_at_begin(kind == XHPROF_COUNTING_SPAN);
	counting->sampling = counting->of_parent = counting->parted = false;
	counting->of_job = counting->whole = counting->suspended = false;
	counting->resumable = counting->counts = false;
	counting->started_ns = started_ns;
	counting->stopped_ns = counting->missed_ns = counting->cpu_ns = counting->suspended_ns = 0;
	counting->cpu_before = cpu_before;
	counting->aside = NULL;
	counting->next = NULL;
}

/* Starts the sampling. Returns NULL, or why it cannot be sampled. */
static const char *start_samples(const xhprof_counting *counting, void (*ahead)(void))
{
	xhprof_sampler_options options = xhprof_sampler_settings(XHPROF_SAMPLE_AUTOMATIC_US);
	options.lines = false;
	options.ahead = counting->kind == XHPROF_COUNTING_PROGRAM ? ahead : NULL; /* it may last */
	options.keep_log =
		*XHPROF_G(ini).save_if && !options.ahead && options.clock == XHPROF_SAMPLE_WALL; /* to be saved */
	options.on_look = xhprof_termination_look;
	options.look_context = &XHPROF_G(termination);
	xhprof_session_request request = {
		.kind = XHPROF_SAMPLING,
		.owner = XHPROF_BY_SETTINGS,
		.sampling = &options,
		.alloc_bytes = counting->place.alloc_bytes,
		.carries = counting->kind == XHPROF_COUNTING_SPAN, /* the heap goes on after it */
		.max_nodes = XHPROF_COUNTING_NODES,
		.counts = xhprof_save_rule_counts(XHPROF_G(ini).save_if),
	};
	return xhprof_refusal_text(xhprof_session_start(&request));
}

void xhprof_counting_sample(xhprof_counting *counting, void (*ahead)(void))
{
	/* A request that cannot be sampled counts as a request all the same. */
	static const uint64_t none[XHPROF_OPERATION_KINDS];
	const char *refusal = start_samples(counting, ahead);
	counting->sampling = !refusal;
	counting->counts = xhprof_operation_count_since(none, counting->operations);
	if (refusal) {
		counting->stopped_ns = counting->started_ns;
		xhprof_log_failure("requests are counted, but cannot be sampled: %s", refusal);
	}
	refusal = counting->sampling && counting->place.alloc_bytes ? xhprof_session_allocation_refusal() : NULL;
	if (refusal) {
		xhprof_log_condition("requests are sampled, but not their allocations: %s", refusal);
		counting->place.alloc_bytes = 0;
	}
}

/* Returns the time since the counting stopped being sampled, or began if that was later; 0 while it is sampled. */
static uint64_t missed_until(const xhprof_counting *counting, uint64_t now_ns)
{
	uint64_t from = counting->stopped_ns > counting->started_ns ? counting->stopped_ns : counting->started_ns;
	return counting->stopped_ns ? now_ns - from : 0;
}

void xhprof_counting_pause(xhprof_counting *counting, uint64_t now_ns)
{
	counting->resumable = counting->sampling && !counting->place.alloc_bytes;
	counting->stopped_ns = counting->stopped_ns ? counting->stopped_ns : now_ns;
}

bool xhprof_counting_resume(xhprof_counting *counting, void (*ahead)(void))
{
	counting->sampling = counting->resumable && !start_samples(counting, ahead);
	if (counting->sampling) {
		counting->missed_ns += missed_until(counting, xhprof_clock_monotonic_ns());
		counting->stopped_ns = 0;
	}
	return counting->sampling;
}

bool xhprof_counting_set_aside(xhprof_counting *counting, const xhprof_tracer *profile)
{
	const xhprof_aggregate_place *place = &counting->place;
	if (counting->aside) {
		xhprof_merged_add(counting->aside, &counting->aside->routes[0], profile, NULL);
		return true;
	}
	xhprof_merged *aside = xhprof_pages_map(sizeof(*aside));
	if (!aside) {
		return false;
	}
	counting->aside = aside;
	counting->sampled_since = profile->started;
	if (!xhprof_merged_begin(aside, place->interval_us, place->clock, place->alloc_bytes, XHPROF_COUNTING_NODES,
							 XHPROF_COUNTING_NAMES)) {
		xhprof_counting_forget_samples(counting);
		return false;
	}
	/* The whole tree is its route's: so it is that of a profile. */
	xhprof_merged_route *route = &aside->routes[0];
	route->node = aside->tracer.tree.root;
	route->symbol = route->node->symbol;
	xhprof_merged_add(aside, route, profile, NULL);
	return true;
}

const xhprof_tracer *xhprof_counting_samples(const xhprof_counting *counting)
{
	return counting->aside ? &counting->aside->tracer : NULL;
}

void xhprof_counting_finish_samples(xhprof_counting *counting)
{
	xhprof_merged_finish(counting->aside);
	counting->aside->tracer.started = counting->sampled_since;
}

void xhprof_counting_forget_samples(xhprof_counting *counting)
{
	if (counting->aside) {
		xhprof_merged_release(counting->aside);
		xhprof_pages_unmap(counting->aside, sizeof(*counting->aside));
		counting->aside = NULL;
	}
}

void xhprof_counting_forked(xhprof_counting *counting, uint64_t cpu_before)
{
	counting->of_parent = true;
	counting->started_ns = xhprof_clock_monotonic_ns();
	counting->cpu_before = cpu_before;
	counting->cpu_ns = counting->resident = counting->missed_ns = 0;
	xhprof_counting_forget_samples(counting); /* the parent's */
}

xhprof_merged_request xhprof_counting_end(const xhprof_counting *counting, const char *ended_by, uint64_t cpu_ns,
										  uint64_t now_ns)
{
	xhprof_answer_time time = counting->of_parent ? xhprof_answer_time_of(counting->started_ns, 0, now_ns)
												  : xhprof_answer_watch_time(counting->started_ns);
	return (xhprof_merged_request){
		.values = {[XHPROF_MERGED_WALL] = time.wall_us, [XHPROF_MERGED_CPU] = cpu_ns / 1000},
		.failed = xhprof_outcome_failed(&counting->begin, ended_by),
		.aborted = xhprof_outcome_aborted(&counting->begin),
		.early = time.early,
		.after_us = time.after_us,
		.turns = counting->of_job && counting->place.alloc_bytes && !counting->stopped_ns,
		.suspended = counting->suspended,
		.suspended_us = counting->suspended_ns / 1000,
		.parted = counting->parted || counting->aside,
		.unsampled_us = (counting->missed_ns + missed_until(counting, now_ns)) / 1000,
		.whole = counting->of_job ? counting->whole : counting->sampling && !counting->parted && !counting->of_parent,
		.random = xhprof_hash_mix(now_ns ^ (uint64_t)xhprof_process_id() << 40),
		.context = counting->of_job
					   ? counting->context
					   : xhprof_code_context_outer(&XHPROF_G(tracer), counting->kind == XHPROF_COUNTING_REQUEST),
	};
}

bool xhprof_counting_operations(const xhprof_counting *counting, uint64_t numbers[XHPROF_OPERATION_KINDS])
{
	return counting->counts && xhprof_operation_count_since(counting->operations, numbers);
}

void xhprof_counting_drop(xhprof_counting **list, xhprof_counting *counting)
{
	while (*list != counting) {
		list = &(*list)->next;
	}
	*list = counting->next;
	xhprof_counting_forget_samples(counting);
	xhprof_pages_unmap(counting, sizeof(*counting));
}
