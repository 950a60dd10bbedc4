#include "memory_sections.h"

#include "alloc_rows.h"

#include "base/arena.h"

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

static const char *job_name(void *from, size_t place, size_t *length)
{
	const xhprof_memory_sections *sections = from;
	const xhprof_symbol *symbol = xhprof_symbols_get(&sections->dump->tracer->symbols, sections->jobs[place]);
	*length = symbol->length;
	return symbol->name;
}

enum mark_field { MARK_JOB, MARK_SIZE };

static void mark_values(void *from, unsigned field, size_t first, size_t count, int64_t *values)
{
	const xhprof_memory_sections *sections = from;
	const xhprof_mark_entry *entries = sections->dump->mark_log->entries + first;
	for (size_t i = 0; i < count; i++) {
		uintptr_t place = entries[i].job ? (uintptr_t)xhprof_table_find(&sections->job_places, entries[i].job) : 0;
		values[i] = field == MARK_SIZE ? (int64_t)entries[i].size : (int64_t)place - 1;
	}
}

/* Lists the names of the jobs, each once. Without memory it has only some of them. */
static void list_jobs(xhprof_memory_sections *sections)
{
	const xhprof_mark_log *log = sections->dump->mark_log;
	for (size_t i = 0; i < log->count; i++) {
		uint32_t job = log->entries[i].job;
		if (!job || xhprof_table_find(&sections->job_places, job)) {
			continue;
		}
		if ((sections->job_count == sections->job_capacity &&
			 !xhprof_pages_double((void **)&sections->jobs, sizeof(*sections->jobs), &sections->job_capacity, 256)) ||
			!xhprof_table_put(&sections->job_places, job, (void *)(uintptr_t)(sections->job_count + 1))) {
			return;
		}
		sections->jobs[sections->job_count++] = job;
	}
}

/* Adds what is known of marks, where jobs have ended with some. */
static void add_marks(xhprof_memory_sections *sections, xhprof_run_file *file)
{
	const xhprof_mark_log *log = sections->dump->mark_log;
	if (!log || !log->jobs) {
		return;
	}
	list_jobs(sections);
	xhprof_run_file_texts(file, "jobs", sections->job_count, job_name, sections);
	xhprof_run_file_values(file, "at_marks.job", log->count, mark_values, sections, MARK_JOB);
	xhprof_run_file_values(file, "at_marks.size", log->count, mark_values, sections, MARK_SIZE);
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
	add_marks(sections, file);
}

void xhprof_memory_sections_release(xhprof_memory_sections *sections)
{
	xhprof_pages_unmap(sections->jobs, sections->job_capacity * sizeof(*sections->jobs));
	xhprof_table_release(&sections->job_places);
	*sections = (xhprof_memory_sections){0};
}
