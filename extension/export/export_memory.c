#include "export_memory.h"

#include "json_layout.h"

static void json_sums(xhprof_json *json, const char *name, const xhprof_alloc_sums *sums)
{
	xhprof_json_open_member(json, name, '{');
	xhprof_json_uint(json, "size", sums->size);
	if (sums->peak) {
		xhprof_json_uint(json, "peak", sums->peak);
	}
	if (sums->tracked) {
		xhprof_json_uint(json, "allocated_bytes", sums->allocated_bytes);
		xhprof_json_uint(json, "allocated_blocks", sums->allocated_blocks);
		xhprof_json_uint(json, "freed_bytes", sums->freed_bytes);
		xhprof_json_uint(json, "freed_blocks", sums->freed_blocks);
		xhprof_json_uint(json, "before_bytes", sums->before_bytes);
	}
	xhprof_json_close(json, '}');
}

static void json_allocators(xhprof_json *json, const xhprof_alloc_dump *dump)
{
	const xhprof_alloc_sums *native = &dump->of[XHPROF_ALLOCATOR_MALLOC];
	xhprof_json_open_member(json, "allocators", '{');
	json_sums(json, "zend_mm", &dump->of[XHPROF_ALLOCATOR_ZEND]);
	if (native->size || native->tracked) {
		json_sums(json, "malloc", native);
	}
	xhprof_json_open_member(json, "xhprof/register", '{');
	xhprof_json_uint(json, "size", dump->map_bytes);
	xhprof_json_close(json, '}');
	xhprof_json_close(json, '}');
}

static void json_types(xhprof_json *json, const xhprof_alloc_types *types)
{
	xhprof_json_open_member(json, "types", '[');
	for (uint32_t i = 0; i < types->count; i++) {
		xhprof_json_item(json);
		xhprof_write_json_string(json->writer, types->types[i].name, types->types[i].length);
	}
	xhprof_json_close(json, ']');
}

enum row_field { ROW_NODE, ROW_TYPE, ROW_MARK, ROW_BLOCKS, ROW_BYTES, ROW_FIELDS };

/* Rows without a path: see the format. */
enum { NODE_BEFORE = -1, NODE_OTHER_THREADS = -2, NODE_BELOW_THRESHOLD = -3 };

static int64_t row_value(const xhprof_alloc_row *row, enum row_field field, const uint32_t *places)
{
	switch (field) {
		case ROW_NODE:
			if (XHPROF_NODE_IS_PSEUDO(row->node)) {
				return row->node == XHPROF_NODE_BEFORE ? NODE_BEFORE : NODE_OTHER_THREADS;
			}
			return places[row->node];
		case ROW_TYPE:
			return row->type;
		case ROW_MARK:
			return row->mark;
		case ROW_BLOCKS:
			return (int64_t)row->blocks;
		default:
			return (int64_t)row->bytes;
	}
}

/* The rest below the threshold has no known type, and the first requested mark represents all. */
static int64_t rest_value(const xhprof_alloc_dump *dump, enum row_field field)
{
	const int64_t values[ROW_FIELDS] = {[ROW_NODE] = NODE_BELOW_THRESHOLD,
										[ROW_TYPE] = XHPROF_TYPE_UNKNOWN,
										[ROW_MARK] = dump->after,
										[ROW_BLOCKS] = (int64_t)dump->rest_blocks,
										[ROW_BYTES] = (int64_t)dump->rest_bytes};
	return values[field];
}

static void json_rows(xhprof_json *json, const xhprof_alloc_dump *dump, const uint32_t *places)
{
	static const char *const names[ROW_FIELDS] = {"node", "type", "mark", "blocks", "bytes"};
	bool rest = dump->rest_bytes || dump->rest_blocks;
	xhprof_json_line(json);
	xhprof_json_open_member(json, "rows", '{');
	for (int field = 0; field < ROW_FIELDS; field++) {
		xhprof_json_line(json);
		xhprof_json_open_member(json, names[field], '[');
		for (size_t i = 0; i < dump->count; i++) {
			xhprof_json_item(json);
			xhprof_write_int(json->writer, row_value(&dump->rows[i], (enum row_field)field, places));
		}
		if (rest) {
			xhprof_json_item(json);
			xhprof_write_int(json->writer, rest_value(dump, (enum row_field)field));
		}
		xhprof_json_close(json, ']');
	}
	xhprof_json_close(json, '}');
}

