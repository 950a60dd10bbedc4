#include "session.h"

#include "alloc_tracking.h"
#include "calibration.h"
#include "call_label.h"
#include "code_place.h"
#include "heap_peak.h"
#include "heap_usage.h"
#include "hook_alloc.h"
#include "hook_compile.h"
#include "hook_observer.h"
#include "known_function.h"
#include "operation_count.h"
#include "profile_options.h"
#include "session_part.h"

#include "compat/jit.h"

#include <errno.h>

#define KEPT_IDLE_NS (UINT64_C(60) * 1000000000)

static void refresh_heap(xhprof_heap_usage *heap)
{
	heap->size = zend_memory_usage(false);
	heap->peak = zend_memory_peak_usage(false);
}

const char *xhprof_refusal_text(xhprof_refusal refusal)
{
	static const char *const texts[] = {
		[XHPROF_REFUSED_OVER] =
			"The request is over", /* streams, sessions and others run code of the program after our RSHUTDOWN */
		[XHPROF_REFUSED_BUSY] = "another profile is running",
		[XHPROF_REFUSED_HOOKS_OFF] = "xhprof.hooks is off: only sampling is possible",
		[XHPROF_REFUSED_TOO_LATE] =
			"xhprof was loaded by dl() and cannot profile: put \"extension=xhprof\" into php.ini",
		[XHPROF_REFUSED_NO_MEMORY] = "not enough memory to profile",
		[XHPROF_REFUSED_NO_THREAD] = "the sampling thread cannot start",
	};
	return refusal == XHPROF_REFUSED_BY_ENGINE ? xhprof_compat_interrupt_refusal()
		   : refusal == XHPROF_REFUSED_STACK   ? xhprof_compat_stack_refusal()
											   : texts[refusal];
}

static bool is_running(void)
{
	switch (XHPROF_G(session).state) {
		case XHPROF_IDLE:
		case XHPROF_STOPPED:
			return false;
		case XHPROF_CALIBRATING:
		case XHPROF_TRACING:
		case XHPROF_SAMPLING:
		case XHPROF_TRACKING:
			break;
	}
	return true;
}

bool xhprof_session_busy(void)
{
	return XHPROF_G(session).locked || is_running();
}

bool xhprof_session_is_owned_by(xhprof_session_owner owner)
{
	return is_running() && XHPROF_G(session).owner == owner;
}

/* Returns whether something runs that cannot be ended for the request's owner. */
static bool blocks_start(const xhprof_session_request *request)
{
	bool gives_way = XHPROF_G(session).owner == XHPROF_BY_SETTINGS && request->owner != XHPROF_BY_SETTINGS &&
					 XHPROF_G(session).state != XHPROF_CALIBRATING;
	return XHPROF_G(session).locked || (is_running() && !gives_way);
}

/* Returns whether paths are read from the stack, without the tracer. */
static bool is_by_stack(const xhprof_session_request *request)
{
	return request->kind == XHPROF_TRACKING && XHPROF_G(ini).alloc_sample_bytes && !request->native;
}

/* Returns the reason why this kind is unavailable in this process. */
static xhprof_refusal refusal_of_kind(const xhprof_session_request *request)
{
	switch (request->kind) {
		case XHPROF_SAMPLING:
			if (!xhprof_sampler_ready()) {
				return XHPROF_REFUSED_TOO_LATE;
			}
			return xhprof_compat_interrupt_refusal() ? XHPROF_REFUSED_BY_ENGINE : XHPROF_STARTED;
		case XHPROF_TRACKING:
			if (!xhprof_hook_alloc_ready()) {
				return XHPROF_REFUSED_TOO_LATE;
			}
			if (is_by_stack(request)) {
				return xhprof_compat_stack_refusal() ? XHPROF_REFUSED_STACK : XHPROF_STARTED;
			}
			return xhprof_hook_observer_ready() ? XHPROF_STARTED : XHPROF_REFUSED_HOOKS_OFF;
		default:
			if (xhprof_hook_observer_ready()) {
				return XHPROF_STARTED;
			}
			return XHPROF_G(ini).hooks == XHPROF_HOOKS_OFF ? XHPROF_REFUSED_HOOKS_OFF : XHPROF_REFUSED_TOO_LATE;
	}
}

