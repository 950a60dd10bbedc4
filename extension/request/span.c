#include "span.h"

#include "heap_condition.h"
#include "recording.h"

#include "folder/log_once.h"
#include "hook/alloc_tracking.h"
#include "hook/code_context.h"
#include "hook/hook_fiber.h"
#include "hook/session.h"
#include "export/run_save.h"

#include <inttypes.h>

/* The most spans that are open at once. A span's number has its place among them in the lowest bits. */
#define MOST_SPANS 10000u
#define PLACE_BITS 14u
#define PLACES (1u << PLACE_BITS)

typedef struct xhprof_span {
	uint64_t number;
	const zend_fiber_context *fiber;
	struct xhprof_span *outer;   /* the next open one of its fiber, in which it lies; or NULL */
	xhprof_recording *recording; /* or NULL, of one that lies in another, or is not profiled */
	uint64_t top;                /* the number of the outermost one around it, or of itself: whose turn it is */
	uint64_t before;             /* of the span whose turn it was in its fiber before; or 0 */
	size_t depth;                /* number of calls of that fiber around its begin */
	bool by_object;
	uint64_t epoch; /* of the profile whose timeline has it, as this mark; or 0 */
	uint32_t mark;
	uint32_t marks;  /* in the memory of the profile that it is a job of when it began */
	uint64_t within; /* epoch of that profile, not its own; or 0 */
	uint32_t job;    /* id of the symbol there with its name; 0: not known */
} xhprof_span;

/* A span that was carried into a callback by its object. */
typedef struct span_entered {
	struct span_entered *below;
	uint64_t span, before; /* numbers: of it, and of the one whose turn it was before */
} span_entered;

/* What a fiber has while spans are open. */
typedef struct span_fiber {
	uint64_t turn;           /* number of the span that its work belongs to, which may have ended; or 0 */
	xhprof_span *innermost;  /* of those that began in it; or NULL */
	span_entered *entered;   /* the last one */
	uint32_t not_kept;       /* of functions, that began within it and have not ended: too many were open */
	uint32_t depth_not_kept; /* of the last one, as in xhprof_span */
} span_fiber;

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

/* Returns the open span of this number, or NULL. */
static xhprof_span *find_span(uint64_t number)
{
	uint32_t place = (uint32_t)number & (PLACES - 1);
	xhprof_span *span = number && place < XHPROF_G(span).room ? XHPROF_G(span).open[place] : NULL;
	return span && span->number == number ? span : NULL;
}

static span_fiber *find_fiber(const zend_fiber_context *fiber)
{
	return xhprof_table_find(&XHPROF_G(span).fibers, (uintptr_t)fiber);
}

/* Returns what this fiber has, made if it is new; NULL without memory. */
static span_fiber *fiber_of(const zend_fiber_context *fiber)
{
	span_fiber *known = find_fiber(fiber);
	if (!known && (known = xhprof_pool_take(&XHPROF_G(span).pool, sizeof(*known))) &&
		!xhprof_table_put(&XHPROF_G(span).fibers, (uintptr_t)fiber, known)) {
		xhprof_pool_give(&XHPROF_G(span).pool, known, sizeof(*known));
		known = NULL;
	}
	return known;
}

/* Notes a span of a function that is not kept, so that its end is not taken for that of another one. */
static void note_not_kept(const zend_fiber_context *fiber, size_t depth)
{
	span_fiber *known = find_fiber(fiber);
	if (known && known->innermost) {
		known->not_kept++;
		known->depth_not_kept = (uint32_t)depth;
	} else {
		XHPROF_G(span).abandoned++;
	}
}

/* Makes the ends of those late ones. */
static void forget_not_kept(span_fiber *fiber)
{
	XHPROF_G(span).abandoned += fiber->not_kept;
	fiber->not_kept = 0;
}

/* Lets the span go on that a fiber works for (NULL: a fiber without one), as the program goes there from another fiber,
 * or from another span in the same. */
