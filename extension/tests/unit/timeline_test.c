/* The log of a timeline, with times of the test's own. */
#include "unit.h"

#include "trace/timeline.h"

static xhprof_timeline timeline;
static xhprof_clock a_clock = {.source = XHPROF_CLOCK_MONOTONIC};

static void begin(uint32_t most, uint64_t threshold_ns)
{
	CHECK(xhprof_timeline_begin(&timeline, most));
	xhprof_clock_start(&a_clock, XHPROF_CLOCK_MONOTONIC);
	xhprof_timeline_start(&timeline, &a_clock, threshold_ns, 0);
}

/* As the tracer does: a call that is long enough. */
static void add(uint64_t start, uint64_t duration, uint32_t node)
{
	if (duration < timeline.threshold) {
		return;
	}
	xhprof_timeline_add(&timeline, &(xhprof_timeline_call){.start = start, .duration = duration, .node = node});
}

/* Whether the calls, by start, are of these nodes. */
static bool ordered(const uint32_t *nodes, size_t count)
{
	size_t size;
	uint32_t *order = xhprof_timeline_order(&timeline, &size);
	bool same = order && timeline.used == count;
	for (size_t i = 0; same && i < count; i++) {
		same = timeline.calls[order[i]].node == nodes[i];
	}
	xhprof_pages_unmap(order, size);
	return same;
}

static void order_is_by_start_with_callers_first(void)
{
	begin(100, 0);
	add(10, 5, 3);
	add(10, 40, 2); /* the caller of 3, which began at the same tick */
	add(UINT64_C(1) << 40, 3, 5);
	add(70, 20, 4);
	add(5, UINT64_C(1) << 41, 1);
	CHECK(ordered((uint32_t[]){1, 2, 3, 4, 5}, 5));
	xhprof_timeline_release(&timeline);
	begin(100, 0);
	CHECK(ordered(NULL, 0));
}

static void full_log_drops_the_shortest_and_keeps_the_end(void)
{
	begin(8, 0);
	for (uint32_t i = 1; i <= 100; i++) {
		add(i * 1000, i % 10 ? 500 : 10000 * i, i);
	}
	CHECK(timeline.raised > 0 && timeline.threshold >= timeline.least && timeline.used <= 8);
	CHECK(timeline.calls[timeline.used - 1].node == 100);
	for (size_t i = 0; i < timeline.used; i++) {
		CHECK(timeline.calls[i].duration >= timeline.threshold);
	}
	xhprof_timeline_release(&timeline);
}

static void of_a_full_log_the_shortest_go(void)
{
	begin(8, 0);
	for (uint32_t i = 1; i <= 9; i++) {
		add(i * 100000, i % 3 ? 50 : 40000, i); /* ns */
	}
	CHECK(ordered((uint32_t[]){3, 6, 9}, 3) && timeline.threshold == timeline.least);
	xhprof_timeline_release(&timeline);
}

/* All of them last equally long: no threshold keeps a part of them. */
static void full_log_of_equal_calls_keeps_what_comes(void)
{
	begin(8, 1000);
	uint64_t threshold = timeline.threshold;
	for (uint32_t i = 1; i <= 20; i++) {
		add(i * 100000, 50000, i);
	}
	CHECK(timeline.threshold > threshold && timeline.used <= 8);
	add(3000000, UINT64_C(1) << 50, 99); /* the end of the program, whatever came before */
	CHECK(timeline.calls[timeline.used - 1].node == 99);
	xhprof_timeline_release(&timeline);
}

static void fibers_that_ran_long_enough_are_kept(void)
{
	begin(100, 1000);
	xhprof_timeline_switch(&timeline, 1, 5000000);
	xhprof_timeline_switch(&timeline, 0, 5000001);
	xhprof_timeline_switch(&timeline, 2, 9000000);
	CHECK(timeline.used == 2 && timeline.fiber == 2);
	CHECK(timeline.calls[0].node == XHPROF_TIMELINE_FIBER && timeline.calls[0].fiber == 0 &&
		  timeline.calls[0].duration == 5000000);
	CHECK(timeline.calls[1].fiber == 0 && timeline.calls[1].start == 5000001);
	xhprof_timeline_release(&timeline);
}

static void marks_are_bounded_and_counted(void)
{
	begin(100, 0);
	for (uint32_t i = 0; i < XHPROF_TIMELINE_MARKS; i++) {
		xhprof_timeline_mark_at(&timeline, XHPROF_TIMELINE_GC, i, i, i + 1);
	}
	CHECK(timeline.mark_count == XHPROF_TIMELINE_MARKS && timeline.marks_dropped == 0);
	CHECK(xhprof_timeline_mark_at(&timeline, XHPROF_TIMELINE_GC, 1, 1, 2) == 0 && timeline.marks_dropped == 1);
	xhprof_timeline_release(&timeline);
	begin(100, 0);
	CHECK(timeline.mark_count == 0 && timeline.marks_dropped == 0);
	CHECK(xhprof_timeline_mark_at(&timeline, XHPROF_TIMELINE_SPAN, 1, 1, XHPROF_TIMELINE_OPEN) == 1);
	xhprof_timeline_release(&timeline);
}

static void without_memory_there_is_none(void)
{
	for (int mmaps = 0; mmaps < 2; mmaps++) {
		unit_mmaps = mmaps;
		CHECK(!xhprof_timeline_begin(&timeline, 1000) && !xhprof_timeline_recorded(&timeline));
	}
	unit_mmaps = -1;
	begin(100, 0);
	add(1, 1, 1);
	unit_mmaps = 0;
	size_t size;
	CHECK(!xhprof_timeline_order(&timeline, &size));
	unit_mmaps = -1;
	xhprof_timeline_release(&timeline);
}

int main(void)
{
	xhprof_clock_process_start();
	order_is_by_start_with_callers_first();
	full_log_drops_the_shortest_and_keeps_the_end();
	of_a_full_log_the_shortest_go();
	full_log_of_equal_calls_keeps_what_comes();
	fibers_that_ran_long_enough_are_kept();
	marks_are_bounded_and_counted();
	without_memory_there_is_none();
	return unit_end();
}
