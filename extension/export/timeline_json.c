#include "timeline_json.h"

#include "json_layout.h"

/* What is needed to write a number of a call. */
typedef struct timeline_view {
	const xhprof_tracer *tracer;
	const xhprof_timeline *timeline;
	const uint32_t *order;  /* calls by start */
	const uint32_t *places; /* of nodes, by id */
	xhprof_json *json;
} timeline_view;

typedef uint64_t (*call_field)(const timeline_view *view, const xhprof_timeline_call *call);

/* ns since the start. A callee never ends after its caller, as it might with a rounded duration. */
static uint64_t time_of(const timeline_view *view, uint64_t ticks)
{
	uint64_t start = view->timeline->start;
	return ticks > start ? xhprof_clock_to_ns(&view->tracer->clock, ticks - start) : 0;
}

static uint64_t lasting(const timeline_view *view, uint64_t start, uint64_t end)
{
	return end > start ? time_of(view, end) - time_of(view, start) : 0;
}

static uint64_t call_start(const timeline_view *view, const xhprof_timeline_call *call)
{
	return time_of(view, call->start);
}

static uint64_t call_duration(const timeline_view *view, const xhprof_timeline_call *call)
{
	return lasting(view, call->start, call->start + call->duration);
}

static uint64_t call_node(const timeline_view *view, const xhprof_timeline_call *call)
{
	return view->places[call->node];
}

static uint64_t call_fiber(const timeline_view *view, const xhprof_timeline_call *call)
{
	(void)view;
	return call->fiber;
}

static uint64_t call_memory(const timeline_view *view, const xhprof_timeline_call *call)
{
	(void)view;
	return call->memory > 0 ? (uint64_t)call->memory : 0;
}

/* A column of the calls, or of the times that fibers ran. */
static void json_calls(const timeline_view *view, const char *name, bool fibers, call_field field)
{
	xhprof_json_line(view->json);
	xhprof_json_open_member(view->json, name, '[');
	for (size_t i = 0; i < view->timeline->used; i++) {
		const xhprof_timeline_call *call = &view->timeline->calls[view->order[i]];
		if ((call->node == XHPROF_TIMELINE_FIBER) == fibers) {
			xhprof_json_item(view->json);
			xhprof_write_uint(view->json->writer, field(view, call));
		}
	}
	xhprof_json_close(view->json, ']');
}

static void json_fibers(const timeline_view *view)
{
	xhprof_json_line(view->json);
	xhprof_json_open_member(view->json, "fibers", '{');
	json_calls(view, "t", true, call_start);
	json_calls(view, "d", true, call_duration);
	json_calls(view, "fiber", true, call_fiber);
	xhprof_json_close(view->json, '}');
}

enum mark_field { MARK_START, MARK_DURATION, MARK_VALUE, MARK_FIELDS };

static uint64_t mark_value(const timeline_view *view, const xhprof_timeline_mark *mark, enum mark_field field)
{
	switch (field) {
		case MARK_START:
			return time_of(view, mark->start);
		case MARK_DURATION:
			return lasting(view, mark->start, mark->end);
		default: /* symbols have ids from 1, names indexes from 0 */
			return mark->kind == XHPROF_TIMELINE_SPAN ? mark->value - 1 : mark->value;
	}
}

/* The marks of one kind, if there are any. */
static void json_marks(const timeline_view *view, xhprof_timeline_kind kind, const char *name, const char *value)
{
	const char *const names[MARK_FIELDS] = {"t", "d", value};
	const xhprof_timeline *timeline = view->timeline;
	bool any = false;
	for (uint32_t i = 0; i < timeline->mark_count; i++) {
		any |= timeline->marks[i].kind == (uint32_t)kind;
	}
	if (!any) {
		return;
	}
	xhprof_json_line(view->json);
	xhprof_json_open_member(view->json, name, '{');
	for (int field = MARK_START; field < MARK_FIELDS; field++) {
		xhprof_json_open_member(view->json, names[field], '[');
		for (uint32_t i = 0; i < timeline->mark_count; i++) {
			if (timeline->marks[i].kind == (uint32_t)kind) {
				xhprof_json_item(view->json);
				xhprof_write_uint(view->json->writer, mark_value(view, &timeline->marks[i], (enum mark_field)field));
			}
		}
		xhprof_json_close(view->json, ']');
	}
	xhprof_json_close(view->json, '}');
}

static void json_head(const timeline_view *view)
{
	const xhprof_timeline *timeline = view->timeline;
	xhprof_json *json = view->json;
	xhprof_json_uint(json, "v", 1);
	xhprof_json_text(json, "kind", "timeline");
	xhprof_json_text(json, "unit", "ns");
	xhprof_json_uint(json, "duration", time_of(view, timeline->end));
	xhprof_json_uint(json, "asked_threshold", timeline->asked_ns);
	xhprof_json_uint(json, "threshold",
					 timeline->raised ? xhprof_clock_to_ns(&view->tracer->clock, timeline->threshold)
									  : timeline->asked_ns);
	xhprof_json_uint(json, "raised", timeline->raised);
	xhprof_json_uint(json, "folded", timeline->folded);
	xhprof_json_uint(json, "marks_dropped", timeline->marks_dropped);
}

bool xhprof_timeline_json(const xhprof_tracer *tracer, const uint32_t *places, xhprof_writer *writer)
{
	xhprof_json document = {.writer = writer, .first = true};
	const xhprof_timeline *timeline = &tracer->timeline;
	size_t order_size;
	uint32_t *order = xhprof_timeline_order(timeline, &order_size);
	if (!order) {
		return false;
	}
	timeline_view view = {tracer, timeline, order, places, &document};
	xhprof_json_open(&document, '{');
	json_head(&view);
	json_calls(&view, "t", false, call_start);
	json_calls(&view, "d", false, call_duration);
	json_calls(&view, "node", false, call_node);
	if (tracer->flags & XHPROF_TRACE_MEMORY) {
		json_calls(&view, "memory", false, call_memory);
	}
	if (timeline->fibers) {
		json_calls(&view, "fiber", false, call_fiber);
		json_fibers(&view);
	}
	json_marks(&view, XHPROF_TIMELINE_GC, "gc", "freed");
	json_marks(&view, XHPROF_TIMELINE_ALLOC_MARK, "alloc_marks", "mark");
	json_marks(&view, XHPROF_TIMELINE_SPAN, "spans", "name");
	xhprof_json_close(&document, '}');
	xhprof_write_string(writer, "\n");
	xhprof_pages_unmap(order, order_size);
	return true;
}
