#include "span.h"

#include "heap_condition.h"
#include "open_span.h"
#include "recording.h"

#include "folder/log_once.h"
#include "hook/alloc_tracking.h"
#include "hook/code_context.h"
#include "hook/hook_fiber.h"
#include "hook/session.h"
#include "export/run_save.h"

#include <inttypes.h>

/* The most enters that a fiber has not left. */
#define MOST_ENTERED 10000u

/* Returns whether spans are profiled. With "no", windows consist of spans alone. */
static bool is_on(void)
{
	return XHPROF_G(ini).start_with_request != XHPROF_START_NO || XHPROF_G(ini).mode == XHPROF_RUN_AGGREGATE;
}

/* Returns whether bin/xhprof run profiles the program as a whole: its spans are parts of that one run. */
static bool is_ordered(void)
{
	return XHPROF_G(automatic).running && XHPROF_G(automatic).ordered;
}

/* Returns whether the settings want a span that begins now. */
static bool is_wanted(double *rate)
{
	*rate = 0;
	switch (XHPROF_G(ini).start_with_request) {
		case XHPROF_START_TRIGGER:
			return XHPROF_G(automatic).triggered;
		case XHPROF_START_SAMPLED:
			if (XHPROF_G(automatic).triggered) {
				return true;
			}
			*rate = XHPROF_G(ini).sample_rate;
			return xhprof_auto_by_chance(*rate);
		default:
			return true;
	}
}

/* Returns true, after a warning, if the program runs a profile of its own, or one that cannot be stopped now. */
static bool is_refused(const char *function)
{
	bool busy = XHPROF_G(session).locked || (xhprof_session_busy() && !xhprof_session_is_owned_by(XHPROF_BY_SETTINGS));
	if (busy && function) {
		zend_error(E_WARNING, "%s(): A profile is running: the span is not profiled", function);
	}
	return busy || EG(exception);
}

static size_t depth_of_caller(void)
{
	const zend_fiber *fiber = EG(active_fiber);
	const zend_execute_data *call = EG(current_execute_data), *bottom = fiber ? fiber->stack_bottom : NULL;
	size_t depth = 0;
	for (; call && call != bottom; call = call->prev_execute_data) {
		depth++;
	}
	return depth;
}

/* Returns the open span that was carried into a fiber last, unless that has ended: then what the fiber does is not its
 * work any more, though the program has not left it. 0: no such span. */
static uint64_t carried_into(const xhprof_span_fiber *fiber)
{
	const xhprof_span_entered *entered = fiber->entered;
	return entered && xhprof_open_span_find(entered->span) ? entered->span : 0;
}

/* Notes a span of a function that is not kept, so that its end is not taken for that of another one. */
static void note_not_kept(const zend_fiber_context *fiber, size_t depth)
{
	xhprof_span_fiber *known = xhprof_open_span_fiber(fiber);
	if (known && known->innermost) {
		known->not_kept++;
		known->depth_not_kept = (uint32_t)depth;
	} else {
		XHPROF_G(span).abandoned++;
	}
}

/* Makes the ends of those late ones. */
static void forget_not_kept(xhprof_span_fiber *fiber)
{
	XHPROF_G(span).abandoned += fiber->not_kept;
	fiber->not_kept = 0;
}

/* Lets the span go on that a fiber works for (NULL: a fiber without one), as the program goes there from another fiber,
 * or from another span in the same. */
static bool take_turn(const xhprof_span_fiber *fiber, const void *from, const void *to)
{
	const xhprof_open_span *span = fiber ? xhprof_open_span_find(fiber->turn) : NULL;
	return xhprof_recording_switch(span ? span->recording : NULL,
								   span ? XHPROF_RECORDING_IGNORED : XHPROF_RECORDING_BETWEEN, from, to);
}

static void take_turn_here(void)
{
	const zend_fiber_context *here = EG(current_fiber_context);
	take_turn(xhprof_open_span_fiber(here), here, here);
}

