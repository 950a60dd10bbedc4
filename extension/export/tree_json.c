#include "tree_json.h"

const xhprof_metric xhprof_metrics[XHPROF_METRICS] = {
	{"wt", "ns", XHPROF_COLUMN_WALL},
	{"cpu", "ns", XHPROF_COLUMN_CPU},
	{"mu", "B", XHPROF_COLUMN_MEMORY},
	{"pmu", "B", XHPROF_COLUMN_PEAK},
	{"samples", "", XHPROF_COLUMN_SAMPLES},
	{"allocated_bytes", "B", XHPROF_COLUMN_ALLOCATED_BYTES},
	{"allocated_blocks", "", XHPROF_COLUMN_ALLOCATED_BLOCKS},
	{"freed_bytes", "B", XHPROF_COLUMN_FREED_BYTES},
	{"freed_blocks", "", XHPROF_COLUMN_FREED_BLOCKS},
	{"live_bytes", "B", XHPROF_COLUMN_LIVE_BYTES},
	{"live_blocks", "", XHPROF_COLUMN_LIVE_BLOCKS},
	{"peak_bytes", "B", XHPROF_COLUMN_PEAK_BYTES},
};

const xhprof_metric xhprof_corrected_metrics[XHPROF_CORRECTED] = {
	{"wt", "ns", XHPROF_COLUMN_CORRECTED_WALL},
	{"cpu", "ns", XHPROF_COLUMN_CORRECTED_CPU},
};

const char *const xhprof_place_names[XHPROF_PLACES] = {"file", "line", "last_line"};

int64_t xhprof_place_value(const xhprof_place *place, size_t which)
{
	switch (which) {
		case XHPROF_PLACE_FILE:
			return place->file ? (int64_t)place->file->id - 1 : -1;
		case XHPROF_PLACE_LINE:
			return place->line;
		default:
			return place->last_line;
	}
}

static void json_column(xhprof_json *json, const char *name, xhprof_columns *columns, enum xhprof_column column)
{
	xhprof_json_open_member(json, name, '[');
	xhprof_columns_rewind(columns);
	while (xhprof_columns_next(columns)) {
		xhprof_json_item(json);
		xhprof_write_list(json->writer, columns->of[column], columns->count);
	}
	xhprof_json_close(json, ']');
}

static void json_names_column(xhprof_json *json, const char *name, xhprof_columns *columns)
{
	int64_t numbers[XHPROF_COLUMNS_BLOCK];
	size_t used = 0;
	xhprof_json_open_member(json, name, '[');
	xhprof_columns_rewind(columns);
	while (xhprof_columns_next(columns)) {
		for (size_t i = 0; i < columns->count; i++) {
			numbers[used++] = xhprof_name_index(columns->symbols[i]);
			if (used == XHPROF_COLUMNS_BLOCK || i + 1 == columns->count) {
				xhprof_json_item(json);
				xhprof_write_list(json->writer, numbers, used);
				used = 0;
			}
		}
	}
	xhprof_json_close(json, ']');
}

static void json_units(xhprof_json *json, const xhprof_columns *columns)
{
	xhprof_json_open_member(json, "unit", '{');
	for (size_t i = 0; i < XHPROF_METRICS; i++) {
		if (columns->of[xhprof_metrics[i].column]) {
			xhprof_json_text(json, xhprof_metrics[i].name, xhprof_metrics[i].unit);
		}
	}
	xhprof_json_close(json, '}');
}

static void json_names(xhprof_json *json, const xhprof_symbols *symbols)
{
	xhprof_json_open_member(json, "names", '[');
	for (uint32_t id = 1; id <= symbols->count; id++) {
		const xhprof_symbol *symbol = xhprof_symbols_get(symbols, id);
		xhprof_json_item(json);
		xhprof_write_json_string(json->writer, symbol->name, symbol->length);
	}
	xhprof_json_close(json, ']');
}

static void json_files(xhprof_json *json, const xhprof_file_list *files)
{
	xhprof_json_open_member(json, "files", '[');
	for (const xhprof_file *file = files->first; file; file = file->next) {
		xhprof_json_item(json);
		xhprof_write_json_string(json->writer, file->path, file->length);
	}
	xhprof_json_close(json, ']');
}

static void json_places(xhprof_json *json, const xhprof_symbols *symbols)
{
	json_files(json, &symbols->files);
	for (size_t which = 0; which < XHPROF_PLACES; which++) {
		xhprof_json_line(json);
		xhprof_json_open_member(json, xhprof_place_names[which], '[');
		for (uint32_t id = 1; id <= symbols->count; id++) {
			int64_t value = xhprof_place_value(&xhprof_symbols_get(symbols, id)->place, which);
			xhprof_json_item(json);
			xhprof_write_int(json->writer, value);
		}
		xhprof_json_close(json, ']');
	}
}

/* The columns of the profile's metrics, one per line. */
static void json_metrics(xhprof_json *json, const char *name, const xhprof_metric *metrics, size_t count,
						 xhprof_columns *columns)
{
	xhprof_json_line(json);
	xhprof_json_open_member(json, name, '{');
	for (size_t i = 0; i < count; i++) {
		if (columns->of[metrics[i].column]) {
			json->line = !json->first;
			json_column(json, metrics[i].name, columns, metrics[i].column);
		}
	}
	xhprof_json_close(json, '}');
}

void xhprof_tree_json(const xhprof_tracer *tracer, xhprof_columns *columns, xhprof_writer *writer)
{
	xhprof_json document = {.writer = writer, .first = true}, *json = &document;
	xhprof_json_open(json, '{');
	xhprof_json_uint(json, "v", 1);
	xhprof_json_text(json, "kind", "tree");
	xhprof_json_text(json, "order", "preorder");
	xhprof_json_text(json, "mode", "merged");
	json_units(json, columns);
	if (tracer->sample_interval_us) {
		xhprof_json_open_member(json, "sampled", '{');
		xhprof_json_uint(json, "interval_us", tracer->sample_interval_us);
		xhprof_json_text(json, "clock", xhprof_sample_clock_name(tracer->samples.clock));
		xhprof_json_close(json, '}');
	}
	if (tracer->sample_bytes) {
		xhprof_json_open_member(json, "sampled", '{');
		xhprof_json_uint(json, "interval_bytes", tracer->sample_bytes);
		xhprof_json_close(json, '}');
	}
	xhprof_json_uint(json, "n", tracer->tree.nodes);
	xhprof_json_line(json);
	json_names(json, &tracer->symbols);
	xhprof_json_line(json);
	json_places(json, &tracer->symbols);
	xhprof_json_line(json);
	json_names_column(json, "fn", columns);
	xhprof_json_line(json);
	json_column(json, "depth", columns, XHPROF_COLUMN_DEPTH);
	xhprof_json_line(json);
	json_column(json, "ct", columns, XHPROF_COLUMN_CALLS);
	xhprof_json_line(json);
	json_column(json, "call_line", columns, XHPROF_COLUMN_CALL_LINE);
	json_metrics(json, "self", xhprof_metrics, XHPROF_METRICS, columns);
	if (columns->of[xhprof_corrected_metrics[0].column]) {
		json_metrics(json, "corrected", xhprof_corrected_metrics, XHPROF_CORRECTED, columns);
	}
	xhprof_json_close(json, '}');
	xhprof_write_string(writer, "\n");
}