xhprof_refusal xhprof_session_refusal(const xhprof_session_request *request)
{
	return XHPROF_G(session).over  ? XHPROF_REFUSED_OVER
		   : blocks_start(request) ? XHPROF_REFUSED_BUSY
								   : refusal_of_kind(request);
}

static uint32_t trace_flags(const xhprof_session_request *request)
{
	switch (request->kind) {
		case XHPROF_SAMPLING:
			return request->sampling->clock == XHPROF_SAMPLE_CPU ? XHPROF_TRACE_CPU : 0;
		case XHPROF_TRACKING:
			return XHPROF_TRACE_ALLOC | (is_by_stack(request) ? 0 : XHPROF_TRACE_PATHS);
		default:
			return (uint32_t)(request->flags & XHPROF_FLAGS_ALL);
	}
}

static void choose_tracer(const xhprof_session_request *request, xhprof_tracer_options *options)
{
	uint32_t flags = trace_flags(request), max_nodes = (uint32_t)XHPROF_G(ini).max_nodes;
	bool blocks = flags & XHPROF_TRACE_ALLOC || request->alloc_bytes;
	*options = (xhprof_tracer_options){
		.flags = flags,
		.max_nodes = request->max_nodes && request->max_nodes < max_nodes ? request->max_nodes : max_nodes,
		.block_unit = XHPROF_G(ini).alloc_sample_bytes || request->alloc_bytes ? XHPROF_SAMPLING_UNIT : 1,
		.blocks = request->alloc_bytes != 0,
		.requests = request->edge_shape.requests,
		.timeline_calls = (uint32_t)XHPROF_G(ini).timeline_max_calls,
		.timeline_threshold_ns =
			1000 * (uint64_t)xhprof_profile_option_threshold(request->options, XHPROF_G(ini).timeline_threshold),
		.clock = request->keep ? XHPROF_CLOCK_MONOTONIC : xhprof_clock_choose(XHPROF_G(ini).clock),
		.sampled = request->kind == XHPROF_SAMPLING,
		.operations = request->kind == XHPROF_TRACING && XHPROF_G(ini).collect_additional_info,
		.cpu = flags & XHPROF_TRACE_CPU ? xhprof_cpu_clock_choose(XHPROF_G(ini).cpu_clock) : XHPROF_CPU_SYSCALL,
		.heap = XHPROF_G(session).heap,
		.call_line = xhprof_call_line,
		.nodes_moved = blocks ? xhprof_hook_alloc_moved : NULL,
		.peak_bytes = blocks ? xhprof_hook_alloc_peak_bytes : NULL,
		.keep = (size_t)XHPROF_G(ini).keep_memory,
		.keep_names = true,
		.scratch = &XHPROF_G(scratch),
	};
	if (!options->heap) {
		options->heap = &XHPROF_G(session).heap_copy;
		options->refresh_heap = refresh_heap;
	}
}

/* Measures the overhead of a profile. */
static void measure_overhead(const xhprof_tracer_options *options)
{
	XHPROF_G(session).state = XHPROF_CALIBRATING;
	bool stays = xhprof_calibration(options, &XHPROF_G(session).overhead);
	XHPROF_G(session).state = XHPROF_IDLE;
	xhprof_sampler_raise_deferred();
	if (!stays) {
		zend_bailout();
	}
}

/* Readies the tracer. False without memory, or after an exception. */
static bool prepare_session(const xhprof_session_request *request)
{
	xhprof_tracer_options options;
	choose_tracer(request, &options);
	XHPROF_G(session).overhead = NULL;
	XHPROF_G(session).user_flags = request->keep ? XHPROF_FLAGS_ALLOC : 0;
	XHPROF_G(session).keep_run_init = xhprof_profile_option(request->options, "run_init");
	XHPROF_G(session).edge_shape = request->edge_shape;
	if (request->kind == XHPROF_TRACING) {
		XHPROF_G(session).user_flags = options.flags;
		measure_overhead(&options);
	}
	if (EG(exception) || !xhprof_tracer_prepare(&XHPROF_G(tracer), &options)) {
		return false;
	}
	xhprof_place_main(&XHPROF_G(tracer).symbols);
	return xhprof_profile_options_ignore(request->options, &XHPROF_G(tracer).symbols);
}

static bool start_tracking(const xhprof_session_request *request)
{
	xhprof_alloc_tracking_options options = {
		.native = request->native,
		.by_stack = is_by_stack(request),
		.at_limit = request->at_limit,
	};
	return !(XHPROF_G(tracer).flags & XHPROF_TRACE_ALLOC) || xhprof_alloc_tracking_start(&options);
}