static bool take_turn(const span_fiber *fiber, const void *from, const void *to)
{
	const xhprof_span *span = fiber ? find_span(fiber->turn) : NULL;
	return xhprof_recording_switch(span ? span->recording : NULL,
								   span ? XHPROF_RECORDING_IGNORED : XHPROF_RECORDING_BETWEEN, from, to);
}

static void take_turn_here(void)
{
	const zend_fiber_context *here = EG(current_fiber_context);
	take_turn(find_fiber(here), here, here);
}

/* Returns a free place for a span; PLACES without memory. */
static uint32_t free_place(void)
{
	uint32_t place = XHPROF_G(span).free, room = XHPROF_G(span).room;
	while (place < room && XHPROF_G(span).open[place]) {
		place++;
	}
	if (place == room) {
		size_t capacity = room;
		if (!xhprof_pages_double((void **)&XHPROF_G(span).open, sizeof(*XHPROF_G(span).open), &capacity, 64)) {
			return PLACES;
		}
		XHPROF_G(span).room = (uint32_t)capacity;
	}
	return place;
}

/* Adds a span to its fiber. NULL without memory, or if too many are open. */
static xhprof_span *add_span(const zend_fiber_context *fiber, bool by_object, size_t depth)
{
	if (XHPROF_G(span).count >= MOST_SPANS) {
		XHPROF_G(span).dropped++;
		return NULL;
	}
	uint32_t place = free_place();
	span_fiber *of_fiber = place < PLACES ? fiber_of(fiber) : NULL;
	xhprof_span *span = of_fiber ? xhprof_pool_take(&XHPROF_G(span).pool, sizeof(*span)) : NULL;
	if (!span) {
		return NULL;
	}
	span->number = ++XHPROF_G(span).last << PLACE_BITS | place;
	span->fiber = fiber;
	span->outer = of_fiber->innermost;
	span->depth = depth;
	span->by_object = by_object;
	of_fiber->innermost = span;
	XHPROF_G(span).open[place] = span;
	XHPROF_G(span).count++;
	XHPROF_G(span).free = place + 1;
	return span;
}

static void free_span(xhprof_span *span)
{
	uint32_t place = (uint32_t)span->number & (PLACES - 1);
	XHPROF_G(span).open[place] = NULL;
	XHPROF_G(span).count--;
	XHPROF_G(span).free = place < XHPROF_G(span).free ? place : XHPROF_G(span).free;
	xhprof_pool_give(&XHPROF_G(span).pool, span, sizeof(*span));
}

/* Shows a span in the timeline of the profile that it lies in. */
static void mark_begin(xhprof_span *span, const zend_string *name)
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
static void mark_end(const xhprof_span *span)
{
	xhprof_tracer *tracer = &XHPROF_G(tracer);
	if (span->fiber == EG(current_fiber_context) && span->epoch == tracer->epoch && xhprof_tracer_in_timeline(tracer)) {
		xhprof_timeline_mark_end(&tracer->timeline, span->mark, xhprof_tracer_time(tracer));
	}
}

static void begin_job(xhprof_span *span, const zend_string *name)
{
	span->within = XHPROF_G(tracer).epoch;
	span->marks = xhprof_alloc_tracking_marks();
	if (xhprof_alloc_tracking_running()) {
		span->job =
			XHPROF_SYMBOL_ID(xhprof_symbols_intern(&XHPROF_G(tracer).symbols, ZSTR_VAL(name), ZSTR_LEN(name), 0, 0));
	}
}

/* Makes a mark after each job of a worker, unless the program makes marks. */
static void end_job(const xhprof_span *span)
{
	uint64_t epoch = XHPROF_G(tracer).epoch;
	if (!span->within || span->within != epoch || !xhprof_alloc_tracking_running()) {
		return;
	}
	uint32_t of_spans = XHPROF_G(span).marked_epoch == epoch ? XHPROF_G(span).marked : 0;
	if (span->marks == of_spans && xhprof_alloc_tracking_marks() == of_spans) {
		XHPROF_G(span).marked = xhprof_alloc_tracking_mark();
		XHPROF_G(span).marked_epoch = epoch;
		xhprof_alloc_tracking_name_mark(XHPROF_G(span).marked, span->job);
	}
}

