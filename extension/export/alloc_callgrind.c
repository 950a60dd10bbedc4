#include "alloc_callgrind.h"

/* The sums of one function, or of its calls to another. */
typedef struct function_sums {
	uint64_t bytes, blocks, calls;
	uint32_t next; /* in a list of symbols */
	bool listed, named;
} function_sums;

typedef struct callgrind {
	const xhprof_alloc_paths *paths;
	xhprof_writer *writer;
	uint32_t *first_path; /* symbol -> list of its paths */
	uint32_t *next_path;
	uint32_t *open;        /* symbol -> number of its calls around the walk's position */
	bool *outermost;       /* path -> whether it is within no other path of its symbol */
	function_sums *callee; /* by symbol, zero between functions */
} callgrind;

static bool callgrind_begin(callgrind *out, xhprof_alloc_paths *paths, xhprof_writer *writer)
{
	xhprof_arena *arena = &paths->arena;
	out->paths = paths;
	out->writer = writer;
	return (out->first_path = xhprof_arena_alloc(arena, paths->symbols * sizeof(*out->first_path), 4)) &&
		   (out->next_path = xhprof_arena_alloc(arena, paths->count * sizeof(*out->next_path), 4)) &&
		   (out->open = xhprof_arena_alloc(arena, paths->symbols * sizeof(*out->open), 4)) &&
		   (out->outermost = xhprof_arena_alloc(arena, paths->count * sizeof(*out->outermost), 1)) &&
		   (out->callee = xhprof_arena_alloc(arena, paths->symbols * sizeof(*out->callee), 8));
}

static void list_paths(callgrind *out)
{
	for (uint32_t i = out->paths->count; i-- > 0;) {
		uint32_t *first = &out->first_path[out->paths->items[i].symbol];
		out->next_path[i] = *first;
		*first = i + 1;
	}
}

static void find_outermost(callgrind *out)
{
	xhprof_alloc_walk walk = {0};
	do {
		uint32_t *open = &out->open[out->paths->items[walk.path].symbol];
		if (walk.leaving) {
			--*open;
		} else {
			out->outermost[walk.path] = !*open;
			++*open;
		}
	} while (xhprof_alloc_walk_next(out->paths, &walk));
}

/* Writes a function: "fn=(3) name", and later "fn=(3)". */
static void write_function(callgrind *out, const char *key, uint32_t symbol)
{
	xhprof_write_string(out->writer, key);
	xhprof_write_string(out->writer, "(");
	xhprof_write_uint(out->writer, symbol);
	xhprof_write_string(out->writer, ")");
	if (!out->callee[symbol].named) {
		size_t length;
		const char *name = xhprof_alloc_symbol_name(out->paths, symbol, &length);
		out->callee[symbol].named = true;
		xhprof_write_string(out->writer, " ");
		xhprof_write_name(out->writer, name, length, '\0');
	}
	xhprof_write_string(out->writer, "\n");
}

static void write_costs(callgrind *out, const char *before, uint64_t bytes, uint64_t blocks)
{
	xhprof_write_string(out->writer, before);
	xhprof_write_uint(out->writer, bytes);
	xhprof_write_string(out->writer, " ");
	xhprof_write_uint(out->writer, blocks);
	xhprof_write_string(out->writer, "\n");
}

/* Sums up the calls of a path, by function. Readers compute a function's inclusive cost from the calls to it: only the
 * outermost have costs, so that nothing counts twice. */
static void add_calls(callgrind *out, uint32_t path, uint32_t *first)
{
	for (uint32_t child = out->paths->items[path].first_child; child; child = out->paths->items[child].next_sibling) {
		const xhprof_alloc_path *called = &out->paths->items[child];
		function_sums *callee = &out->callee[called->symbol];
		if (!callee->listed) {
			callee->listed = true;
			callee->next = *first;
			*first = called->symbol;
		}
		callee->calls += called->calls;
		if (out->outermost[child]) {
			callee->bytes += called->bytes;
			callee->blocks += called->blocks;
		}
	}
}

static void write_calls(callgrind *out, uint32_t first)
{
	for (uint32_t symbol = first, next; symbol; symbol = next) {
		function_sums *callee = &out->callee[symbol];
		write_function(out, "cfn=", symbol);
		xhprof_write_string(out->writer, "calls=");
		xhprof_write_uint(out->writer, callee->calls ? callee->calls : 1); /* 0: the next line would be no call's */
		write_costs(out, " 1\n1 ", callee->bytes, callee->blocks);
		next = callee->next;
		*callee = (function_sums){.named = true};
	}
}

static void write_functions(callgrind *out)
{
	const xhprof_alloc_path *items = out->paths->items;
	for (uint32_t i = 0; i < out->paths->count; i++) {
		uint32_t symbol = items[i].symbol, called = 0;
		uint64_t bytes = 0, blocks = 0;
		if (out->first_path[symbol] != i + 1) {
			continue;
		}
		for (uint32_t path = i + 1; path; path = out->next_path[path - 1]) {
			bytes += items[path - 1].own_bytes;
			blocks += items[path - 1].own_blocks;
			add_calls(out, path - 1, &called);
		}
		write_function(out, "\nfn=", symbol);
		write_costs(out, "1 ", bytes, blocks);
		write_calls(out, called);
	}
}

bool xhprof_alloc_write_callgrind(const xhprof_alloc_dump *dump, xhprof_alloc_paths *paths, xhprof_writer *writer)
{
	callgrind out;
	if (!xhprof_alloc_paths_begin(paths, dump, 0, XHPROF_ALLOC_MAIN_IS_ROOT) || !callgrind_begin(&out, paths, writer)) {
		return false;
	}
	list_paths(&out);
	find_outermost(&out);
	xhprof_write_string(writer, "# callgrind format\nversion: 1\ncreator: xhprof\npid: ");
	xhprof_write_int(writer, dump->pid);
	xhprof_write_string(writer, "\ncmd: unknown\npart: 1\npositions: line\nevents: Memory_Size_(bytes) BlocksCount\n");
	write_costs(&out, "summary: ", paths->items[0].bytes, paths->items[0].blocks);
	xhprof_write_string(writer, "\nfl=(1) php\n");
	write_functions(&out);
	write_costs(&out, "\ntotals: ", paths->items[0].bytes, paths->items[0].blocks);
	return true;
}
