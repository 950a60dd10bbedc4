#include "timeline_sections.h"

/* Returns a time in ns since the start. Ends are converted, not durations: with rounded ones a callee might end after
 * its caller. */
static uint64_t time_of(const xhprof_timeline_sections *sections, uint64_t ticks)
{
	uint64_t start = sections->tracer->timeline.start;
	return ticks > start ? xhprof_clock_to_ns(&sections->tracer->clock, ticks - start) : 0;
}

static uint64_t lasting(const xhprof_timeline_sections *sections, uint64_t start, uint64_t end)
{
	return end > start ? time_of(sections, end) - time_of(sections, start) : 0;
}

enum call_field { CALL_START, CALL_DURATION, CALL_NODE, CALL_MEMORY, CALL_FIBER };

static int64_t call_value(const xhprof_timeline_sections *sections, const xhprof_timeline_call *call,
						  enum call_field field)
{
	switch (field) {
		case CALL_START:
			return (int64_t)time_of(sections, call->start);
		case CALL_DURATION:
			return (int64_t)lasting(sections, call->start, call->start + call->duration);
		case CALL_NODE:
			return sections->places[call->node];
		case CALL_MEMORY:
			return call->memory > 0 ? call->memory : 0;
		default:
			return call->fiber;
	}
}

/* Gives the next calls in order of start, or the next times that fibers ran. */
static void next_values(xhprof_timeline_sections *sections, bool fibers, unsigned field, size_t first, size_t count,
						int64_t *values)
{
	const xhprof_timeline *timeline = &sections->tracer->timeline;
	sections->next = first ? sections->next : 0;
	for (size_t i = 0; i < count;) {
		const xhprof_timeline_call *call = &timeline->calls[sections->order[sections->next++]];
		if ((call->node == XHPROF_TIMELINE_FIBER) == fibers) {
			values[i++] = call_value(sections, call, (enum call_field)field);
		}
	}
}

static void call_values(void *from, unsigned field, size_t first, size_t count, int64_t *values)
{
	next_values(from, false, field, first, count, values);
}

static void fiber_values(void *from, unsigned field, size_t first, size_t count, int64_t *values)
{
	next_values(from, true, field, first, count, values);
}

enum mark_field { MARK_START, MARK_DURATION, MARK_VALUE, MARK_FIELDS };

static int64_t mark_value(const xhprof_timeline_sections *sections, const xhprof_timeline_mark *mark,
						  enum mark_field field)
{
	switch (field) {
		case MARK_START:
			return (int64_t)time_of(sections, mark->start);
		case MARK_DURATION:
			return (int64_t)lasting(sections, mark->start, mark->end);
		default: /* symbols have ids from 1, names indexes from 0 */
			return mark->kind == XHPROF_TIMELINE_SPAN ? (int64_t)mark->value - 1 : mark->value;
	}
}

/* Gives a field of the marks of one kind. `field`: kind * MARK_FIELDS + a mark_field. */
static void mark_values(void *from, unsigned field, size_t first, size_t count, int64_t *values)
{
	xhprof_timeline_sections *sections = from;
	const xhprof_timeline_mark *marks = sections->tracer->timeline.marks;
	sections->next = first ? sections->next : 0;
	for (size_t i = 0; i < count;) {
		const xhprof_timeline_mark *mark = &marks[sections->next++];
		if (mark->kind == field / MARK_FIELDS) {
			values[i++] = mark_value(sections, mark, (enum mark_field)(field % MARK_FIELDS));
		}
	}
}

static void add_marks(xhprof_timeline_sections *sections, xhprof_run_file *file)
{
	static const char *const names[XHPROF_TIMELINE_KINDS][MARK_FIELDS] = {
		[XHPROF_TIMELINE_GC] = {"gc.t", "gc.d", "gc.freed"},
		[XHPROF_TIMELINE_ALLOC_MARK] = {"alloc_marks.t", "alloc_marks.d", "alloc_marks.mark"},
		[XHPROF_TIMELINE_SPAN] = {"spans.t", "spans.d", "spans.name"},
	};
	const xhprof_timeline *timeline = &sections->tracer->timeline;
	for (unsigned kind = 0; kind < XHPROF_TIMELINE_KINDS; kind++) {
		size_t count = 0;
		for (uint32_t i = 0; i < timeline->mark_count; i++) {
			count += timeline->marks[i].kind == kind;
		}
		for (unsigned field = 0; count && field < MARK_FIELDS; field++) {
			xhprof_run_file_values(file, names[kind][field], count, mark_values, sections, kind * MARK_FIELDS + field);
		}
	}
}

static void timeline_head(xhprof_json *json, const void *from)
{
	const xhprof_timeline_sections *sections = from;
	const xhprof_timeline *timeline = &sections->tracer->timeline;
	xhprof_json_text(json, "unit", "ns");
	xhprof_json_uint(json, "duration", time_of(sections, timeline->end));
	xhprof_json_uint(json, "asked_threshold", timeline->asked_ns);
	xhprof_json_uint(json, "threshold",
					 timeline->raised ? xhprof_clock_to_ns(&sections->tracer->clock, timeline->threshold)
									  : timeline->asked_ns);
	xhprof_json_uint(json, "raised", timeline->raised);
	xhprof_json_uint(json, "folded", timeline->folded);
	xhprof_json_uint(json, "marks_dropped", timeline->marks_dropped);
}

static void add_calls(xhprof_timeline_sections *sections, size_t calls, xhprof_run_file *file)
{
	const xhprof_tracer *tracer = sections->tracer;
	size_t fibers = tracer->timeline.used - calls;
	xhprof_run_file_values(file, "t", calls, call_values, sections, CALL_START);
	xhprof_run_file_values(file, "d", calls, call_values, sections, CALL_DURATION);
	xhprof_run_file_values(file, "node", calls, call_values, sections, CALL_NODE);
	if (tracer->flags & XHPROF_TRACE_MEMORY) {
		xhprof_run_file_values(file, "memory", calls, call_values, sections, CALL_MEMORY);
	}
	if (tracer->timeline.fibers) {
		xhprof_run_file_values(file, "fiber", calls, call_values, sections, CALL_FIBER);
		xhprof_run_file_values(file, "fibers.t", fibers, fiber_values, sections, CALL_START);
		xhprof_run_file_values(file, "fibers.d", fibers, fiber_values, sections, CALL_DURATION);
		xhprof_run_file_values(file, "fibers.fiber", fibers, fiber_values, sections, CALL_FIBER);
	}
}

bool xhprof_timeline_sections_add(xhprof_timeline_sections *sections, const xhprof_tracer *tracer,
								  const uint32_t *places, xhprof_run_file *file)
{
	const xhprof_timeline *timeline = &tracer->timeline;
	*sections = (xhprof_timeline_sections){.tracer = tracer, .places = places};
	sections->order = xhprof_timeline_order(timeline, &sections->order_size);
	if (!sections->order) {
		return false;
	}
	size_t calls = 0;
	for (size_t i = 0; i < timeline->used; i++) {
		calls += timeline->calls[i].node != XHPROF_TIMELINE_FIBER;
	}
	xhprof_run_file_document(file, "timeline", timeline_head, sections);
	add_calls(sections, calls, file);
	add_marks(sections, file);
	return true;
}

void xhprof_timeline_sections_release(xhprof_timeline_sections *sections)
{
	xhprof_pages_unmap(sections->order, sections->order_size);
	sections->order = NULL;
}
