#include "export_samples.h"

enum sample_field { SAMPLE_FIRST, SAMPLE_COUNT, SAMPLE_NODE, SAMPLE_LINE, SAMPLE_FIELDS };

static const char *const names[SAMPLE_FIELDS] = {",\n\"t\":[", ",\n\"n\":[", ",\n\"node\":[", ",\n\"line\":["};

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

static void json_field(xhprof_writer *writer, const xhprof_sample_log *log, enum sample_field field,
					   const uint32_t *places)
{
	xhprof_write_string(writer, names[field]);
	for (size_t i = 0; i < log->used; i++) {
		xhprof_write_bytes(writer, ",", i != 0);
		xhprof_write_uint(writer, sample_value(&log->runs[i], field, places));
	}
	xhprof_write_string(writer, "]");
}

bool xhprof_samples_json(const xhprof_tracer *tracer, xhprof_writer *writer)
{
	const xhprof_sample_log *log = &tracer->samples;
	size_t size;
	uint32_t *places = xhprof_calltree_places(&tracer->tree, &size);
	if (!places) {
		return false;
	}
	xhprof_write_string(writer, "{\"v\":1,\"kind\":\"samples\",\"interval_us\":");
	xhprof_write_uint(writer, tracer->sample_interval_us);
	xhprof_write_string(writer, ",\"clock\":\"");
	xhprof_write_string(writer, xhprof_sample_clock_name(log->clock));
	xhprof_write_string(writer, "\",\"start_us\":");
	xhprof_write_uint(writer, tracer->sample_epoch_us);
	for (int field = SAMPLE_FIRST; field < SAMPLE_FIELDS; field++) {
		if (field != SAMPLE_LINE || log->lines) {
			json_field(writer, log, (enum sample_field)field, places);
		}
	}
	xhprof_write_string(writer, "}\n");
	xhprof_pages_unmap(places, size);
	return true;
}
