#include "context_sections.h"

static const char *trace_of(void *from, size_t place, size_t *length)
{
	xhprof_context_sections *sections = from;
	const xhprof_trace_ids *ids = &sections->tracer->contexts.all[place];
	xhprof_trace_id_text(sections->trace, ids->trace, sizeof(ids->trace));
	*length = XHPROF_TRACE_ID_LENGTH;
	return sections->trace;
}

static const char *span_of(void *from, size_t place, size_t *length)
{
	xhprof_context_sections *sections = from;
	const xhprof_trace_ids *ids = &sections->tracer->contexts.all[place];
	xhprof_trace_id_text(sections->span, ids->span, sizeof(ids->span));
	*length = XHPROF_SPAN_ID_LENGTH;
	return sections->span;
}

static void contexts_head(xhprof_json *json, const void *from)
{
	const xhprof_tracer *tracer = ((const xhprof_context_sections *)from)->tracer;
	xhprof_json_uint(json, "dropped", tracer->contexts.dropped + tracer->operations.in_dropped);
}

void xhprof_context_sections_add(xhprof_context_sections *sections, const xhprof_tracer *tracer, xhprof_run_file *file)
{
	sections->tracer = tracer;
	xhprof_run_file_document(file, "contexts", contexts_head, sections);
	xhprof_run_file_texts(file, "trace_id", tracer->contexts.count, trace_of, sections);
	xhprof_run_file_texts(file, "span_id", tracer->contexts.count, span_of, sections);
}