/* Ends the innermost span of a fiber. Returns the id of its run, or NULL. */
static const char *end_innermost(span_fiber *fiber, const char *ended_by)
{
	xhprof_span *span = fiber->innermost;
	const char *id = NULL;
	fiber->innermost = span->outer;
	forget_not_kept(fiber);
	mark_end(span);
	end_job(span);
	if (span->top == span->number && fiber->turn == span->number) {
		fiber->turn = span->before;
	}
	if (span->recording) {
		id = xhprof_recording_end(span->recording, ended_by);
	}
	xhprof_code_context_span_ends(span->fiber, span->number >> PLACE_BITS);
	free_span(span);
	return id;
}

/* Ends a span, and those of its fiber that lie within it. Returns the id of its run, or NULL. */
static const char *end_span(const xhprof_span *span, const char *ended_by)
{
	span_fiber *fiber = find_fiber(span->fiber);
	const xhprof_span *outer = span->outer;
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
	const xhprof_span *span = find_span(number);
	const xhprof_span *within = span ? find_fiber(span->fiber)->innermost : NULL;
	for (; within != span; within = within->outer) {
		XHPROF_G(span).abandoned += !within->by_object; /* the program ends it late: it has not ended this one */
	}
	return span ? end_span(span, ended_by) : NULL;
}

const char *xhprof_span_end(uint64_t number)
{
	const xhprof_span *span = find_span(number);
	return span ? end_span(span, NULL) : NULL;
}

bool xhprof_span_may_begin(void)
{
	return is_on() || is_ordered();
}

