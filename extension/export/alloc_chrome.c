#include "alloc_chrome.h"

/* Heaps that paths are listed under. What is below the threshold has one of its own where it may be of either allocator. */
enum { BELOW_THRESHOLD = XHPROF_ALLOCATORS, HEAPS };

static const char *const heap_names[HEAPS] = {"zend_mm", "malloc", "(below threshold)"};

/* A column of a heap. */
typedef enum column { COUNTS, SIZES, TYPES, NODES, COLUMNS } column;

static const char *const column_names[COLUMNS] = {"counts", "sizes", "types", "nodes"};

typedef struct chrome {
	const xhprof_alloc_dump *dump;
	const xhprof_alloc_paths *paths;
	xhprof_writer *writer;
	const char *separator; /* before the next item of a list */
	bool types;
	bool used[HEAPS];
	unsigned heap_of_rest;
	bool *symbol_used, *type_used;
} chrome;

/* Before an item of a list. */
static void separate(chrome *out)
{
	xhprof_write_string(out->writer, out->separator);
	out->separator = ",";
}

static void write_number(chrome *out, const char *before, uint64_t number)
{
	xhprof_write_string(out->writer, before);
	xhprof_write_uint(out->writer, number);
}

static void write_scalar(chrome *out, const char *name, const char *units, uint64_t value)
{
	separate(out);
	xhprof_write_string(out->writer, "\"");
	xhprof_write_string(out->writer, name);
	xhprof_write_string(out->writer, "\":{\"type\":\"scalar\",\"units\":\"");
	xhprof_write_string(out->writer, units);
	xhprof_write_string(out->writer, "\",\"value\":\"");
	xhprof_write_hex(out->writer, value, 1);
	xhprof_write_string(out->writer, "\"}");
}

static void open_allocator(chrome *out, const char *name)
{
	separate(out);
	xhprof_write_string(out->writer, "\n\"");
	xhprof_write_string(out->writer, name);
	xhprof_write_string(out->writer, "\":{\"attrs\":{");
	out->separator = "";
}

static void close_allocator(chrome *out)
{
	xhprof_write_string(out->writer, "}}");
	out->separator = ",";
}

static void write_allocators(chrome *out)
{
	const xhprof_alloc_dump *dump = out->dump;
	xhprof_write_string(out->writer, "\"allocators\":{");
	out->separator = "";
	for (unsigned i = 0; i < XHPROF_ALLOCATORS; i++) {
		const xhprof_alloc_sums *sums = &dump->of[i];
		if (!sums->tracked && !sums->size) {
			continue;
		}
		open_allocator(out, heap_names[i]);
		write_scalar(out, "size", "bytes", sums->size);
		if (sums->peak) {
			write_scalar(out, "peak_size", "bytes", sums->peak);
		}
		/* Known only where every block was recorded. */
		if (sums->tracked && !sums->before_bytes && !dump->dropped_blocks && !dump->sample_bytes) {
			write_scalar(out, "object_count", "objects", sums->allocated_blocks - sums->freed_blocks);
		}
		close_allocator(out);
	}
	if (dump->opcache_bytes) {
		open_allocator(out, "opcache");
		write_scalar(out, "size", "bytes", dump->opcache_bytes);
		close_allocator(out);
	}
	open_allocator(out, "xhprof/register");
	write_scalar(out, "size", "bytes", dump->register_bytes);
	close_allocator(out);
	xhprof_write_string(out->writer, "}");
}

/* Which heaps, symbols and types the paths are of. */
static bool find_used(chrome *out, xhprof_alloc_paths *paths)
{
	const xhprof_alloc_dump *dump = out->dump;
	out->symbol_used = xhprof_arena_alloc(&paths->arena, paths->symbols * sizeof(bool), 1);
	out->type_used = xhprof_arena_alloc(&paths->arena, dump->types->count * sizeof(bool), 1);
	if (!out->symbol_used || !out->type_used) {
		return false;
	}
	for (uint32_t i = 1; i < paths->count; i++) {
		uint32_t row = paths->of[i].first_row;
		xhprof_alloc_holding holding;
		out->symbol_used[paths->of[i].symbol] = true;
		while (xhprof_alloc_holding_next(paths, &row, &holding)) {
			out->type_used[out->types ? holding.type : XHPROF_TYPE_UNKNOWN] = true;
			out->used[holding.allocator] = true;
		}
	}
	out->heap_of_rest = BELOW_THRESHOLD;
	if (!dump->of[XHPROF_ALLOCATOR_MALLOC].tracked) {
		out->heap_of_rest = XHPROF_ALLOCATOR_ZEND;
	} else if (!dump->of[XHPROF_ALLOCATOR_ZEND].tracked) {
		out->heap_of_rest = XHPROF_ALLOCATOR_MALLOC;
	}
	if (dump->rest_bytes || dump->rest_blocks) {
		out->type_used[XHPROF_TYPE_UNKNOWN] = true;
		out->used[out->heap_of_rest] = true;
	}
	return true;
}

/* A type's string comes after those of all symbols. */
static uint64_t type_string(const chrome *out, uint32_t type)
{
	return (uint64_t)out->paths->symbols + type;
}

static void write_string(chrome *out, uint64_t id, const char *string, size_t length)
{
	separate(out);
	write_number(out, "\n{\"id\":", id);
	xhprof_write_string(out->writer, ",\"string\":");
	xhprof_write_json_string(out->writer, string, length);
	xhprof_write_string(out->writer, "}");
}