/* Shows a span in the timeline of the profile that it lies in. */
static void mark_begin(xhprof_open_span *span, const zend_string *name)
{
	xhprof_tracer *tracer = &XHPROF_G(tracer);
	if (!xhprof_tracer_in_timeline(tracer)) {
		return;
	}
	xhprof_symbol_ref symbol = xhprof_symbols_intern(&tracer->symbols, ZSTR_VAL(name), ZSTR_LEN(name), 0, 0);
	span->mark = symbol ? xhprof_timeline_mark_at(&tracer->timeline, XHPROF_TIMELINE_SPAN, XHPROF_SYMBOL_ID(symbol),
												  xhprof_tracer_time(tracer), XHPROF_TIMELINE_OPEN)
						: 0;
	span->epoch = span->mark ? tracer->epoch : 0;
}

/* Ends it there, unless another fiber runs, which may be in another timeline. */
static void mark_end(const xhprof_open_span *span)
{
	xhprof_tracer *tracer = &XHPROF_G(tracer);
	if (span->fiber == EG(current_fiber_context) && span->epoch == tracer->epoch && xhprof_tracer_in_timeline(tracer)) {
		xhprof_timeline_mark_end(&tracer->timeline, span->mark, xhprof_tracer_time(tracer));
	}
}

static void begin_job(xhprof_open_span *span, const zend_string *name)
{
	span->within = XHPROF_G(tracer).epoch;
	if (span->within) {
		XHPROF_G(span).jobs_begun++;
		span->alone = XHPROF_G(span).jobs_open++ ? 0 : XHPROF_G(span).jobs_begun;
	}
	if (xhprof_alloc_tracking_running()) {
		span->job =
			XHPROF_SYMBOL_ID(xhprof_symbols_intern(&XHPROF_G(tracer).symbols, ZSTR_VAL(name), ZSTR_LEN(name), 0, 0));
	}
}

/* Makes a mark after each job of a worker, unless the program makes marks. It has the job's name only if no other job was
 * open meanwhile: what lies before the mark is of all of them. */
static void end_job(const xhprof_open_span *span)
{
	uint64_t epoch = XHPROF_G(tracer).epoch;
	if (!span->within) {
		return;
	}
	XHPROF_G(span).jobs_open--;
	if (span->within != epoch || !xhprof_alloc_tracking_running()) {
		return;
	}
	uint32_t of_spans = XHPROF_G(span).marked_epoch == epoch ? XHPROF_G(span).marked : 0;
	if (xhprof_alloc_tracking_marks() == of_spans) {
		XHPROF_G(span).marked = xhprof_alloc_tracking_mark();
		XHPROF_G(span).marked_epoch = epoch;
		if (span->alone == XHPROF_G(span).jobs_begun) {
			xhprof_alloc_tracking_name_mark(XHPROF_G(span).marked, span->job);
		}
	}
}

/* Lets what came before a span go on in its fiber: now, or when what has been carried into it since is left. Where the
 * span was carried in above another one, only leave() ends that. */
static void give_turn_back(xhprof_span_fiber *fiber, const xhprof_open_span *span)
{
	uint64_t number = span->number;
	xhprof_span_entered *entered = fiber->entered, *again = NULL;
	for (; entered; entered = entered->below) {
		again = entered->span == number && entered->before != number ? entered : again;
	}
	if (!again && fiber->turn == number) {
		fiber->turn = span->before;
	}
	for (entered = again ? again->below : fiber->entered; entered; entered = entered->below) {
		if (entered->before == number) {
			entered->before = span->before;
		}
	}
}

/* Ends the innermost span of a fiber. Returns the id of its run, or NULL. */
static const char *end_innermost(xhprof_span_fiber *fiber, const char *ended_by)
{
	xhprof_open_span *span = fiber->innermost;
	const char *id = NULL;
	fiber->innermost = span->outer;
	forget_not_kept(fiber);
	mark_end(span);
	end_job(span);
	if (span->top == span->number) {
		give_turn_back(fiber, span);
	}
	if (span->recording) {
		id = xhprof_recording_end(span->recording, ended_by);
	}
	xhprof_code_context_span_ends(span->fiber, xhprof_open_span_serial(span->number));
	xhprof_open_span_remove(span);
	return id;
}