/* Whether the time for which others had the processor is worth its system calls: windows have a profile for each request. */
static bool measures_delay(const xhprof_tracer *tracer)
{
	return tracer->sample_interval_us ? !tracer->samples.only_counts : (tracer->flags & XHPROF_TRACE_CPU) != 0;
}

/* Of parts that take turns it is not known. Samples are read against it: theirs is of no more time than they are, as a short run may
 * wait for a processor longer than it runs. An exact profile does not have the system calls in its own time. */
static void end_delay(xhprof_tracer *tracer)
{
	if (measures_delay(tracer) && !tracer->parted) {
		tracer->run_delay_ns = xhprof_run_delay_end(&XHPROF_G(session).delay);
	}
}

static void start_tracing(void)
{
	xhprof_hook_observer_arm();
	xhprof_heap_peak_begin();
	if (measures_delay(&XHPROF_G(tracer))) {
		xhprof_run_delay_begin(&XHPROF_G(session).delay);
	}
	xhprof_tracer_start(&XHPROF_G(tracer)); /* from here on new functions are observed */
}

const char *xhprof_session_counting_refusal(void)
{
	return !XHPROF_G(ini).collect_additional_info ? "xhprof.collect_additional_info is off"
		   : !xhprof_hook_observer_ready()        ? "xhprof.hooks is off"
												  : NULL;
}

const char *xhprof_session_allocation_refusal(void)
{
	const char *stack = xhprof_compat_stack_refusal();
	return xhprof_hook_alloc_recording() ? NULL : stack ? stack : "the heap's handlers cannot be set";
}

static bool start_sampling_allocations(uint64_t distance, bool carries)
{
	return xhprof_hook_alloc_ready() && !xhprof_compat_stack_refusal() &&
		   xhprof_hook_alloc_start((uint32_t)XHPROF_G(ini).alloc_max_records, distance, true, carries, NULL);
}

static int start_sampling(const xhprof_session_request *request)
{
	xhprof_hook_compile_install();
	int error = xhprof_sampler_start(request->sampling, request->owner == XHPROF_BY_PROGRAM);
	if (!error && request->sampling->keep_log) {
		xhprof_run_delay_begin(&XHPROF_G(session).delay);
	}
	if (!error && request->counts && !xhprof_operation_count_kept() && !xhprof_session_counting_refusal()) {
		xhprof_operation_count_start();
		xhprof_hook_observer_arm_counting();
	}
	if (!error && request->alloc_bytes && !start_sampling_allocations(request->alloc_bytes, request->carries)) {
		xhprof_calltree_drop_blocks(&XHPROF_G(tracer).tree); /* not 0 bytes, but none that are known */
	}
	return error;
}

static void stop_counting(void)
{
	if (xhprof_operation_count_on()) {
		xhprof_operation_count_stop();
		if (!xhprof_tracer_running(&XHPROF_G(tracer))) {
			xhprof_hook_observer_disarm_counting();
		}
	}
}

void xhprof_session_keep_counting(bool keep)
{
	bool kept = xhprof_operation_count_kept();
	xhprof_operation_count_keep(keep && xhprof_operation_count_on());
	if (kept && !keep && XHPROF_G(session).state != XHPROF_SAMPLING) {
		stop_counting();
	}
}

/* Ends the counting's use of the observer around a session that follows calls, for which the observer is armed in
 * another way. */
static void yield_observer(void)
{
	if (xhprof_operation_count_on()) {
		xhprof_hook_observer_disarm_counting();
	}
}

static void take_observer_back(void)
{
	if (xhprof_operation_count_on()) {
		xhprof_operation_count_take(&XHPROF_G(tracer));
		xhprof_hook_observer_arm_counting();
	}
}

static void stop_sampling(void)
{
	if (xhprof_hook_alloc_recording()) {
		xhprof_hook_alloc_stop();
		xhprof_alloc_peak_charge(&XHPROF_G(alloc).ledger.peak, &XHPROF_G(tracer).tree);
		xhprof_tracer_note_dropped_blocks(&XHPROF_G(tracer), XHPROF_G(alloc).ledger.dropped_blocks);
	}
	end_delay(&XHPROF_G(tracer));
	xhprof_sampler_stop();
	xhprof_session_part_last();
	if (!xhprof_operation_count_kept()) {
		stop_counting();
	}
}

