#include "memory_sections.h"

#include "alloc_rows.h"

static const char *type_name(void *from, size_t place, size_t *length)
{
	const xhprof_alloc_types *types = ((xhprof_memory_sections *)from)->dump->types;
	*length = types->types[place].length;
	return types->types[place].name;
}

static void row_values(void *from, unsigned field, size_t first, size_t count, int64_t *values)
{
	const xhprof_memory_sections *sections = from;
	for (size_t i = 0; i < count; i++) {
		values[i] =
			xhprof_alloc_rows_value(sections->dump, first + i, (enum xhprof_alloc_row_field)field, sections->places);
	}
}

enum peak_field { PEAK_NODE, PEAK_BYTES };

/* Gives the live bytes of the paths when the heap was largest. Bytes that predate the tracking, or were not recorded,
 * are in no path. */
static void peak_values(void *from, unsigned field, size_t first, size_t count, int64_t *values)
{
	xhprof_memory_sections *sections = from;
	const xhprof_alloc_peak *peak = sections->dump->peak;
	sections->next = first ? sections->next : 1;
	for (size_t i = 0; i < count; sections->next++) {
		if (peak->live[sections->next]) {
			values[i++] = field == PEAK_BYTES ? (int64_t)peak->live[sections->next] : sections->places[sections->next];
		}
	}
}

static size_t peak_paths(const xhprof_alloc_peak *peak)
{
	size_t paths = 0;
	for (uint32_t id = 1; id <= peak->count; id++) {
		paths += peak->live[id] != 0;
	}
	return paths;
}

static void memory_head(xhprof_json *json, const void *from)
{
	const xhprof_alloc_dump *dump = ((const xhprof_memory_sections *)from)->dump;
	xhprof_json_text(json, "unit", "B");
	xhprof_alloc_rows_figures(json, dump, false);
	if (dump->peak) {
		xhprof_json_open_member(json, "peak", '{');
		xhprof_json_uint(json, "size", dump->peak->size);
		xhprof_json_close(json, '}');
	}
}

void xhprof_memory_sections_add(xhprof_memory_sections *sections, const xhprof_alloc_dump *dump, const uint32_t *places,
								xhprof_run_file *file)
{
	static const char *const names[XHPROF_ROW_FIELDS] = {"rows.node", "rows.type", "rows.mark", "rows.blocks",
														 "rows.bytes"};
	*sections = (xhprof_memory_sections){.dump = dump, .places = places};
	xhprof_run_file_document(file, "memory", memory_head, sections);
	xhprof_run_file_texts(file, "types", dump->types->count, type_name, sections);
	for (unsigned field = 0; field < XHPROF_ROW_FIELDS; field++) {
		xhprof_run_file_values(file, names[field], xhprof_alloc_rows_count(dump), row_values, sections, field);
	}
	if (dump->peak) {
		size_t paths = peak_paths(dump->peak);
		xhprof_run_file_values(file, "peak.node", paths, peak_values, sections, PEAK_NODE);
		xhprof_run_file_values(file, "peak.bytes", paths, peak_values, sections, PEAK_BYTES);
	}
}
