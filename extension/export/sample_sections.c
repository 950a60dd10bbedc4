#include "sample_sections.h"

enum sample_field { SAMPLE_FIRST, SAMPLE_COUNT, SAMPLE_NODE, SAMPLE_LINE, SAMPLE_CONTEXT, SAMPLE_FIELDS };

static int64_t sample_value(const xhprof_sample_run *run, enum sample_field field, const uint32_t *places)
{
	switch (field) {
		case SAMPLE_FIRST:
			return (int64_t)run->first;
		case SAMPLE_COUNT:
			return (int64_t)run->count;
		case SAMPLE_NODE:
			return places[run->node->id];
		case SAMPLE_CONTEXT:
			return run->context;
		default:
			return run->line;
	}
}

static void sample_values(void *from, unsigned field, size_t first, size_t count, int64_t *values)
{
	const xhprof_sample_sections *sections = from;
	const xhprof_sample_run *runs = sections->tracer->samples.runs + first;
	for (size_t i = 0; i < count; i++) {
		values[i] = sample_value(&runs[i], (enum sample_field)field, sections->places);
	}
}

static void samples_head(xhprof_json *json, const void *from)
{
	const xhprof_tracer *tracer = ((const xhprof_sample_sections *)from)->tracer;
	xhprof_json_uint(json, "interval_us", tracer->sample_interval_us);
	xhprof_json_text(json, "clock", xhprof_sample_clock_name(tracer->samples.clock));
	xhprof_json_uint(json, "start_us", tracer->sample_epoch_us);
}

void xhprof_sample_sections_add(xhprof_sample_sections *sections, const xhprof_tracer *tracer, const uint32_t *places,
								xhprof_run_file *file)
{
	static const char *const names[SAMPLE_FIELDS] = {"t", "n", "node", "line", "context"};
	const xhprof_sample_log *log = &tracer->samples;
	*sections = (xhprof_sample_sections){tracer, places};
	xhprof_run_file_document(file, "samples", samples_head, sections);
	for (unsigned field = SAMPLE_FIRST; field < SAMPLE_FIELDS; field++) {
		if ((field != SAMPLE_LINE || log->lines) && (field != SAMPLE_CONTEXT || tracer->contexts.count)) {
			xhprof_run_file_values(file, names[field], log->used, sample_values, sections, field);
		}
	}
}