/* Ends a span, and those of its fiber that lie within it. Returns the id of its run, or NULL. */
static const char *end_span(const xhprof_open_span *span, const char *ended_by)
{
	xhprof_span_fiber *fiber = xhprof_open_span_fiber(span->fiber);
	const xhprof_open_span *outer = span->outer;
	const char *id = NULL;
	uint64_t number = 0;
	while (fiber->innermost != outer) {
		if (number) { /* one within it has ended */
			xhprof_heap_condition_end_span(number);
		}
		number = fiber->innermost->number;
		id = end_innermost(fiber, ended_by);
	}
	take_turn_here();
	xhprof_auto_go_on();
	xhprof_heap_condition_end_span(number); /* last: it may bail out */
	return id;
}

const char *xhprof_span_end_by(uint64_t number, const char *ended_by)
{
	const xhprof_open_span *span = xhprof_open_span_find(number);
	const xhprof_open_span *within = span ? xhprof_open_span_fiber(span->fiber)->innermost : NULL;
	for (; within != span; within = within->outer) {
		XHPROF_G(span).abandoned += !within->by_object; /* the program ends it late: it has not ended this one */
	}
	return span ? end_span(span, ended_by) : NULL;
}

const char *xhprof_span_end(uint64_t number)
{
	const xhprof_open_span *span = xhprof_open_span_find(number);
	return span ? end_span(span, NULL) : NULL;
}

bool xhprof_span_may_begin(void)
{
	return is_on() || is_ordered();
}

const char *xhprof_span_end_last(void)
{
	xhprof_span_fiber *fiber = xhprof_open_span_fiber(EG(current_fiber_context));
	if (fiber && fiber->not_kept) {
		fiber->not_kept--;
		return NULL;
	}
	for (const xhprof_open_span *span = fiber ? fiber->innermost : NULL; span; span = span->outer) {
		if (!span->by_object) {
			return end_span(span, NULL);
		}
	}
	if (XHPROF_G(span).abandoned) { /* its own end comes late */
		XHPROF_G(span).abandoned--;
	} else if (is_on() || XHPROF_G(session).over) {
		zend_error(E_WARNING, "xhprof_end_span(): No span has begun");
	}
	return NULL;
}

/* Returns whether an open span lies in one that has ended: in another fiber, from where it was carried into this one. */
static bool is_left_behind(const xhprof_open_span *span)
{
	return !xhprof_open_span_find(span->top);
}

/* Ends spans that functions left open, and those whose outermost one has ended. */
static void end_abandoned(xhprof_span_fiber *fiber, size_t depth)
{
	if (fiber && fiber->depth_not_kept >= depth) {
		forget_not_kept(fiber);
	}
	while (fiber && fiber->innermost) {
		const xhprof_open_span *span = fiber->innermost;
		bool by_function = !span->by_object;
		if (!(by_function && span->depth >= depth) && !is_left_behind(span)) {
			break;
		}
		end_span(span, "span");
		XHPROF_G(span).abandoned += by_function;
	}
}

bool xhprof_span_is_open(void)
{
	xhprof_span_fiber *fiber = xhprof_open_span_fiber(EG(current_fiber_context));
	if (fiber && fiber->innermost) {
		end_abandoned(fiber, depth_of_caller() + 1); /* one of the caller's own stays */
	}
	return fiber && (fiber->innermost || carried_into(fiber));
}

/* Begins the recording of a span that does not lie within another one, if the settings want it. False after an
 * exception of the metadata's. */
static bool record(xhprof_open_span *span, const char *function, const zend_string *name, zval *meta)
{
	uint64_t number = span->number;
	smart_str json = {0};
	double rate;
	if (!xhprof_recording_any()) {
		xhprof_auto_make_way(); /* the time before the first one is a run of its own */
	}
	if (is_refused(function)) {
		return true;
	}
	xhprof_auto_take_trigger();
	if (!is_wanted(&rate)) {
		return true;
	}
	if (!xhprof_run_encode_meta(function, meta, &json)) {
		return false;
	}
	xhprof_auto_start start = {
		.start = "span", .name = ZSTR_VAL(name), .name_length = ZSTR_LEN(name), .sample_rate = rate};
	if (json.s) {
		start.meta = ZSTR_VAL(json.s);
		start.meta_length = ZSTR_LEN(json.s);
	}
	bool refused = start.meta && is_refused(function); /* by a jsonSerialize(), which may have ended the span, too */
	span = xhprof_open_span_find(number);
	if (span && !refused) {
		span->recording = xhprof_recording_begin(&start);
	}
	smart_str_free(&json);
	return true;
}