const char *xhprof_span_end_last(void)
{
	span_fiber *fiber = find_fiber(EG(current_fiber_context));
	if (fiber && fiber->not_kept) {
		fiber->not_kept--;
		return NULL;
	}
	for (const xhprof_span *span = fiber ? fiber->innermost : NULL; span; span = span->outer) {
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

/* Ends spans that functions left open. */
static void end_abandoned(span_fiber *fiber, size_t depth)
{
	if (fiber && fiber->depth_not_kept >= depth) {
		forget_not_kept(fiber);
	}
	while (fiber && fiber->innermost && !fiber->innermost->by_object && fiber->innermost->depth >= depth) {
		end_span(fiber->innermost, "span");
		XHPROF_G(span).abandoned++;
	}
}

bool xhprof_span_is_open(void)
{
	span_fiber *fiber = find_fiber(EG(current_fiber_context));
	if (fiber && fiber->innermost) {
		end_abandoned(fiber, depth_of_caller() + 1); /* one of the caller's own stays */
	}
	return fiber && (fiber->innermost || fiber->entered);
}

/* Begins the recording of a span that does not lie within another one, if the settings want it. False after an
 * exception of the metadata's. */
static bool record(xhprof_span *span, const char *function, const zend_string *name, zval *meta)
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
	span = find_span(number);
	if (span && !refused) {
		span->recording = xhprof_recording_begin(&start);
	}
	smart_str_free(&json);
	return true;
}

/* Begins a span that does not lie within another one. Returns its number, or 0. */
static uint64_t begin_top(xhprof_span *span, const char *function, const zend_string *name, zval *meta, bool *profiled)
{
	uint64_t number = span->number;
	span_fiber *fiber = find_fiber(span->fiber);
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
	span = find_span(number);
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
	end_abandoned(find_fiber(fiber), depth);
	xhprof_span *span = add_span(fiber, by_object, depth);
	if (!span) {
		if (!by_object) {
			note_not_kept(fiber, depth);
		}
		return 0;
	}
	const span_entered *entered = find_fiber(fiber)->entered;
	uint64_t top = span->outer ? span->outer->top : entered ? entered->span : 0;
	span->top = top ? top : span->number;
	xhprof_heap_condition_begin_span(span->number, name);
	if (!top) {
		return begin_top(span, function, name, meta, profiled);
	}
	mark_begin(span, name);
	return span->number;
}

uint64_t xhprof_span_here(void)
{
	const span_fiber *fiber = find_fiber(EG(current_fiber_context));
	return fiber && find_span(fiber->turn) ? fiber->turn : 0;
}

void xhprof_span_enter(uint64_t number)
{
	const xhprof_span *span = find_span(number);
	span_fiber *fiber = span ? fiber_of(EG(current_fiber_context)) : NULL;
	span_entered *entered = fiber ? xhprof_pool_take(&XHPROF_G(span).pool, sizeof(*entered)) : NULL;
	if (entered) {
		*entered = (span_entered){fiber->entered, span->top, fiber->turn};
		fiber->entered = entered;
		fiber->turn = span->top;
		take_turn_here();
	}
}

static void leave_last(span_fiber *fiber)
{
	span_entered *entered = fiber->entered;
	fiber->entered = entered->below;
	fiber->turn = entered->before;
	xhprof_pool_give(&XHPROF_G(span).pool, entered, sizeof(*entered));
}

void xhprof_span_leave(uint64_t top)
{
	span_fiber *fiber = find_fiber(EG(current_fiber_context));
	const span_entered *entered = fiber ? fiber->entered : NULL;
	while (entered && entered->span != top) {
		entered = entered->below;
	}
	if (entered) {
		const span_entered *below = entered->below;
		while (fiber->entered != below) {
			leave_last(fiber);
		}
		take_turn_here();
	}
}

uint64_t xhprof_span_top(uint64_t number)
{
	const xhprof_span *span = find_span(number);
	return span ? span->top : number;
}

/* Gives a new fiber the span of the code that makes it. */
static void fiber_made(zend_fiber_context *fiber)
{
	uint64_t turn = XHPROF_G(span).count ? xhprof_span_here() : 0;
	span_fiber *new = turn                         ? fiber_of(fiber)
					  : XHPROF_G(span).fibers.used ? find_fiber(fiber) /* of one that was never started */
												   : NULL;
	if (new) {
		new->turn = turn;
	}
}

/* Gives a fiber that starts the span of the one that starts it, unless it has that of the one that made it. */
static void inherit(const zend_fiber_context *from, const zend_fiber_context *to)
{
	const span_fiber *known = find_fiber(from), *own = find_fiber(to);
	uint64_t turn = known && find_span(known->turn) ? known->turn : 0;
	span_fiber *new = turn && !(own && find_span(own->turn)) ? fiber_of(to) : NULL;
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
	return take_turn(find_fiber(to), from, to);
}

static bool fiber_switched(zend_fiber_context *from, zend_fiber_context *to)
{
	return XHPROF_G(span).count && switch_spans(from, to);
}

/* Ends the spans of a fiber that is destroyed, as another fiber may have its address afterwards. */
static void fiber_destroyed(zend_fiber_context *context)
{
	span_fiber *fiber = XHPROF_G(span).fibers.used ? find_fiber(context) : NULL;
	while (fiber && fiber->innermost) {
		const xhprof_span *span = fiber->innermost;
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

static void release(zend_xhprof_globals *globals)
{
	xhprof_pages_unmap(globals->span.open, globals->span.room * sizeof(*globals->span.open));
	globals->span.open = NULL;
	globals->span.room = globals->span.count = globals->span.free = 0;
	xhprof_table_release(&globals->span.fibers);
	xhprof_pool_release(&globals->span.pool);
}

void xhprof_span_rshutdown(void)
{
	if (XHPROF_G(span).dropped) {
		xhprof_log_condition("%" PRIu64 " spans were not profiled, as %u others were open", XHPROF_G(span).dropped,
							 MOST_SPANS);
	}
	XHPROF_G(span).dropped = XHPROF_G(span).marked_epoch = 0;
	XHPROF_G(span).abandoned = 0;
	if (XHPROF_G(span).room) {
		release(ZEND_MODULE_GLOBALS_BULK(xhprof));
	}
	xhprof_recording_rshutdown();
}

void xhprof_span_gshutdown(zend_xhprof_globals *globals)
{
	release(globals);
	xhprof_recording_gshutdown(globals);
}
