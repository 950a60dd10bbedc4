#include "session_part.h"

#include "heap_peak.h"
#include "sampler.h"

#include "base/pool.h"
#include "trace/fiber_calls.h"
#include "trace/parked.h"

#include "zend_fibers.h"

/* The memory of a part that the next one may take over, and how many of such are kept. */
#define KEPT_BYTES ((size_t)256 * 1024)
#define KEPT_PARTS 16

struct xhprof_session_part {
	xhprof_parked parked;
	/* Of a sampled one. */
	uint64_t started_ns, parked_ns, away_ns; /* CLOCK_MONOTONIC, and for how long it was parked */
	uint64_t cpu_ns;                         /* CPU time until it was parked */
	xhprof_session_part *next_free;
};

#define PARTS XHPROF_G(session).parts

static xhprof_tracer *tracer_now(void)
{
	return &XHPROF_G(tracer);
}

/* Returns an empty part; NULL without memory. */
static xhprof_session_part *take_part(void)
{
	xhprof_session_part *part = PARTS.free;
	if (part) {
		PARTS.free = part->next_free;
		PARTS.free_count--;
	} else {
		part = xhprof_pages_map(sizeof(*part));
	}
	return part;
}

/* Frees a part that has nothing, or only memory for the next one. */
static void give_part(xhprof_session_part *part)
{
	if (PARTS.free_count < KEPT_PARTS) {
		part->next_free = PARTS.free;
		PARTS.free = part;
		PARTS.free_count++;
		return;
	}
	xhprof_parked_release(&part->parked);
	xhprof_pages_unmap(part, sizeof(*part));
}

bool xhprof_session_part_possible(void)
{
	bool exact = XHPROF_G(session).state == XHPROF_TRACING;
	return (exact || XHPROF_G(session).state == XHPROF_SAMPLING) && !(tracer_now()->flags & XHPROF_TRACE_ALLOC) &&
		   !tracer_now()->tree.requests && !XHPROF_G(session).locked;
}

/* Returns whether PHP's counter of the peak is set anew for each part, so that none has what others use. */
static bool has_peaks(const xhprof_tracer *tracer)
{
	return tracer->flags & XHPROF_TRACE_MEMORY && !tracer->refresh_heap && xhprof_tracer_running(tracer);
}

/* Begins a part in the tracer, which has none. False without memory: it has none then. */
static bool begin_part(xhprof_session_part *part)
{
	xhprof_tracer *tracer = tracer_now();
	xhprof_parked_take(&part->parked, tracer); /* its memory, of an earlier one */
	if (!xhprof_tracer_begin_part(tracer)) {
		xhprof_parked_drop(tracer, 0);
		part->parked = (xhprof_parked){.top = NULL};
		return false;
	}
	part->started_ns = xhprof_clock_monotonic_ns();
	part->away_ns = part->cpu_ns = part->parked.away = 0;
	xhprof_sampler_cpu_begin(part->started_ns);
	if (has_peaks(tracer)) {
		tracer->last_size = tracer->last_peak = tracer->heap->size;
		xhprof_heap_peak_of_part();
	}
	xhprof_tracer_start_part(tracer);
	return true;
}

/* Lets a part go on with its times and its memory: the growth of others' is not its own. */
static void go_on(xhprof_session_part *part)
{
	xhprof_tracer *tracer = tracer_now();
	xhprof_parked *parked = &part->parked;
	xhprof_parked_take(parked, tracer);
	if (has_peaks(tracer)) {
		size_t size = tracer->heap->size, grown = size - parked->size; /* modulo 2^64 */
		tracer->last_peak = parked->peak + grown;
		tracer->last_size = size;
		xhprof_heap_peak_of_part();
	}
	if (!xhprof_tracer_running(tracer)) {
		uint64_t now = xhprof_clock_monotonic_ns();
		part->away_ns += now - part->parked_ns;
		xhprof_sampler_cpu_begin(now);
	}
}

static xhprof_session_part *part_now(void)
{
	return PARTS.now ? PARTS.now : PARTS.idle;
}

/* Parks the part that runs. False without memory: nothing has changed. */
static bool leave(const void *from)
{
	xhprof_tracer *tracer = tracer_now();
	xhprof_session_part *part = part_now();
	if (!xhprof_tracer_running(tracer)) {
		part->parked_ns = xhprof_clock_monotonic_ns();
		part->cpu_ns += xhprof_sampler_cpu_end(part->parked_ns);
		xhprof_sampler_settle(part->parked_ns);
	} else if (!xhprof_fiber_calls_leave(tracer, from)) {
		return false;
	}
	xhprof_parked_put(&part->parked, tracer);
	return true;
}

static void enter(xhprof_session_part *part, const void *to)
{
	go_on(part);
	PARTS.now = part == PARTS.idle ? NULL : part;
	if (xhprof_tracer_running(tracer_now())) {
		xhprof_fiber_calls_enter(tracer_now(), to);
	}
}