/* Begins a span that does not lie within another one. Returns its number, or 0. */
static uint64_t begin_top(xhprof_open_span *span, const char *function, const zend_string *name, zval *meta,
						  bool *profiled)
{
	uint64_t number = span->number;
	xhprof_span_fiber *fiber = xhprof_open_span_fiber(span->fiber);
	span->before = fiber->turn;
	fiber->turn = number;
	if (is_ordered() || xhprof_session_is_owned_by(XHPROF_BY_PROGRAM)) {
		mark_begin(span, name);
		begin_job(span, name);
	}
	if (is_ordered() || !is_on()) {
		return number;
	}
	bool begun = record(span, function, name, meta);
	span = xhprof_open_span_find(number);
	if (!begun) {
		if (span) {
			end_span(span, NULL);
		}
		return 0;
	}
	*profiled = span && span->recording;
	take_turn_here();
	return number;
}

uint64_t xhprof_span_begin(const char *function, const zend_string *name, zval *meta, bool by_object, bool *profiled)
{
	const zend_fiber_context *fiber = EG(current_fiber_context);
	*profiled = false;
	if (XHPROF_G(session).over) {
		if (function) {
			zend_error(E_WARNING, "%s(): The request is over", function);
		}
		return 0;
	}
	if (!is_on() && !is_ordered() && !xhprof_heap_condition_wanted()) {
		return 0;
	}
	size_t depth = depth_of_caller();
	end_abandoned(xhprof_open_span_fiber(fiber), depth);
	xhprof_open_span *span = xhprof_open_span_add(fiber, by_object, depth);
	if (!span) {
		if (!by_object) {
			note_not_kept(fiber, depth);
		}
		return 0;
	}
	uint64_t top = span->outer ? span->outer->top : carried_into(xhprof_open_span_fiber(fiber));
	span->top = top ? top : span->number;
	xhprof_heap_condition_begin_span(span->number, name);
	if (!top) {
		return begin_top(span, function, name, meta, profiled);
	}
	mark_begin(span, name);
	return span->number;
}

/* Takes the last enter back. A span that has begun since then keeps its turn: what came before both follows it. */
static void leave_last(xhprof_span_fiber *fiber)
{
	xhprof_span_entered *entered = fiber->entered;
	if (fiber->turn == entered->span) {
		fiber->turn = entered->before;
	} else {
		xhprof_open_span *begun = xhprof_open_span_find(fiber->turn);
		if (begun && begun->before == entered->span) {
			begun->before = entered->before;
		}
	}
	fiber->entered = entered->below;
	fiber->entered_count--;
	xhprof_pool_give(&XHPROF_G(span).pool, entered, sizeof(*entered));
}

/* Forgets those that so many others have followed that the program will hardly leave them: it never leaves any. */
static void forget_entered(xhprof_span_fiber *fiber)
{
	xhprof_span_entered *last = fiber->entered, *entered = last->below;
	while (entered) {
		xhprof_span_entered *below = entered->below;
		xhprof_pool_give(&XHPROF_G(span).pool, entered, sizeof(*entered));
		entered = below;
	}
	last->below = NULL;
	fiber->entered_count = 1;
}

/* Takes those back whose leave() would change nothing, as their span has ended, and the one before: a program that never
 * leaves what it has ended does not gather them. */
static void drop_entered(xhprof_span_fiber *fiber)
{
	while (fiber->entered && !xhprof_open_span_find(fiber->entered->span) &&
		   !xhprof_open_span_find(fiber->entered->before)) {
		leave_last(fiber);
	}
}

void xhprof_span_enter(uint64_t number)
{
	const xhprof_open_span *span = xhprof_open_span_find(number);
	xhprof_span_fiber *fiber = span ? xhprof_open_span_make_fiber(EG(current_fiber_context)) : NULL;
	if (fiber) {
		drop_entered(fiber);
	}
	if (fiber && fiber->entered_count >= MOST_ENTERED) {
		forget_entered(fiber);
	}
	xhprof_span_entered *entered = fiber ? xhprof_pool_take(&XHPROF_G(span).pool, sizeof(*entered)) : NULL;
	if (entered) {
		*entered = (xhprof_span_entered){fiber->entered, span->top, fiber->turn};
		fiber->entered = entered;
		fiber->entered_count++;
		fiber->turn = span->top;
		take_turn_here();
	}
}

