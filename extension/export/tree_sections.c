#include "tree_sections.h"

const xhprof_metric xhprof_metrics[XHPROF_METRICS] = {
#define METRIC(column, key, unit, ...) {key, unit, XHPROF_COLUMN_##column, "self." key},
#define COMPUTED(column, key, unit, ...) {key, unit, XHPROF_COLUMN_##column, NULL},
	XHPROF_FIGURES(METRIC, COMPUTED)
#undef METRIC
#undef COMPUTED
};

const xhprof_metric xhprof_corrected_metrics[XHPROF_CORRECTED] = {
#define METRIC(column, key) {key, "ns", XHPROF_COLUMN_##column, NULL},
	XHPROF_CORRECTED_FIGURES(METRIC)
#undef METRIC
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

/* The kinds of functions; see docs/formats.md. */
enum { KIND_PHP, KIND_INTERNAL, KIND_COMPILED };

/* Gives a column of the nodes if the whole tree's columns are not in memory. */
static void tree_values(void *from, unsigned column, size_t first, size_t count, int64_t *values)
{
	xhprof_columns *columns = ((xhprof_tree_sections *)from)->columns;
	if (!first) {
		xhprof_columns_rewind(columns);
	}
	xhprof_columns_next(columns);
	memcpy(values, columns->values[column], count * sizeof(*values));
}

static void function_values(void *from, unsigned field, size_t first, size_t count, int64_t *values)
{
	xhprof_columns *columns = ((xhprof_tree_sections *)from)->columns;
	const xhprof_symbol_ref *symbols = columns->symbols + first;
	if (!columns->complete) {
		if (!first) {
			xhprof_columns_rewind(columns);
		}
		xhprof_columns_next(columns);
		symbols = columns->symbols;
	}
	_Pragma("GCC unroll 8") for (size_t i = 0; i < count; i++)
	{
		values[i] = xhprof_name_index(symbols[i]);
	}
}

static void place_values(void *from, unsigned which, size_t first, size_t count, int64_t *values)
{
	const xhprof_symbols *symbols = &((xhprof_tree_sections *)from)->tracer->symbols;
	for (size_t i = 0; i < count; i++) {
		values[i] = xhprof_place_value(&xhprof_symbols_get(symbols, (uint32_t)(first + i) + 1)->place, which);
	}
}

static void kind_values(void *from, unsigned field, size_t first, size_t count, int64_t *values)
{
	const xhprof_symbols *symbols = &((xhprof_tree_sections *)from)->tracer->symbols;
	for (size_t i = 0; i < count; i++) {
		uint32_t flags = xhprof_symbols_get(symbols, (uint32_t)(first + i) + 1)->flags;
		values[i] = flags & XHPROF_SYMBOL_COMPILED   ? KIND_COMPILED
					: flags & XHPROF_SYMBOL_INTERNAL ? KIND_INTERNAL
													 : KIND_PHP;
	}
}

static const char *function_name(void *from, size_t place, size_t *length)
{
	const xhprof_symbol *symbol =
		xhprof_symbols_get(&((xhprof_tree_sections *)from)->tracer->symbols, (uint32_t)place + 1);
	*length = symbol->length;
	return symbol->name;
}

static const char *file_path(void *from, size_t place, size_t *length)
{
	xhprof_tree_sections *sections = from;
	sections->file = place ? sections->file->next : sections->tracer->symbols.files.first;
	*length = sections->file->length;
	return sections->file->path;
}

static void json_units(xhprof_json *json, const xhprof_columns *columns)
{
	xhprof_json_open_member(json, "unit", '{');
	for (size_t i = 0; i < XHPROF_METRICS; i++) {
		if (xhprof_metrics[i].section && columns->values[xhprof_metrics[i].column]) {
			xhprof_json_text(json, xhprof_metrics[i].name, xhprof_metrics[i].unit);
		}
	}
	xhprof_json_close(json, '}');
}

void xhprof_json_sampled(xhprof_json *json, const xhprof_tracer *tracer)
{
	if (tracer->sample_interval_us) {
		xhprof_json_open_member(json, "sampled", '{');
		xhprof_json_uint(json, "interval_us", tracer->sample_interval_us);
		xhprof_json_text(json, "clock", xhprof_sample_clock_name(tracer->samples.clock));
		xhprof_json_close(json, '}');
	}
}

static void tree_head(xhprof_json *json, const void *from)
{
	const xhprof_tree_sections *sections = from;
	const xhprof_tracer *tracer = sections->tracer;
	xhprof_json_text(json, "order", "preorder");
	xhprof_json_text(json, "mode", "merged");
	json_units(json, sections->columns);
	xhprof_json_sampled(json, tracer);
	if (tracer->sample_bytes) {
		xhprof_json_open_member(json, "sampled", '{');
		xhprof_json_uint(json, "interval_bytes", tracer->sample_bytes);
		xhprof_json_close(json, '}');
	}
	xhprof_json_uint(json, "n", tracer->tree.nodes);
}

static void add_nodes(xhprof_tree_sections *sections, xhprof_run_file *file, const char *name,
					  enum xhprof_column column)
{
	const int64_t *values = sections->columns->values[column];
	size_t nodes = sections->tracer->tree.nodes;
	if (sections->columns->complete) {
		xhprof_run_file_column(file, name, nodes, values);
	} else {
		xhprof_run_file_values(file, name, nodes, tree_values, sections, column);
	}
}

void xhprof_tree_sections_add(xhprof_tree_sections *sections, const xhprof_tracer *tracer, xhprof_columns *columns,
							  xhprof_run_file *file)
{
	size_t names = tracer->symbols.count, nodes = tracer->tree.nodes;
	*sections = (xhprof_tree_sections){.tracer = tracer, .columns = columns};
	xhprof_run_file_document(file, "tree", tree_head, sections);
	xhprof_run_file_texts(file, "names", names, function_name, sections);
	xhprof_run_file_values(file, "function_kind", names, kind_values, sections, 0);
	xhprof_run_file_texts(file, "files", tracer->symbols.files.count, file_path, sections);
	for (unsigned which = 0; which < XHPROF_PLACES; which++) {
		xhprof_run_file_values(file, xhprof_place_names[which], names, place_values, sections, which);
	}
	xhprof_run_file_indexes(file, "fn", nodes, function_values, sections, 0, names);
	add_nodes(sections, file, "depth", XHPROF_COLUMN_DEPTH);
	add_nodes(sections, file, "ct", XHPROF_COLUMN_CALLS);
	add_nodes(sections, file, "call_line", XHPROF_COLUMN_CALL_LINE);
	for (size_t i = 0; i < XHPROF_METRICS; i++) {
		if (xhprof_metrics[i].section && columns->values[xhprof_metrics[i].column]) {
			add_nodes(sections, file, xhprof_metrics[i].section, xhprof_metrics[i].column);
		}
	}
}
