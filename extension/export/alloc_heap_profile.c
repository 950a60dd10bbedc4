#include "alloc_heap_profile.h"

/* Writes the name of a symbol. gperftools' pprof takes "(...)" for the arguments of a C++ function and drops it:
 * "(deeper)" is "[deeper]" here. */
static void write_symbol_name(const xhprof_alloc_paths *paths, uint32_t symbol, xhprof_writer *writer)
{
	size_t length;
	const char *name = xhprof_alloc_symbol_name(paths, symbol, &length);
	if (length >= 2 && name[0] == '(' && name[length - 1] == ')') {
		xhprof_write_string(writer, "[");
		xhprof_write_name(writer, name + 1, length - 2, '\0');
		xhprof_write_string(writer, "]");
	} else {
		xhprof_write_name(writer, name, length, '\0');
	}
}

/* Writes the names of symbols. A symbol's number serves as its address. */
static void write_symbols(const xhprof_alloc_paths *paths, bool *seen, xhprof_writer *writer)
{
	xhprof_write_string(writer, "--- symbol\nbinary=php\n");
	for (uint32_t i = 0; i < paths->count; i++) {
		uint32_t symbol = paths->items[i].symbol;
		if (!seen[symbol]) {
			seen[symbol] = true;
			xhprof_write_string(writer, "0x");
			xhprof_write_hex(writer, symbol, 16);
			xhprof_write_string(writer, " ");
			write_symbol_name(paths, symbol, writer);
			xhprof_write_string(writer, "\n");
		}
	}
	xhprof_write_string(writer, "---\n");
}

static void write_words(xhprof_writer *writer, const uintptr_t *words, size_t count)
{
	xhprof_write_bytes(writer, (const char *)words, count * sizeof(*words));
}

bool xhprof_alloc_write_heap_profile(const xhprof_alloc_dump *dump, xhprof_alloc_paths *paths, xhprof_writer *writer)
{
	/* no samples so far, three words more, version 0, no period; at the end a sample of nothing at address 0 */
	static const uintptr_t header[] = {0, 3, 0, 0, 0}, end[] = {0, 1, 0};
	bool *seen;
	if (!xhprof_alloc_paths_begin(paths, dump, XHPROF_ALLOC_DEPTH, XHPROF_ALLOC_MAIN_IS_ROOT) ||
		!(seen = xhprof_arena_alloc(&paths->arena, paths->symbols * sizeof(*seen), 1))) {
		return false;
	}
	write_symbols(paths, seen, writer);
	xhprof_write_string(writer, "--- profile\n");
	write_words(writer, header, sizeof(header) / sizeof(header[0]));
	for (uint32_t i = 0; i < paths->count; i++) {
		const xhprof_alloc_path *path = &paths->items[i];
		if (path->own_bytes) {
			write_words(writer, (const uintptr_t[]){path->own_bytes, (uintptr_t)path->depth + 1}, 2);
			for (uint32_t at = i; at; at = paths->items[at].parent) {
				write_words(writer, (const uintptr_t[]){paths->items[at].symbol}, 1);
			}
			write_words(writer, (const uintptr_t[]){paths->items[0].symbol}, 1);
		}
	}
	write_words(writer, end, sizeof(end) / sizeof(end[0]));
	return true;
}
