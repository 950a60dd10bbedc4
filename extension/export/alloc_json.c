#include "alloc_json.h"

static void write_number(xhprof_writer *writer, const char *before, uint64_t number)
{
	xhprof_write_string(writer, before);
	xhprof_write_uint(writer, number);
}

static void write_types(const xhprof_alloc_paths *paths, const xhprof_alloc_path *path, xhprof_writer *writer)
{
	uint32_t row = path->first_row;
	xhprof_alloc_holding holding;
	const char *separator = "";
	xhprof_write_string(writer, ",\"types\":{");
	while (xhprof_alloc_holding_next(paths, &row, &holding)) {
		const xhprof_alloc_type *type = &paths->dump->types->types[holding.type];
		xhprof_write_string(writer, separator);
		xhprof_write_json_string(writer, type->name, type->length);
		write_number(writer, ":{\"bytes\":", holding.bytes);
		write_number(writer, ",\"blocks\":", holding.blocks);
		xhprof_write_string(writer, "}");
		separator = ",";
	}
	xhprof_write_string(writer, "}");
}

static void open_path(const xhprof_alloc_paths *paths, uint32_t index, bool types, xhprof_writer *writer)
{
	const xhprof_alloc_path *path = &paths->of[index];
	if (index) {
		size_t length;
		const char *name = xhprof_alloc_symbol_name(paths, path->symbol, &length);
		xhprof_write_string(writer, paths->of[path->parent].first_child == index ? "\n" : ",\n");
		xhprof_write_json_string(writer, name, length);
		xhprof_write_string(writer, ":");
	}
	write_number(writer, "{\"memory_size\":", path->own_bytes);
	write_number(writer, ",\"blocks_count\":", path->own_blocks);
	write_number(writer, ",\"memory_size_inclusive\":", path->bytes);
	write_number(writer, ",\"blocks_count_inclusive\":", path->blocks);
	write_number(writer, ",\"calls\":", path->calls);
	if (types) {
		write_types(paths, path, writer);
	}
	xhprof_write_string(writer, ",\"called_functions\":{");
}

bool xhprof_alloc_write_json(const xhprof_alloc_dump *dump, const xhprof_alloc_options *options,
							 xhprof_alloc_paths *paths, xhprof_writer *writer)
{
	if (!xhprof_alloc_paths_begin(paths, dump, XHPROF_ALLOC_DEPTH, 0)) {
		return false;
	}
	xhprof_alloc_walk walk = {0};
	do {
		if (walk.leaving) {
			xhprof_write_string(writer, "}}");
		} else {
			open_path(paths, walk.path, options->types, writer);
		}
	} while (xhprof_alloc_walk_next(paths, &walk));
	xhprof_write_string(writer, "\n");
	return true;
}
