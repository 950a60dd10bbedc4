#include "export_samples.h"

#include "json_layout.h"

enum sample_field { SAMPLE_FIRST, SAMPLE_COUNT, SAMPLE_NODE, SAMPLE_LINE, SAMPLE_FIELDS };

static const char *const names[SAMPLE_FIELDS] = {"t", "n", "node", "line"};

static uint64_t sample_value(const xhprof_sample_run *run, enum sample_field field, const uint32_t *places)
{
	switch (field) {
		case SAMPLE_FIRST:
			return run->first;
		case SAMPLE_COUNT:
			return run->count;
		case SAMPLE_NODE:
			return places[run->node->id];
		default:
			return run->line;
	}
}

static void json_field(xhprof_json *json, const xhprof_sample_log *log, enum sample_field field, const uint32_t *places)
{
	xhprof_json_line(json);
	xhprof_json_open_member(json, names[field], '[');
	for (size_t i = 0; i < log->used; i++) {
		xhprof_json_item(json);
		xhprof_write_uint(json->writer, sample_value(&log->runs[i], field, places));
	}
	xhprof_json_close(json, ']');
}

bool xhprof_samples_json(const xhprof_tracer *tracer, const uint32_t *places, xhprof_writer *writer)
{
	xhprof_json document = {.writer = writer, .first = true}, *json = &document;
	const xhprof_sample_log *log = &tracer->samples;
	xhprof_json_open(json, '{');
	xhprof_json_uint(json, "v", 1);
	xhprof_json_text(json, "kind", "samples");
	xhprof_json_uint(json, "interval_us", tracer->sample_interval_us);
	xhprof_json_text(json, "clock", xhprof_sample_clock_name(log->clock));
	xhprof_json_uint(json, "start_us", tracer->sample_epoch_us);
	for (int field = SAMPLE_FIRST; field < SAMPLE_FIELDS; field++) {
		if (field != SAMPLE_LINE || log->lines) {
			json_field(json, log, (enum sample_field)field, places);
		}
	}
	xhprof_json_close(json, '}');
	xhprof_write_string(writer, "\n");
	return true;
}