static void write_maps(chrome *out)
{
	const xhprof_alloc_paths *paths = out->paths;
	const xhprof_alloc_types *types = out->dump->types;
	xhprof_write_string(out->writer, "\"maps\":{\"strings\":[");
	out->separator = "";
	for (uint32_t i = 1; i < paths->symbols; i++) {
		if (out->symbol_used[i]) {
			size_t length;
			const char *name = xhprof_alloc_symbol_name(paths, i, &length);
			write_string(out, i, name, length);
		}
	}
	for (uint32_t i = 0; i < types->count; i++) {
		if (out->type_used[i]) {
			write_string(out, type_string(out, i), types->types[i].name, types->types[i].length);
		}
	}
	xhprof_write_string(out->writer, "],\n\"nodes\":[");
	out->separator = "";
	for (uint32_t i = 1; i < paths->count; i++) {
		separate(out);
		write_number(out, "\n{\"id\":", i);
		write_number(out, ",\"name_sid\":", paths->of[i].symbol);
		if (paths->of[i].parent) {
			write_number(out, ",\"parent\":", paths->of[i].parent);
		}
		xhprof_write_string(out->writer, "}");
	}
	xhprof_write_string(out->writer, "],\n\"types\":[");
	out->separator = "";
	for (uint32_t i = 0; i < types->count; i++) {
		if (out->type_used[i]) {
			separate(out);
			write_number(out, "\n{\"id\":", i);
			write_number(out, ",\"name_sid\":", type_string(out, i));
			xhprof_write_string(out->writer, "}");
		}
	}
	xhprof_write_string(out->writer, "]}");
}

static void write_entry(chrome *out, column column, uint32_t path, const xhprof_alloc_holding *entry)
{
	const uint64_t values[COLUMNS] = {entry->blocks, entry->bytes, entry->type, path};
	separate(out);
	xhprof_write_uint(out->writer, values[column]);
}

/* All columns of a heap have the same entries in the same order. */
static void write_column(chrome *out, unsigned heap, column column)
{
	const xhprof_alloc_paths *paths = out->paths;
	out->separator = "";
	for (uint32_t i = 1; i < paths->count; i++) {
		uint32_t row = paths->of[i].first_row;
		xhprof_alloc_holding holding, sum = {.type = XHPROF_TYPE_UNKNOWN};
		bool any = false;
		while (xhprof_alloc_holding_next(paths, &row, &holding)) {
			if (holding.allocator != heap) {
				continue;
			}
			if (out->types) {
				write_entry(out, column, i, &holding);
			} else {
				any = true;
				sum.bytes += holding.bytes;
				sum.blocks += holding.blocks;
			}
		}
		if (!paths->of[i].first_row && paths->of[i].own_bytes && heap == out->heap_of_rest) {
			any = true;
			sum.bytes = paths->of[i].own_bytes;
			sum.blocks = paths->of[i].own_blocks;
		}
		if (any) {
			write_entry(out, column, i, &sum);
		}
	}
}

static void write_heaps(chrome *out)
{
	bool more = false;
	xhprof_write_string(out->writer, ",\n\"heaps_v2\":{\"version\":1,");
	write_maps(out);
	xhprof_write_string(out->writer, ",\n\"allocators\":{");
	for (unsigned heap = 0; heap < HEAPS; heap++) {
		if (!out->used[heap]) {
			continue;
		}
		xhprof_write_string(out->writer, more ? ",\n\"" : "\n\"");
		xhprof_write_string(out->writer, heap_names[heap]);
		for (unsigned i = 0; i < COLUMNS; i++) {
			xhprof_write_string(out->writer, i ? "],\n\"" : "\":{\n\"");
			xhprof_write_string(out->writer, column_names[i]);
			xhprof_write_string(out->writer, "\":[");
			write_column(out, heap, (column)i);
		}
		xhprof_write_string(out->writer, "]}");
		more = true;
	}
	xhprof_write_string(out->writer, "}}");
}

bool xhprof_alloc_write_chrome(const xhprof_alloc_dump *dump, const xhprof_alloc_options *options,
							   xhprof_alloc_paths *paths, xhprof_writer *writer)
{
	chrome out = {.dump = dump, .paths = paths, .writer = writer, .types = options->types};
	if (options->detailed && (!xhprof_alloc_paths_begin(paths, dump, 0, 0) || !find_used(&out, paths))) {
		return false;
	}
	xhprof_write_string(writer, "{\"traceEvents\":[\n{\"pid\":");
	xhprof_write_int(writer, dump->pid);
	xhprof_write_string(writer, ",\"tid\":0,\"ts\":0,\"ph\":\"M\",\"cat\":\"__metadata\",\"name\":\"process_name\","
								"\"args\":{\"name\":\"php\"}},\n{\"pid\":");
	xhprof_write_int(writer, dump->pid);
	write_number(&out, ",\"tid\":0,\"ts\":", (uint64_t)(dump->time * 1e6));
	xhprof_write_string(writer, ",\"ph\":\"v\",\"cat\":\"disabled-by-default-memory-infra\",\"id\":\"0x1\","
								"\"name\":\"periodic_interval\",\"args\":{\"dumps\":{\"level_of_detail\":\"");
	xhprof_write_string(writer, options->detailed ? "detailed\",\n" : "light\",\n");
	write_allocators(&out);
	if (options->detailed) {
		write_heaps(&out);
	}
	xhprof_write_string(writer, "}}}\n]}\n");
	return true;
}
