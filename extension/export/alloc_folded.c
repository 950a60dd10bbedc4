#include "alloc_folded.h"

/* The functions of a path, "a;b;c". */
static void write_path(const xhprof_alloc_paths *paths, uint32_t path, xhprof_writer *writer)
{
	uint32_t symbols[XHPROF_ALLOC_DEPTH];
	uint32_t depth = 0;
	for (uint32_t at = path; at; at = paths->of[at].parent) {
		symbols[depth++] = paths->of[at].symbol;
	}
	while (depth-- > 0) {
		size_t length;
		const char *name = xhprof_alloc_symbol_name(paths, symbols[depth], &length);
		xhprof_write_name(writer, name, length, ';');
		xhprof_write_bytes(writer, ";", depth > 0);
	}
}

static void write_line(const xhprof_alloc_paths *paths, uint32_t path, const xhprof_alloc_type *type, uint64_t figure,
					   xhprof_writer *writer)
{
	if (!figure) {
		return; /* "(before)" has bytes, but nobody counted its blocks */
	}
	write_path(paths, path, writer);
	if (type) {
		xhprof_write_string(writer, ";[");
		xhprof_write_name(writer, type->name, type->length, ';');
		xhprof_write_string(writer, "]");
	}
	xhprof_write_string(writer, " ");
	xhprof_write_uint(writer, figure);
	xhprof_write_string(writer, "\n");
}

bool xhprof_alloc_write_folded(const xhprof_alloc_dump *dump, const xhprof_alloc_options *options,
							   xhprof_alloc_paths *paths, xhprof_writer *writer)
{
	if (!xhprof_alloc_paths_begin(paths, dump, XHPROF_ALLOC_DEPTH, 0)) {
		return false;
	}
	xhprof_alloc_walk walk = {0};
	do {
		const xhprof_alloc_path *path = &paths->of[walk.path];
		if (walk.leaving) {
			continue;
		}
		uint32_t row = path->first_row;
		if (!options->types || !row) {
			write_line(paths, walk.path, NULL, options->blocks ? path->own_blocks : path->own_bytes, writer);
			continue;
		}
		xhprof_alloc_holding holding;
		while (xhprof_alloc_holding_next(paths, &row, &holding)) {
			write_line(paths, walk.path, &dump->types->types[holding.type],
					   options->blocks ? holding.blocks : holding.bytes, writer);
		}
	} while (xhprof_alloc_walk_next(paths, &walk));
	return true;
}