/* Makes the part of what belongs to none, and parks it, as the tracer has no part. False without memory. */
static bool make_idle(void)
{
	xhprof_session_part *idle = PARTS.idle ? PARTS.idle : take_part();
	if (!idle || PARTS.idle) {
		return idle;
	}
	if (!begin_part(idle)) {
		give_part(idle);
		return false;
	}
	xhprof_fiber_calls_drop(tracer_now());
	idle->parked_ns = idle->started_ns;
	xhprof_parked_put(&idle->parked, tracer_now());
	PARTS.idle = idle;
	return true;
}

xhprof_session_part *xhprof_session_part_begin(void)
{
	const void *fiber = EG(current_fiber_context);
	xhprof_session_part *part = take_part(), *before = part_now();
	if (!part) {
		return NULL;
	}
	part->started_ns = PARTS.count ? 0 : xhprof_sampler_started_ns();
	part->away_ns = part->cpu_ns = part->parked.away = 0;
	if (PARTS.count) {
		if (!leave(fiber)) {
			give_part(part);
			return NULL;
		}
		if (!make_idle() || !begin_part(part)) {
			enter(before, fiber);
			give_part(part);
			return NULL;
		}
		if (xhprof_tracer_running(tracer_now())) {
			xhprof_tracer_skip(tracer_now());
		}
	}
	tracer_now()->parted = true;
	PARTS.now = part;
	PARTS.count++;
	return part;
}

bool xhprof_session_part_switch(xhprof_session_part *part, const void *from, const void *to)
{
	xhprof_session_part *before = part_now();
	if (!PARTS.count || part == PARTS.now || !leave(from)) {
		return false;
	}
	bool may = part || make_idle();
	part = part ? part : PARTS.idle;
	enter(may ? part : before, may ? to : from);
	return may;
}

uint64_t xhprof_session_part_suspended(const xhprof_session_part *part)
{
	return xhprof_tracer_running(tracer_now()) ? xhprof_clock_to_ns_now(&tracer_now()->clock, part->parked.away)
											   : part->away_ns;
}

bool xhprof_session_part_is_one_of_many(void)
{
	return PARTS.count > 1 && PARTS.now;
}

/* Returns for how long a sampled part has run until `now`, ns. */
static uint64_t own_time(const xhprof_session_part *part, uint64_t now)
{
	return now - part->started_ns - part->away_ns;
}

void xhprof_session_part_halt(void)
{
	xhprof_tracer *tracer = tracer_now();
	PARTS.stopped = XHPROF_G(session).state;
	if (PARTS.stopped == XHPROF_TRACING) {
		xhprof_tracer_halt_part(tracer);
	} else {
		uint64_t now = xhprof_clock_monotonic_ns();
		uint64_t cpu_ns = PARTS.now->cpu_ns + xhprof_sampler_cpu_end(now);
		xhprof_sampler_settle(now);
		xhprof_tracer_stop_sampling(tracer, own_time(PARTS.now, now));
		tracer->thread_cpu_ns = cpu_ns;
		tracer->elapsed_ns += PARTS.now->away_ns;
	}
	XHPROF_G(session).state = XHPROF_STOPPED;
}

void xhprof_session_part_last(void)
{
	xhprof_tracer *tracer = tracer_now();
	if (PARTS.now && tracer->sample_interval_us) {
		tracer->duration_ns = own_time(PARTS.now, xhprof_sampler_stopped_ns());
		tracer->thread_cpu_ns += PARTS.now->cpu_ns;
		tracer->elapsed_ns = tracer->duration_ns + PARTS.now->away_ns;
	}
}

void xhprof_session_part_drop(void)
{
	xhprof_tracer *tracer = tracer_now();
	xhprof_session_part *part = PARTS.now;
	xhprof_parked_drop(tracer, KEPT_BYTES);
	xhprof_parked_put(&part->parked, tracer);
	give_part(part);
	PARTS.count--;
	XHPROF_G(session).state = PARTS.stopped;
	if (PARTS.stopped == XHPROF_TRACING) {
		xhprof_tracer_resume(tracer);
	}
	PARTS.stopped = XHPROF_IDLE;
	enter(PARTS.idle, EG(current_fiber_context));
}

void xhprof_session_part_end_all(void)
{
	xhprof_session_part *idle = PARTS.idle, *last = PARTS.now;
	PARTS.idle = PARTS.now = NULL;
	PARTS.count = 0;
	if (idle) {
		xhprof_tracer *tracer = tracer_now();
		xhprof_parked now = {.top = NULL};
		xhprof_parked_put(&now, tracer);
		xhprof_parked_take(&idle->parked, tracer);
		xhprof_parked_drop(tracer, KEPT_BYTES);
		xhprof_parked_put(&idle->parked, tracer);
		xhprof_parked_take(&now, tracer);
		give_part(idle);
	}
	if (last) {
		last->parked = (xhprof_parked){.top = NULL}; /* the tracer has what was its */
		give_part(last);
	}
}

void xhprof_session_part_gshutdown(zend_xhprof_globals *globals)
{
	while (globals->session.parts.free) {
		xhprof_session_part *part = globals->session.parts.free;
		globals->session.parts.free = part->next_free;
		xhprof_parked_release(&part->parked);
		xhprof_pages_unmap(part, sizeof(*part));
	}
}