void xhprof_span_leave(uint64_t top)
{
	xhprof_span_fiber *fiber = xhprof_open_span_fiber(EG(current_fiber_context));
	const xhprof_span_entered *entered = fiber ? fiber->entered : NULL;
	while (entered && entered->span != top) {
		entered = entered->below;
	}
	if (entered) {
		const xhprof_span_entered *below = entered->below;
		while (fiber->entered != below) {
			leave_last(fiber);
		}
		take_turn_here();
	}
}

uint64_t xhprof_span_top(uint64_t number)
{
	const xhprof_open_span *span = xhprof_open_span_find(number);
	return span ? span->top : number;
}

/* Gives a new fiber the span of the code that makes it. */
static void fiber_made(zend_fiber_context *fiber)
{
	uint64_t turn = XHPROF_G(span).count ? xhprof_open_span_here() : 0;
	xhprof_span_fiber *new = turn ? xhprof_open_span_make_fiber(fiber)
							 : XHPROF_G(span).fibers.used
								 ? xhprof_open_span_fiber(fiber) /* of one that was never started */
								 : NULL;
	if (new) {
		new->turn = turn;
	}
}

/* Gives a fiber that starts the span of the one that starts it, unless it has that of the one that made it. */
static void inherit(const zend_fiber_context *from, const zend_fiber_context *to)
{
	const xhprof_span_fiber *known = xhprof_open_span_fiber(from), *own = xhprof_open_span_fiber(to);
	uint64_t turn = known && xhprof_open_span_find(known->turn) ? known->turn : 0;
	xhprof_span_fiber *new =
		turn && !(own && xhprof_open_span_find(own->turn)) ? xhprof_open_span_make_fiber(to) : NULL;
	if (new) {
		new->turn = turn;
	}
}

/* With open spans. Not inlined: without any, which is most programs, a switch needs none of its registers. */
static zend_never_inline bool switch_spans(const zend_fiber_context *from, const zend_fiber_context *to)
{
	if (to->status == ZEND_FIBER_STATUS_INIT) {
		inherit(from, to);
	}
	return take_turn(xhprof_open_span_fiber(to), from, to);
}

static bool fiber_switched(zend_fiber_context *from, zend_fiber_context *to)
{
	return XHPROF_G(span).count && switch_spans(from, to);
}

/* Ends the spans of a fiber that is destroyed, as another fiber may have its address afterwards. */
static void fiber_destroyed(zend_fiber_context *context)
{
	xhprof_span_fiber *fiber = XHPROF_G(span).fibers.used ? xhprof_open_span_fiber(context) : NULL;
	while (fiber && fiber->innermost) {
		const xhprof_open_span *span = fiber->innermost;
		while (span->outer) {
			span = span->outer;
		}
		end_span(span, "fiber");
	}
	if (fiber) {
		while (fiber->entered) {
			leave_last(fiber);
		}
		xhprof_table_remove(&XHPROF_G(span).fibers, (uintptr_t)context);
		xhprof_pool_give(&XHPROF_G(span).pool, fiber, sizeof(*fiber));
	}
}

void xhprof_span_minit(void)
{
	xhprof_hook_fiber_minit(&(xhprof_fiber_watcher){fiber_made, fiber_switched, fiber_destroyed});
}

void xhprof_span_rshutdown(void)
{
	if (XHPROF_G(span).dropped) {
		xhprof_log_condition("%" PRIu64 " spans were not profiled, as %u others were open", XHPROF_G(span).dropped,
							 XHPROF_SPANS_MAX);
	}
	XHPROF_G(span).dropped = XHPROF_G(span).marked_epoch = XHPROF_G(span).jobs_begun = 0;
	XHPROF_G(span).abandoned = XHPROF_G(span).jobs_open = 0;
	if (XHPROF_G(span).room) {
		xhprof_open_span_release(ZEND_MODULE_GLOBALS_BULK(xhprof));
	}
	xhprof_recording_rshutdown();
}

void xhprof_span_gshutdown(zend_xhprof_globals *globals)
{
	xhprof_open_span_release(globals);
	xhprof_recording_gshutdown(globals);
}
