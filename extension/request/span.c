#include "span.h"

#include "auto_profile.h"
#include "heap_condition.h"

#include "base/arena.h"
#include "export/run_save.h"
#include "hook/alloc_tracking.h"
#include "hook/session.h"

#include "zend_fibers.h"

typedef struct xhprof_span {
	uint64_t number;
	const zend_fiber_context *fiber;
	size_t depth; /* number of calls of that fiber around its begin */
	bool by_object;
	uint64_t epoch; /* of the profile whose timeline has it, as this mark; or 0 */
	uint32_t mark;
	char saved[XHPROF_RUN_ID_LENGTH + 1]; /* its run, if another fiber's has ended it; or "" */
	struct xhprof_counting *counting;     /* if that has cut it: a window counts it to its end; or NULL */
	uint64_t within;                      /* epoch of the profile, not its own, of which it is a job; or 0 */
	uint32_t marks;                       /* in that one's memory when it began */
	uint32_t job;                         /* id of the symbol there with its name; 0: not known */
} xhprof_span;

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
	bool busy = xhprof_session_busy();
	if (busy) {
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

/* Returns the index of this span, or `count`. */
static uint32_t place_of(uint64_t number)
{
	uint32_t i = 0;
	while (i < XHPROF_G(span).count && XHPROF_G(span).open[i].number != number) {
		i++;
	}
	return i;
}

/* Returns the innermost span of this fiber, or NULL. */
static xhprof_span *innermost_span(const zend_fiber_context *fiber)
{
	for (uint32_t i = XHPROF_G(span).count; i-- > 0;) {
		if (XHPROF_G(span).open[i].fiber == fiber) {
			return &XHPROF_G(span).open[i];
		}
	}
	return NULL;
}

static void remove_span(uint32_t place)
{
	xhprof_span *open = XHPROF_G(span).open;
	memmove(open + place, open + place + 1, (--XHPROF_G(span).count - place) * sizeof(*open));
}

static xhprof_span *push_span(void)
{
	uint32_t room = XHPROF_G(span).room;
	if (XHPROF_G(span).count == room) {
		uint32_t more = room ? 2 * room : 64;
		xhprof_span *open = xhprof_pages_map(more * sizeof(*open));
		if (!open) {
			return NULL;
		}
		if (room) {
			memcpy(open, XHPROF_G(span).open, room * sizeof(*open));
			xhprof_pages_unmap(XHPROF_G(span).open, room * sizeof(*open));
		}
		XHPROF_G(span).open = open;
		XHPROF_G(span).room = more;
	}
	xhprof_span *span = &XHPROF_G(span).open[XHPROF_G(span).count++];
	memset(span, 0, sizeof(*span));
	return span;
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

static void mark_end(const xhprof_span *span)
{
	xhprof_tracer *tracer = &XHPROF_G(tracer);
	if (span->epoch == tracer->epoch && xhprof_tracer_in_timeline(tracer)) {
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

/* Ends a span, and the later spans of its fiber, which lie within it. Returns the id of its run, or NULL. */
static const char *end_with_profile(uint32_t place, const char *ended_by)
{
	xhprof_span span = XHPROF_G(span).open[place];
	for (uint32_t i = XHPROF_G(span).count; i-- > place;) {
		if (XHPROF_G(span).open[i].fiber == span.fiber) {
			mark_end(&XHPROF_G(span).open[i]);
			remove_span(i);
		}
	}
	end_job(&span);
	if (span.number == XHPROF_G(span).profiled) {
		XHPROF_G(span).profiled = 0;
		xhprof_auto_end(ended_by);
		xhprof_auto_go_on();
		return *XHPROF_G(automatic).saved ? XHPROF_G(automatic).saved
										  : NULL; /* or it was when the program started its own */
	}
	if (span.counting) {
		xhprof_auto_end_cut(span.counting);
	}
	xhprof_auto_go_on();
	memcpy(XHPROF_G(span).saved, span.saved, sizeof(span.saved));
	return *span.saved ? XHPROF_G(span).saved : NULL;
}

static const char *end_at(uint32_t place, const char *ended_by)
{
	uint64_t number = XHPROF_G(span).open[place].number;
	const char *id = end_with_profile(place, ended_by);
	xhprof_heap_condition_end_span(number);
	return id;
}

const char *xhprof_span_end(uint64_t number)
{
	uint32_t place = place_of(number);
	return place < XHPROF_G(span).count ? end_at(place, NULL) : NULL;
}

const char *xhprof_span_end_last(void)
{
	for (uint32_t i = XHPROF_G(span).count; i-- > 0;) {
		const xhprof_span *span = &XHPROF_G(span).open[i];
		if (span->fiber == EG(current_fiber_context) && !span->by_object) {
			return end_at(i, NULL);
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
static void end_abandoned(const zend_fiber_context *fiber, size_t depth)
{
	const xhprof_span *span;
	while ((span = innermost_span(fiber)) && !span->by_object && span->depth >= depth) {
		end_at(place_of(span->number), "span");
		XHPROF_G(span).abandoned++;
	}
}

/* Ends the profile of another fiber's span, as one runs at a time: it is that span's run. */
static void end_others(void)
{
	struct xhprof_counting *counting = xhprof_auto_cut();
	uint32_t place = XHPROF_G(span).profiled ? place_of(XHPROF_G(span).profiled) : XHPROF_G(span).count;
	if (place < XHPROF_G(span).count) {
		memcpy(XHPROF_G(span).open[place].saved, XHPROF_G(automatic).saved, sizeof(XHPROF_G(automatic).saved));
		XHPROF_G(span).open[place].counting = counting;
	}
	XHPROF_G(span).profiled = 0;
}

static bool begin_profile(const char *function, const zend_string *name, const smart_str *json, double rate)
{
	xhprof_auto_start start = {
		.start = "span", .name = ZSTR_VAL(name), .name_length = ZSTR_LEN(name), .sample_rate = rate};
	if (json->s) {
		start.meta = ZSTR_VAL(json->s);
		start.meta_length = ZSTR_LEN(json->s);
	}
	return (!start.meta || !is_refused(function)) && /* by a jsonSerialize() */
		   xhprof_auto_begin(&start);
}

/* Begins the profile of a span. One runs at a time, whichever fiber runs: it has what others do meanwhile. */
static void begin_own(const zend_fiber_context *fiber)
{
	xhprof_table_clear(&XHPROF_G(span).own);
	xhprof_table_put(&XHPROF_G(span).own, (uintptr_t)fiber, &XHPROF_G(span));
}

uint64_t xhprof_span_begin(const char *function, const zend_string *name, zval *meta, bool by_object, bool *profiled)
{
	const zend_fiber_context *fiber = EG(current_fiber_context);
	smart_str json = {0};
	double rate;
	*profiled = false;
	if (XHPROF_G(session).over) {
		zend_error(E_WARNING, "%s(): The request is over", function);
		return 0;
	}
	if (!is_on() && !is_ordered() && !xhprof_heap_condition_wanted()) {
		return 0;
	}
	size_t depth = depth_of_caller();
	end_abandoned(fiber, depth);
	bool within = innermost_span(fiber) != NULL;
	xhprof_span *span = push_span();
	if (!span) {
		return 0;
	}
	uint64_t number = span->number = ++XHPROF_G(span).last;
	span->fiber = fiber;
	span->depth = depth;
	span->by_object = by_object;
	xhprof_heap_condition_begin_span(number, name);
	bool is_part = is_ordered() || xhprof_session_is_owned_by(XHPROF_BY_PROGRAM);
	if (within || is_part) {
		mark_begin(span, name);
	}
	if (!within && is_part) {
		begin_job(span, name);
	}
	if (within || is_ordered() || !is_on()) {
		return number;
	}
	end_others(); /* and the time before the first one, which is a run of its own */
	if (is_refused(function)) {
		return number;
	}
	xhprof_auto_take_trigger();
	if (!is_wanted(&rate)) {
		return number;
	}
	if (!xhprof_run_encode_meta(function, meta, &json)) {
		xhprof_span_end(number);
		return 0;
	}
	if (begin_profile(function, name, &json, rate)) {
		XHPROF_G(span).profiled = number;
		begin_own(fiber);
		*profiled = true;
	}
	smart_str_free(&json);
	return number;
}

static bool is_own(const zend_fiber_context *fiber)
{
	return xhprof_table_find(&XHPROF_G(span).own, (uintptr_t)fiber);
}

static void fiber_switched(zend_fiber_context *from, zend_fiber_context *to)
{
	if (!XHPROF_G(span).profiled || !is_own(from)) {
		return;
	}
	if (to->status == ZEND_FIBER_STATUS_INIT) {
		xhprof_table_put(&XHPROF_G(span).own, (uintptr_t)to, &XHPROF_G(span));
	} else if (!is_own(to)) {
		xhprof_auto_mix();
	}
}

/* Ends the spans of a fiber that is destroyed, as another fiber may have its address afterwards. */
static void fiber_destroyed(zend_fiber_context *fiber)
{
	xhprof_table_remove(&XHPROF_G(span).own, (uintptr_t)fiber);
	const xhprof_span *span;
	while (XHPROF_G(span).count && (span = innermost_span(fiber))) {
		end_at(place_of(span->number), "fiber");
	}
}

void xhprof_span_minit(void)
{
	zend_observer_fiber_switch_register(fiber_switched);
	zend_observer_fiber_destroy_register(fiber_destroyed);
}

void xhprof_span_rshutdown(void)
{
	XHPROF_G(span).count = XHPROF_G(span).abandoned = 0;
	XHPROF_G(span).profiled = XHPROF_G(span).marked_epoch = 0;
}

void xhprof_span_gshutdown(zend_xhprof_globals *globals)
{
	xhprof_pages_unmap(globals->span.open, globals->span.room * sizeof(xhprof_span));
	globals->span.open = NULL;
	globals->span.room = 0;
	xhprof_table_release(&globals->span.own);
}
