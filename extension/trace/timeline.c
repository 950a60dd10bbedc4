#include "timeline.h"

#include <string.h>

/* The first threshold, in ns: shorter than most calls, so that what is doubled drops few of them at first. */
#define LEAST_NS 100

#define DIGIT_BITS 11
#define DIGITS (1u << DIGIT_BITS)

void xhprof_timeline_release(xhprof_timeline *timeline)
{
	xhprof_pages_unmap(timeline->calls, timeline->capacity * sizeof(*timeline->calls));
	xhprof_pages_unmap(timeline->marks, XHPROF_TIMELINE_MARKS * sizeof(*timeline->marks));
	memset(timeline, 0, sizeof(*timeline));
}

bool xhprof_timeline_begin(xhprof_timeline *timeline, uint32_t max_calls)
{
	xhprof_timeline_release(timeline);
	timeline->calls = xhprof_pages_reserve(max_calls * sizeof(*timeline->calls));
	timeline->capacity = timeline->calls ? max_calls : 0;
	timeline->marks = xhprof_pages_reserve(XHPROF_TIMELINE_MARKS * sizeof(*timeline->marks));
	if (!timeline->calls || !timeline->marks) {
		xhprof_timeline_release(timeline);
		return false;
	}
	return true;
}

void xhprof_timeline_start(xhprof_timeline *timeline, const xhprof_clock *clock, uint64_t threshold_ns, uint64_t now)
{
	timeline->asked_ns = threshold_ns;
	timeline->threshold = threshold_ns ? xhprof_clock_from_ns(clock, threshold_ns) : 0;
	timeline->least = xhprof_clock_from_ns(clock, LEAST_NS);
	timeline->start = timeline->end = timeline->fiber_since = now;
}

/* Drops what lasted less than the threshold. */
static void timeline_compact(xhprof_timeline *timeline)
{
	size_t kept = 0;
	for (size_t i = 0; i < timeline->used; i++) {
		if (timeline->calls[i].duration >= timeline->threshold) {
			timeline->calls[kept++] = timeline->calls[i];
		}
	}
	timeline->used = kept;
}

/* Makes room in a full log: a quarter of it at least, so that it is not done for each call. */
static void timeline_make_room(xhprof_timeline *timeline)
{
	while (timeline->used > timeline->capacity / 4 * 3) {
		timeline->threshold = timeline->threshold ? 2 * timeline->threshold : timeline->least;
		timeline->raised++;
		timeline_compact(timeline);
	}
}

void xhprof_timeline_add(xhprof_timeline *timeline, const xhprof_timeline_call *call)
{
	if (timeline->used == timeline->capacity) {
		timeline_make_room(timeline);
		if (call->duration < timeline->threshold) {
			return;
		}
	}
	timeline->calls[timeline->used++] = *call;
}

void xhprof_timeline_moved(xhprof_timeline *timeline, const xhprof_shedding *shedding)
{
	size_t kept = 0;
	for (size_t i = 0; i < timeline->used; i++) {
		const xhprof_timeline_call *call = &timeline->calls[i];
		if (!xhprof_shedding_folded(shedding, call->node)) {
			timeline->calls[kept] = *call;
			timeline->calls[kept++].node = xhprof_shedding_id(shedding, call->node);
		}
	}
	timeline->folded += timeline->used - kept;
	timeline->used = kept;
}

void xhprof_timeline_switch(xhprof_timeline *timeline, uint32_t to, uint64_t now)
{
	uint64_t duration = now - timeline->fiber_since;
	if (duration && duration >= timeline->threshold) {
		xhprof_timeline_add(timeline, &(xhprof_timeline_call){.start = timeline->fiber_since,
															  .duration = duration,
															  .node = XHPROF_TIMELINE_FIBER,
															  .fiber = timeline->fiber});
	}
	timeline->fiber = to;
	timeline->fiber_since = now;
}

uint32_t xhprof_timeline_mark_at(xhprof_timeline *timeline, xhprof_timeline_kind kind, uint32_t value, uint64_t start,
								 uint64_t end)
{
	if (timeline->mark_count == XHPROF_TIMELINE_MARKS) {
		timeline->marks_dropped++;
		return 0;
	}
	timeline->marks[timeline->mark_count++] =
		(xhprof_timeline_mark){.start = start, .end = end, .kind = kind, .value = value};
	return timeline->mark_count;
}

void xhprof_timeline_mark_end(xhprof_timeline *timeline, uint32_t mark, uint64_t end)
{
	timeline->marks[mark - 1].end = end;
}

/* Returns the time of a call's start since that of the profile. Calls that began before it (which happens only if a
 * counter stepped back) are first. */
static uint64_t sort_key(const xhprof_timeline *timeline, uint32_t call)
{
	uint64_t start = timeline->calls[call].start;
	return start > timeline->start ? start - timeline->start : 0;
}

/* Makes one pass of a stable radix sort. */
static void sort_by_digit(const xhprof_timeline *timeline, unsigned shift, const uint32_t *from, uint32_t *to)
{
	uint32_t next[DIGITS] = {0}, sum = 0;
	for (size_t i = 0; i < timeline->used; i++) {
		next[(sort_key(timeline, from[i]) >> shift) % DIGITS]++;
	}
	for (size_t digit = 0; digit < DIGITS; digit++) {
		uint32_t count = next[digit];
		next[digit] = sum;
		sum += count;
	}
	for (size_t i = 0; i < timeline->used; i++) {
		to[next[(sort_key(timeline, from[i]) >> shift) % DIGITS]++] = from[i];
	}
}

uint32_t *xhprof_timeline_order(const xhprof_timeline *timeline, size_t *size)
{
	size_t used = timeline->used;
	uint64_t most = 0;
	*size = (used + 1) * 2 * sizeof(uint32_t);
	uint32_t *order = xhprof_pages_map(*size);
	if (!order) {
		return NULL;
	}
	uint32_t *from = order, *to = order + used + 1;
	for (size_t i = 0; i < used; i++) {
		from[i] = (uint32_t)(used - 1 - i); /* of calls with one start, a caller ends later */
		uint64_t key = sort_key(timeline, from[i]);
		most = key > most ? key : most;
	}
	for (unsigned shift = 0; shift < 64 && most >> shift; shift += DIGIT_BITS) {
		sort_by_digit(timeline, shift, from, to);
		uint32_t *sorted = to;
		to = from;
		from = sorted;
	}
	if (from != order) {
		memcpy(order, from, used * sizeof(*order));
	}
	return order;
}