/* Everything before the tree and the rows. */
static void json_head(xhprof_json *json, const xhprof_alloc_dump *dump, bool with_process)
{
	xhprof_json_uint(json, "v", 1);
	xhprof_json_text(json, "kind", "memory");
	xhprof_json_text(json, "unit", "B");
	if (with_process) {
		xhprof_json_decimal(json, "time", dump->time, 6);
		xhprof_json_int(json, "pid", dump->pid);
	}
	xhprof_json_uint(json, "sample_bytes", dump->sample_bytes);
	xhprof_json_uint(json, "marks", dump->marks);
	xhprof_json_line(json);
	json_allocators(json, dump);
	xhprof_json_line(json);
	xhprof_json_open_member(json, "dropped", '{');
	xhprof_json_uint(json, "blocks", dump->dropped_blocks);
	xhprof_json_uint(json, "bytes", dump->dropped_bytes);
	xhprof_json_close(json, '}');
	xhprof_json_line(json);
	json_types(json, dump->types);
}

/* Live bytes of the paths when the heap was largest; those that predate the tracking, or were not recorded, are in
 * none. */
static void json_peak(xhprof_json *json, const xhprof_alloc_peak *peak, const uint32_t *places)
{
	static const char *const names[] = {"node", "bytes"};
	xhprof_json_line(json);
	xhprof_json_open_member(json, "peak", '{');
	xhprof_json_uint(json, "size", peak->size);
	for (size_t field = 0; field < 2; field++) {
		xhprof_json_line(json);
		xhprof_json_open_member(json, names[field], '[');
		for (uint32_t id = 1; id <= peak->count; id++) {
			if (peak->live[id]) {
				xhprof_json_item(json);
				xhprof_write_uint(json->writer, field ? peak->live[id] : places[id]);
			}
		}
		xhprof_json_close(json, ']');
	}
	xhprof_json_close(json, '}');
}

static void json_end(xhprof_json *json)
{
	xhprof_json_close(json, '}');
	xhprof_write_string(json->writer, "\n");
}

bool xhprof_export_memory_json(const xhprof_alloc_dump *dump, const uint32_t *places, xhprof_writer *writer)
{
	xhprof_json json = {.writer = writer, .first = true};
	xhprof_json_open(&json, '{');
	json_head(&json, dump, false);
	json_rows(&json, dump, places);
	if (dump->peak) {
		json_peak(&json, dump->peak, places);
	}
	json_end(&json);
	return true;
}

/* The paths of a dump in preorder. */
typedef struct preorder {
	const xhprof_alloc_paths *paths;
	uint32_t *of;      /* places -> path */
	uint32_t *places;  /* id of a node that has rows -> its path's place */
	uint32_t *name_of; /* symbol -> its place among the names */
	uint32_t count;
} preorder;

static bool is_real(const xhprof_alloc_paths *paths, uint32_t path)
{
	return path && paths->of[path].symbol <= paths->known;
}

static bool preorder_begin(preorder *order, xhprof_alloc_paths *paths)
{
	const xhprof_alloc_dump *dump = paths->dump;
	xhprof_alloc_walk walk = {0};
	*order = (preorder){.paths = paths};
	order->of = xhprof_arena_alloc(&paths->arena, paths->count * sizeof(*order->of), 4);
	order->places = xhprof_arena_alloc(&paths->arena, ((size_t)dump->nodes + 1) * sizeof(*order->places), 4);
	order->name_of = xhprof_arena_alloc(&paths->arena, paths->symbols * sizeof(*order->name_of), 4);
	if (!order->of || !order->places || !order->name_of) {
		return false;
	}
	do {
		if (walk.leaving || !is_real(paths, walk.path)) {
			continue;
		}
		const xhprof_alloc_path *path = &paths->of[walk.path];
		for (uint32_t row = path->first_row; row; row = paths->next_row[row - 1]) {
			order->places[dump->rows[row - 1].node] = order->count;
		}
		order->name_of[path->symbol] = 1;
		order->of[order->count++] = walk.path;
	} while (xhprof_alloc_walk_next(paths, &walk));
	return true;
}

typedef enum tree_field { TREE_FN, TREE_DEPTH, TREE_CALLS, TREE_FIELDS } tree_field;

static uint64_t tree_value(const preorder *order, uint32_t place, tree_field field)
{
	const xhprof_alloc_path *path = &order->paths->of[order->of[place]];
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
	json_head(&json, dump, true);
	json_tree(&json, &order);
	json_rows(&json, dump, order.places);
	json_end(&json);
	return true;
}
