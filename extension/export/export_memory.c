#include "export_memory.h"

static void json_field(xhprof_writer *writer, const char *name, uint64_t number, bool first)
{
	xhprof_write_string(writer, first ? "{\"" : ",\"");
	xhprof_write_string(writer, name);
	xhprof_write_string(writer, "\":");
	xhprof_write_uint(writer, number);
}

static void json_sums(xhprof_writer *writer, const xhprof_alloc_sums *sums)
{
	json_field(writer, "size", sums->size, true);
	if (sums->peak) {
		json_field(writer, "peak", sums->peak, false);
	}
	if (sums->tracked) {
		json_field(writer, "allocated_bytes", sums->allocated_bytes, false);
		json_field(writer, "allocated_blocks", sums->allocated_blocks, false);
		json_field(writer, "freed_bytes", sums->freed_bytes, false);
		json_field(writer, "freed_blocks", sums->freed_blocks, false);
		json_field(writer, "before_bytes", sums->before_bytes, false);
	}
	xhprof_write_string(writer, "}");
}

static void json_allocators(xhprof_writer *writer, const xhprof_alloc_dump *dump)
{
	xhprof_write_string(writer, "\"allocators\":{\"zend_mm\":");
	json_sums(writer, &dump->of[XHPROF_ALLOCATOR_ZEND]);
	if (dump->of[XHPROF_ALLOCATOR_MALLOC].size || dump->of[XHPROF_ALLOCATOR_MALLOC].tracked) {
		xhprof_write_string(writer, ",\"malloc\":");
		json_sums(writer, &dump->of[XHPROF_ALLOCATOR_MALLOC]);
	}
	xhprof_write_string(writer, ",\"xhprof/register\":");
	json_field(writer, "size", dump->register_bytes, true);
	xhprof_write_string(writer, "}}");
}

static void json_types(xhprof_writer *writer, const xhprof_alloc_types *types)
{
	xhprof_write_string(writer, "\"types\":[");
	for (uint32_t i = 0; i < types->count; i++) {
		xhprof_write_string(writer, i ? "," : "");
		xhprof_write_json_string(writer, types->types[i].name, types->types[i].length);
	}
	xhprof_write_string(writer, "]");
}

enum row_field { ROW_NODE, ROW_TYPE, ROW_MARK, ROW_BLOCKS, ROW_BYTES, ROW_FIELDS };

/* Of no path: see the format. */
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

/* Of what is below the threshold the type is not known, and the first mark that was asked for stands for all. */
static int64_t rest_value(const xhprof_alloc_dump *dump, enum row_field field)
{
	const int64_t values[ROW_FIELDS] = {[ROW_NODE] = NODE_BELOW_THRESHOLD,
										[ROW_TYPE] = XHPROF_TYPE_UNKNOWN,
										[ROW_MARK] = dump->after,
										[ROW_BLOCKS] = (int64_t)dump->rest_blocks,
										[ROW_BYTES] = (int64_t)dump->rest_bytes};
	return values[field];
}

static void json_rows(xhprof_writer *writer, const xhprof_alloc_dump *dump, const uint32_t *places)
{
	static const char *const names[ROW_FIELDS] = {"node", "type", "mark", "blocks", "bytes"};
	bool rest = dump->rest_bytes || dump->rest_blocks;
	xhprof_write_string(writer, "\"rows\":{");
	for (int field = 0; field < ROW_FIELDS; field++) {
		xhprof_write_string(writer, field ? ",\n\"" : "\n\"");
		xhprof_write_string(writer, names[field]);
		xhprof_write_string(writer, "\":[");
		for (size_t i = 0; i < dump->count; i++) {
			xhprof_write_string(writer, i ? "," : "");
			xhprof_write_int(writer, row_value(&dump->rows[i], (enum row_field)field, places));
		}
		if (rest) {
			xhprof_write_string(writer, dump->count ? "," : "");
			xhprof_write_int(writer, rest_value(dump, (enum row_field)field));
		}
		xhprof_write_string(writer, "]");
	}
	xhprof_write_string(writer, "}");
}

/* All in front of the tree and the rows. */
static void json_head(xhprof_writer *writer, const xhprof_alloc_dump *dump, bool with_process)
{
	xhprof_write_string(writer, "{\"v\":1,\"kind\":\"memory\",\"unit\":\"B\"");
	if (with_process) {
		xhprof_write_string(writer, ",\"time\":");
		xhprof_write_decimal(writer, dump->time, 6);
		xhprof_write_string(writer, ",\"pid\":");
		xhprof_write_int(writer, dump->pid);
	}
	xhprof_write_string(writer, ",\"sample_bytes\":");
	xhprof_write_uint(writer, dump->sample_bytes);
	xhprof_write_string(writer, ",\"marks\":");
	xhprof_write_uint(writer, dump->marks);
	xhprof_write_string(writer, ",\n");
	json_allocators(writer, dump);
	xhprof_write_string(writer, ",\n\"dropped\":");
	json_field(writer, "blocks", dump->dropped_blocks, true);
	json_field(writer, "bytes", dump->dropped_bytes, false);
	xhprof_write_string(writer, "},\n");
	json_types(writer, dump->types);
	xhprof_write_string(writer, ",\n");
}

bool xhprof_export_memory_json(const xhprof_alloc_dump *dump, xhprof_writer *writer)
{
	size_t size;
	uint32_t *places = xhprof_calltree_places(&dump->tracer->tree, &size);
	if (!places) {
		return false;
	}
	json_head(writer, dump, false);
	json_rows(writer, dump, places);
	xhprof_write_string(writer, "}\n");
	xhprof_pages_unmap(places, size);
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

static void json_tree(xhprof_writer *writer, preorder *order)
{
	static const char *const names[TREE_FIELDS] = {"fn", "depth", "ct"};
	uint32_t name = 0;
	xhprof_write_string(writer, "\"tree\":{\"v\":1,\"kind\":\"tree\",\"order\":\"preorder\",\"n\":");
	xhprof_write_uint(writer, order->count);
	xhprof_write_string(writer, ",\n\"names\":[");
	for (uint32_t symbol = 1; symbol <= order->paths->known; symbol++) {
		if (order->name_of[symbol]) {
			size_t length;
			const char *text = xhprof_alloc_symbol_name(order->paths, symbol, &length);
			xhprof_write_string(writer, name ? "," : "");
			xhprof_write_json_string(writer, text, length);
			order->name_of[symbol] = name++;
		}
	}
	xhprof_write_string(writer, "]");
	for (tree_field field = 0; field < TREE_FIELDS; field++) {
		xhprof_write_string(writer, ",\n\"");
		xhprof_write_string(writer, names[field]);
		xhprof_write_string(writer, "\":[");
		for (uint32_t place = 0; place < order->count; place++) {
			xhprof_write_string(writer, place ? "," : "");
			xhprof_write_uint(writer, tree_value(order, place, field));
		}
		xhprof_write_string(writer, "]");
	}
	xhprof_write_string(writer, "},\n");
}

bool xhprof_alloc_write_json(const xhprof_alloc_dump *dump, xhprof_alloc_paths *paths, xhprof_writer *writer)
{
	preorder order;
	if (!xhprof_alloc_paths_begin(paths, dump, 0, 0) || !preorder_begin(&order, paths)) {
		return false;
	}
	json_head(writer, dump, true);
	json_tree(writer, &order);
	json_rows(writer, dump, order.places);
	xhprof_write_string(writer, "}\n");
	return true;
}
