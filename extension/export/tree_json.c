#include "tree_json.h"

const xhprof_metric xhprof_metrics[XHPROF_METRICS] = {
	{"wt", "ns", XHPROF_COLUMN_WALL},
	{"cpu", "ns", XHPROF_COLUMN_CPU},
	{"mu", "B", XHPROF_COLUMN_MEMORY},
	{"pmu", "B", XHPROF_COLUMN_PEAK},
	{"allocated_bytes", "B", XHPROF_COLUMN_ALLOCATED_BYTES},
	{"allocated_blocks", "", XHPROF_COLUMN_ALLOCATED_BLOCKS},
	{"freed_bytes", "B", XHPROF_COLUMN_FREED_BYTES},
	{"freed_blocks", "", XHPROF_COLUMN_FREED_BLOCKS},
	{"live_bytes", "B", XHPROF_COLUMN_LIVE_BYTES},
	{"live_blocks", "", XHPROF_COLUMN_LIVE_BLOCKS},
};

const xhprof_metric xhprof_corrected_metrics[XHPROF_CORRECTED] = {
	{"wt", "ns", XHPROF_COLUMN_CORRECTED_WALL},
	{"cpu", "ns", XHPROF_COLUMN_CORRECTED_CPU},
};

/* "name":[ before a list of numbers. */
static void json_begin(xhprof_writer *writer, const char *name)
{
	xhprof_write_string(writer, "\"");
	xhprof_write_string(writer, name);
	xhprof_write_string(writer, "\":[");
}

static void json_column(xhprof_writer *writer, const char *name, xhprof_columns *columns, enum xhprof_column column)
{
	bool more = false;
	json_begin(writer, name);
	xhprof_columns_rewind(columns);
	while (xhprof_columns_next(columns)) {
		xhprof_write_bytes(writer, ",", more);
		xhprof_write_list(writer, columns->of[column], columns->count);
		more = true;
	}
	xhprof_write_string(writer, "]");
}

static void json_names_column(xhprof_writer *writer, const char *name, xhprof_columns *columns)
{
	int64_t numbers[XHPROF_COLUMNS_BLOCK];
	size_t used = 0;
	bool more = false;
	json_begin(writer, name);
	xhprof_columns_rewind(columns);
	while (xhprof_columns_next(columns)) {
		for (size_t i = 0; i < columns->count; i++) {
			numbers[used++] = xhprof_name_index(columns->symbols[i]);
			if (used == XHPROF_COLUMNS_BLOCK || i + 1 == columns->count) {
				xhprof_write_bytes(writer, ",", more);
				xhprof_write_list(writer, numbers, used);
				used = 0;
				more = true;
			}
		}
	}
	xhprof_write_string(writer, "]");
}

static void json_units(xhprof_writer *writer, const xhprof_columns *columns)
{
	bool more = false;
	xhprof_write_string(writer, "\"unit\":{");
	for (size_t i = 0; i < XHPROF_METRICS; i++) {
		if (columns->of[xhprof_metrics[i].column]) {
			xhprof_write_string(writer, more ? ",\"" : "\"");
			more = true;
			xhprof_write_string(writer, xhprof_metrics[i].name);
			xhprof_write_string(writer, "\":\"");
			xhprof_write_string(writer, xhprof_metrics[i].unit);
			xhprof_write_string(writer, "\"");
		}
	}
	xhprof_write_string(writer, "}");
}

void xhprof_tree_json(const xhprof_tracer *tracer, xhprof_columns *columns, xhprof_writer *writer)
{
	xhprof_write_string(writer, "{\"v\":1,\"kind\":\"tree\",\"order\":\"preorder\",\"mode\":\"merged\",");
	json_units(writer, columns);
	if (tracer->sample_interval_us) {
		xhprof_write_string(writer, ",\"sampled\":{\"interval_us\":");
		xhprof_write_uint(writer, tracer->sample_interval_us);
		xhprof_write_string(writer, ",\"clock\":\"");
		xhprof_write_string(writer, xhprof_sample_clock_name(tracer->samples.clock));
		xhprof_write_string(writer, "\"}");
	}
	xhprof_write_string(writer, ",\"n\":");
	xhprof_write_uint(writer, tracer->tree.nodes);
	xhprof_write_string(writer, ",\n\"names\":[");
	for (uint32_t id = 1; id <= tracer->symbols.count; id++) {
		const xhprof_symbol *symbol = xhprof_symbols_get(&tracer->symbols, id);
		xhprof_write_string(writer, id == 1 ? "" : ",");
		xhprof_write_json_string(writer, symbol->name, symbol->length);
	}
	xhprof_write_string(writer, "],\n");
	json_names_column(writer, "fn", columns);
	xhprof_write_string(writer, ",\n");
	json_column(writer, "depth", columns, XHPROF_COLUMN_DEPTH);
	xhprof_write_string(writer, ",\n");
	json_column(writer, "ct", columns, XHPROF_COLUMN_CALLS);
	xhprof_write_string(writer, ",\n\"self\":{");
	bool more = false;
	for (size_t i = 0; i < XHPROF_METRICS; i++) {
		if (columns->of[xhprof_metrics[i].column]) {
			xhprof_write_string(writer, more ? ",\n" : "");
			more = true;
			json_column(writer, xhprof_metrics[i].name, columns, xhprof_metrics[i].column);
		}
	}
	for (size_t i = 0; i < XHPROF_CORRECTED; i++) {
		if (columns->of[xhprof_corrected_metrics[i].column]) {
			xhprof_write_string(writer, i ? ",\n" : "},\n\"corrected\":{");
			json_column(writer, xhprof_corrected_metrics[i].name, columns, xhprof_corrected_metrics[i].column);
		}
	}
	xhprof_write_string(writer, "}}\n");
}