/* Starts the prepared session; 0, or an errno. */
static int run_session(const xhprof_session_request *request)
{
	if (request->kind == XHPROF_SAMPLING) {
		return start_sampling(request);
	}
	if (request->keep) {
		XHPROF_G(session).started_ns = xhprof_clock_monotonic_ns();
		xhprof_tracer_start_allocations(&XHPROF_G(tracer), (uint64_t)XHPROF_G(ini).alloc_sample_bytes);
	}
	if (!start_tracking(request)) {
		return ENOMEM;
	}
	if (!is_by_stack(request)) {
		yield_observer();
		start_tracing();
	}
	return 0;
}

xhprof_refusal xhprof_session_start(const xhprof_session_request *request)
{
	xhprof_refusal refusal = xhprof_session_refusal(request);
	if (refusal || is_running()) {
		return refusal ? refusal : XHPROF_REFUSED_BUSY;
	}
	xhprof_session_forget(true);
	XHPROF_G(session).owner = request->owner;
	bool prepared = prepare_session(request);
	int error = prepared ? run_session(request) : ENOMEM;
	if (error) {
		xhprof_session_forget(false);
		errno = error;
		return prepared && request->kind == XHPROF_SAMPLING ? XHPROF_REFUSED_NO_THREAD : XHPROF_REFUSED_NO_MEMORY;
	}
	XHPROF_G(session).state = request->kind;
	return XHPROF_STARTED;
}

static void stop_tracing(void)
{
	bool tracking = xhprof_alloc_tracking_running();
	xhprof_alloc_tracking_stop(); /* first: its charges go to the running node */
	xhprof_tracer_halt(&XHPROF_G(tracer));
	end_delay(&XHPROF_G(tracer));
	xhprof_hook_observer_disarm();
	take_observer_back();
	xhprof_heap_peak_end();
	if (tracking) {
		xhprof_alloc_tracking_freeze();
	}
}

static void stop_kept_tracking(void)
{
	xhprof_alloc_tracking_stop();
	xhprof_tracer_stop_allocations(&XHPROF_G(tracer), xhprof_clock_monotonic_ns() - XHPROF_G(session).started_ns);
	xhprof_alloc_tracking_freeze();
}

static void stop_tracking(void)
{
	xhprof_alloc_tracking_release();
	if (xhprof_tracer_running(&XHPROF_G(tracer))) {
		xhprof_tracer_stop(&XHPROF_G(tracer));
		xhprof_hook_observer_disarm();
		take_observer_back();
	}
	xhprof_tracer_release(&XHPROF_G(tracer));
}

static void stop_session(void)
{
	switch (XHPROF_G(session).state) {
		case XHPROF_IDLE:
		case XHPROF_STOPPED:
		case XHPROF_CALIBRATING: /* a fiber may have been left within it */
			return;
		case XHPROF_TRACING:
			stop_tracing();
			XHPROF_G(session).state = XHPROF_STOPPED;
			break;
		case XHPROF_SAMPLING:
			stop_sampling();
			XHPROF_G(session).state = XHPROF_STOPPED;
			break;
		case XHPROF_TRACKING:
			if (XHPROF_G(tracer).sample_bytes) { /* it is kept */
				stop_kept_tracking();
				XHPROF_G(session).state = XHPROF_STOPPED;
				break;
			}
			stop_tracking();
			XHPROF_G(session).state = XHPROF_IDLE;
			break;
	}
}

bool xhprof_session_stop(xhprof_session_owner owner, xhprof_session_state kind)
{
	if (XHPROF_G(session).locked || XHPROF_G(session).state != kind || XHPROF_G(session).owner != owner) {
		return false;
	}
	if (xhprof_session_part_is_one_of_many()) {
		xhprof_session_part_halt();
	} else {
		stop_session();
	}
	return true;
}

const xhprof_tracer *xhprof_session_last(void)
{
	xhprof_tracer *tracer = XHPROF_G(session).state == XHPROF_STOPPED ? &XHPROF_G(tracer) : NULL;
	if (tracer) {
		xhprof_tracer_settle(tracer);
	}
	return tracer;
}

/* Keeps the memory of a profile for the next request's, as far as the setting says: making its pages costs more than
 * using them. */
