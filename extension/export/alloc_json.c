#include "alloc_json.h"

#include "alloc_rows.h"

static void json_types(xhprof_json *json, const xhprof_alloc_types *types)
{
	xhprof_json_open_member(json, "types", '[');
	for (uint32_t i = 0; i < types->count; i++) {
		xhprof_json_item(json);
		xhprof_write_json_string(json->writer, types->types[i].name, types->types[i].length);
	}
	xhprof_json_close(json, ']');
}

static void json_rows(xhprof_json *json, const xhprof_alloc_dump *dump, const uint32_t *places)
{
	xhprof_json_line(json);
	xhprof_json_open_member(json, "rows", '{');
	for (unsigned field = 0; field < XHPROF_ROW_FIELDS; field++) {
		xhprof_json_line(json);
		xhprof_json_open_member(json, xhprof_alloc_row_names[field], '[');
		for (size_t i = 0; i < xhprof_alloc_rows_count(dump); i++) {
			xhprof_json_item(json);
			xhprof_write_int(json->writer,
							 xhprof_alloc_rows_value(dump, i, (enum xhprof_alloc_row_field)field, places));
		}
		xhprof_json_close(json, ']');
	}
	xhprof_json_close(json, '}');
}

/* Writes everything before the tree and the rows. */
static void json_head(xhprof_json *json, const xhprof_alloc_dump *dump)
{
	xhprof_json_uint(json, "v", 1);
	xhprof_json_text(json, "kind", "memory");
	xhprof_json_text(json, "unit", "B");
	xhprof_json_decimal(json, "time", dump->time, 6);
	xhprof_json_int(json, "pid", dump->pid);
	xhprof_alloc_rows_figures(json, dump, true);
	xhprof_json_line(json);
	json_types(json, dump->types);
}

/* The paths of a dump in preorder. */
typedef struct preorder {
	const xhprof_alloc_paths *paths;
	uint32_t *path_at; /* places -> path */
	uint32_t *places;  /* id of a node that has rows -> its path's place */
	uint32_t *name_of; /* symbol -> its place among the names */
	uint32_t count;
} preorder;

static bool is_real(const xhprof_alloc_paths *paths, uint32_t path)
{
	return path && paths->items[path].symbol <= paths->known;
}

static bool preorder_begin(preorder *order, xhprof_alloc_paths *paths)
{
	const xhprof_alloc_dump *dump = paths->dump;
	xhprof_alloc_walk walk = {0};
	*order = (preorder){.paths = paths};
	order->path_at = xhprof_arena_alloc(&paths->arena, paths->count * sizeof(*order->path_at), 4);
	order->places = xhprof_arena_alloc(&paths->arena, ((size_t)dump->nodes + 1) * sizeof(*order->places), 4);
	order->name_of = xhprof_arena_alloc(&paths->arena, paths->symbols * sizeof(*order->name_of), 4);
	if (!order->path_at || !order->places || !order->name_of) {
		return false;
	}
	do {
		if (walk.leaving || !is_real(paths, walk.path)) {
			continue;
		}
		const xhprof_alloc_path *path = &paths->items[walk.path];
		for (uint32_t row = path->first_row; row; row = paths->next_row[row - 1]) {
			order->places[dump->rows[row - 1].node] = order->count;
		}
		order->name_of[path->symbol] = 1;
		order->path_at[order->count++] = walk.path;
	} while (xhprof_alloc_walk_next(paths, &walk));
	return true;
}

typedef enum tree_field { TREE_FN, TREE_DEPTH, TREE_CALLS, TREE_FIELDS } tree_field;

static uint64_t tree_value(const preorder *order, uint32_t place, tree_field field)
{
	const xhprof_alloc_path *path = &order->paths->items[order->path_at[place]];
	return field == TREE_FN ? order->name_of[path->symbol] : field == TREE_DEPTH ? path->depth - 1 : path->calls;
}

static void json_tree(xhprof_json *json, preorder *order)
{
	static const char *const names[TREE_FIELDS] = {"fn", "depth", "ct"};
	uint32_t name = 0;
	xhprof_json_line(json);
	xhprof_json_open_member(json, "tree", '{');
	xhprof_json_uint(json, "v", 1);
	xhprof_json_text(json, "kind", "tree");
	xhprof_json_text(json, "order", "preorder");
	xhprof_json_uint(json, "n", order->count);
	xhprof_json_line(json);
	xhprof_json_open_member(json, "names", '[');
	for (uint32_t symbol = 1; symbol <= order->paths->known; symbol++) {
		if (order->name_of[symbol]) {
			size_t length;
			const char *text = xhprof_alloc_symbol_name(order->paths, symbol, &length);
			xhprof_json_item(json);
			xhprof_write_json_string(json->writer, text, length);
			order->name_of[symbol] = name++;
		}
	}
	xhprof_json_close(json, ']');
	for (tree_field field = 0; field < TREE_FIELDS; field++) {
		xhprof_json_line(json);
		xhprof_json_open_member(json, names[field], '[');
		for (uint32_t place = 0; place < order->count; place++) {
			xhprof_json_item(json);
			xhprof_write_uint(json->writer, tree_value(order, place, field));
		}
		xhprof_json_close(json, ']');
	}
	xhprof_json_close(json, '}');
}

bool xhprof_alloc_write_json(const xhprof_alloc_dump *dump, xhprof_alloc_paths *paths, xhprof_writer *writer)
{
	xhprof_json json = {.writer = writer, .first = true};
	preorder order;
	if (!xhprof_alloc_paths_begin(paths, dump, 0, 0) || !preorder_begin(&order, paths)) {
		return false;
	}
	xhprof_json_open(&json, '{');
	json_head(&json, dump);
	json_tree(&json, &order);
	json_rows(&json, dump, order.places);
	xhprof_json_close(&json, '}');
	xhprof_write_string(writer, "\n");
	return true;
}