static void keep_memory(void)
{
	bool used = XHPROF_G(tracer).tree.root != NULL;
	size_t keep = (size_t)XHPROF_G(ini).keep_memory;
	keep -= xhprof_scratch_trim(&XHPROF_G(scratch), keep / 2);
	xhprof_call_label_recycle(&keep);
	xhprof_known_functions_recycle(&keep);
	xhprof_hook_alloc_recycle(&keep);
	xhprof_tracer_recycle(&XHPROF_G(tracer), keep);
	if (used) {
		XHPROF_G(session).kept_since_ns = xhprof_clock_coarse_ns();
	}
}

void xhprof_session_forget(bool warm)
{
	if (XHPROF_G(session).parts.stopped != XHPROF_IDLE) { /* others go on */
		xhprof_session_part_drop();
		return;
	}
	xhprof_session_part_end_all();
	XHPROF_G(session).state = XHPROF_IDLE;
	if (!xhprof_operation_count_kept()) {
		xhprof_operation_count_forget();
	}
	if (!warm || xhprof_alloc_tracking_any()) { /* spans come here often */
		xhprof_alloc_tracking_release();
	}
	if (!warm) {
		keep_memory();
	}
}

/* Locks or unlocks the session. Nodes are held meanwhile, as a dump that is being written refers to them. */
static void set_lock(bool locked)
{
	XHPROF_G(session).locked = locked;
	xhprof_tracer_hold(&XHPROF_G(tracer), locked);
}

void xhprof_session_lock(void (*work)(void *context), void *context)
{
	set_lock(true);
	zend_try
	{
		work(context);
	}
	zend_catch
	{ /* memory_limit, or a stream of the program's own has ended it */
		set_lock(false);
		zend_bailout();
	}
	zend_end_try();
	set_lock(false);
}

static void release_memory(void)
{
	size_t nothing = 0;
	xhprof_scratch_trim(&XHPROF_G(scratch), 0);
	xhprof_call_label_recycle(&nothing);
	xhprof_known_functions_recycle(&nothing);
	xhprof_hook_alloc_recycle(&nothing);
	xhprof_carry_release(&XHPROF_G(alloc).carry);
	xhprof_tracer_release(&XHPROF_G(tracer));
}

/* Releases kept memory that was not used for long. */
static void release_idle(void)
{
	uint64_t since = XHPROF_G(session).kept_since_ns;
	if (since && xhprof_clock_coarse_ns() - since > KEPT_IDLE_NS) {
		release_memory();
		XHPROF_G(session).kept_since_ns = 0;
	}
}

void xhprof_session_rinit(void)
{
	if (XHPROF_G(tracer).tree.root) { /* a bailout has skipped our RSHUTDOWN */
		keep_memory();
	}
	release_idle();
	xhprof_hook_alloc_rinit();
	xhprof_heap_peak_rinit();
	XHPROF_G(session).heap = xhprof_heap_usage_find(&XHPROF_G(session).heap_lists);
	XHPROF_G(session).state = XHPROF_IDLE; /* a fiber may have been left within a calibration */
	XHPROF_G(session).locked = XHPROF_G(session).over = false;
}

void xhprof_session_over(void)
{
	set_lock(false); /* a fiber may have been left within a dump */
	XHPROF_G(session).over = true;
	if (XHPROF_G(alloc).resting) {
		xhprof_hook_alloc_stop();
	}
}

void xhprof_session_rshutdown(void)
{
	stop_session();
	xhprof_session_keep_counting(false);
	xhprof_session_forget(false);
}

void xhprof_session_post_deactivate(void)
{
	/* After a bailout in our RSHUTDOWN. Functions and their run-time caches are gone: nothing to disarm. */
	XHPROF_G(session).state = XHPROF_IDLE;
	xhprof_operation_count_forget();
	xhprof_sampler_drop();
	if (XHPROF_G(alloc).resting) {
		xhprof_hook_alloc_stop();
	}
	xhprof_alloc_tracking_release();
}

void xhprof_session_mshutdown(void)
{
	/* The kernel must not keep the CPU clock's addresses when the module is unloaded. */
	release_memory();
}

void xhprof_session_gshutdown(zend_xhprof_globals *globals)
{
	xhprof_scratch_trim(&globals->scratch, 0);
	xhprof_alloc_ledger_release(&globals->alloc.ledger);
	xhprof_carry_release(&globals->alloc.carry);
	xhprof_tracer_release(&globals->tracer);
	xhprof_session_part_gshutdown(globals);
}
