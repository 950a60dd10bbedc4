#include "columns.h"

#include <sys/mman.h>

/* The bytes of places by node id, from 1 on. */
#define PLACES_SIZE(nodes) (((nodes) + 1) * sizeof(uint32_t))

/* Returns whether a profile has a column. */
static bool columns_has(const xhprof_tracer *tracer, enum xhprof_column column)
{
	switch (column) {
#define PRESENT(name, key, unit, present, value) \
	case XHPROF_COLUMN_##name:                   \
		return present;
		XHPROF_FIGURES(PRESENT, PRESENT)
#undef PRESENT
		case XHPROF_COLUMN_CORRECTED_WALL:
		case XHPROF_COLUMN_CORRECTED_CPU:
			return false;
		default:
			return true;
	}
}

void xhprof_columns_init(xhprof_columns *columns, const xhprof_tracer *tracer)
{
	columns->tracer = tracer;
	columns->room = XHPROF_COLUMNS_BLOCK;
	columns->pages = NULL;
	columns->filled_places = columns->places = NULL;
	columns->complete = false;
	columns->count = 0;
	columns->corrected = (xhprof_corrected){.scratch = tracer->scratch};
	columns->symbols = columns->small_symbols;
	for (size_t i = 0; i < XHPROF_COLUMNS; i++) {
		columns->values[i] = columns_has(tracer, i) ? columns->small[i] : NULL;
	}
	xhprof_columns_rewind(columns);
}

void xhprof_columns_map(xhprof_columns *columns, const xhprof_tracer *tracer, bool places)
{
	size_t room = ((size_t)tracer->tree.nodes + 7) & ~(size_t)7, present = 0;
	xhprof_columns_init(columns, tracer);
	if (room <= XHPROF_COLUMNS_BLOCK) {
		return;
	}
	for (size_t i = 0; i < XHPROF_COLUMNS; i++) {
		present += columns->values[i] != NULL;
	}
	columns->pages_size = room * (present * sizeof(int64_t) + sizeof(xhprof_symbol_ref));
	columns->pages_size += places ? PLACES_SIZE(room) : 0;
	columns->pages = xhprof_scratch_take_dirty(tracer->scratch, columns->pages_size);
	if (!columns->pages) {
		return;
	}
	if (columns->pages_size > XHPROF_SCRATCH_MOST) {
		madvise(columns->pages, columns->pages_size, MADV_HUGEPAGE); /* all of it will be touched now */
	}
	int64_t *column = columns->pages;
	for (size_t i = 0; i < XHPROF_COLUMNS; i++) {
		if (columns->values[i]) {
			columns->values[i] = column;
			column += room;
		}
	}
	columns->symbols = (xhprof_symbol_ref *)column;
	columns->filled_places = places ? columns->symbols + room : NULL;
	columns->room = room;
}

static bool correct_block(const xhprof_columns *columns, xhprof_correction *correction)
{
	xhprof_measured nodes = {
		.count = columns->count,
		.symbols = columns->symbols,
		.depth = columns->values[XHPROF_COLUMN_DEPTH],
		.calls = columns->values[XHPROF_COLUMN_CALLS],
		.wall = columns->values[XHPROF_COLUMN_WALL],
		.cpu = columns->values[XHPROF_COLUMN_CPU],
	};
	return xhprof_correction_add(correction, &nodes);
}

/* Computes the corrected columns; without memory there are none. */
static void columns_correct(xhprof_columns *columns, const xhprof_overhead *overhead)
{
	const xhprof_tracer *tracer = columns->tracer;
	xhprof_correction correction;
	columns->corrected.only_wall = !columns->values[XHPROF_COLUMN_CPU];
	if (!xhprof_correction_begin(&correction, overhead, &tracer->symbols, tracer->tree.nodes, &columns->corrected)) {
		return;
	}
	bool complete = true;
	for (xhprof_columns_rewind(columns); complete && xhprof_columns_next(columns);) {
		complete = correct_block(columns, &correction);
	}
	xhprof_correction_end(&correction, complete);
}

void xhprof_columns_correct(xhprof_columns *columns, const xhprof_overhead *overhead)
{
	if (overhead && overhead->known && columns->values[XHPROF_COLUMN_WALL]) {
		columns_correct(columns, overhead);
		xhprof_columns_rewind(columns);
		columns->values[XHPROF_COLUMN_CORRECTED_WALL] = columns->corrected.wall;
		columns->values[XHPROF_COLUMN_CORRECTED_CPU] = columns->corrected.cpu;
	}
}

void xhprof_columns_release(xhprof_columns *columns)
{
	xhprof_corrected_free(&columns->corrected);
	xhprof_scratch_give(columns->tracer->scratch, columns->pages, columns->pages_size);
	xhprof_scratch_give(columns->tracer->scratch, columns->places, columns->places_size);
	columns->pages = NULL;
	columns->filled_places = columns->places = NULL;
	columns->count = columns->room = 0;
	columns->next = NULL;
}

/* The nodes of a walk, few enough to be in the nearest cache while one column after the other is taken from them. */
typedef struct walked {
	const xhprof_node *nodes[XHPROF_COLUMNS_BLOCK];
	size_t count;
	size_t at; /* place in the columns of the first */
} walked;

/* Reads the next nodes in preorder, and their values that only the walk shows. */
static void walk(xhprof_columns *columns, walked *walked, size_t most)
{
	const xhprof_node *node = columns->next;
	const size_t at = walked->at;
	int64_t *depths = columns->values[XHPROF_COLUMN_DEPTH] + at, *lines = columns->values[XHPROF_COLUMN_CALL_LINE] + at;
	uint32_t depth = columns->next_depth;
	size_t i = 0;
	for (; node && i < most; i++) {
		walked->nodes[i] = node;
		depths[i] = depth;
		lines[i] = *xhprof_node_call_line(node);
		node = xhprof_calltree_next_at(node, &depth);
	}
	walked->count = i;
	columns->next = node;
	columns->next_depth = depth;
}

/* Runs `body` for each `node` that was walked, the `i`th. Not every one uses the node. */
#define EACH(body)                                             \
	_Pragma("GCC unroll 8") for (size_t i = 0; i < count; i++) \
	{                                                          \
		const xhprof_node *node = nodes[i];                    \
		(void)node;                                            \
		body;                                                  \
	}

/* Returns a number of whole blocks for one in parts. Most trees count whole ones, so that a slow division is
 * avoided. */
static inline int64_t whole_blocks(const xhprof_calltree *tree, uint64_t parts)
{
	return (int64_t)(tree->block_unit == 1 ? parts : parts / tree->block_unit);
}

static void take_figures(xhprof_columns *columns, const walked *walked)
{
	const xhprof_calltree *tree = &columns->tracer->tree;
	const xhprof_node *const *nodes = walked->nodes;
	const size_t count = walked->count, first = columns->first + walked->at;
	xhprof_symbol_ref *symbols = columns->symbols + walked->at;
	int64_t *calls = columns->values[XHPROF_COLUMN_CALLS] + walked->at;
	uint32_t *places = columns->filled_places;
	const xhprof_node_blocks *blocks[XHPROF_COLUMNS_BLOCK];
	EACH(symbols[i] = node->symbol; calls[i] = (int64_t)node->calls)
	if (tree->blocks) {
		EACH(blocks[i] = &tree->blocks[node->id])
	}
	if (places) {
		EACH(places[node->id] = (uint32_t)(first + i))
	}
#define TAKE(name, key, unit, present, value)                                 \
	if (columns->values[XHPROF_COLUMN_##name]) {                              \
		int64_t *values = columns->values[XHPROF_COLUMN_##name] + walked->at; \
		EACH(values[i] = (int64_t)(value))                                    \
	}
	XHPROF_FIGURES(TAKE, TAKE)
#undef TAKE
}

static void columns_fill(xhprof_columns *columns)
{
	walked walked = {.at = 0};
	columns->first = columns->next == columns->tracer->tree.root ? 0 : columns->first + columns->count;
	if (columns->corrected.wall) {
		columns->values[XHPROF_COLUMN_CORRECTED_WALL] = columns->corrected.wall + columns->first;
	}
	if (columns->values[XHPROF_COLUMN_CORRECTED_CPU]) {
		columns->values[XHPROF_COLUMN_CORRECTED_CPU] = columns->corrected.cpu + columns->first;
	}
	while (columns->next && walked.at < columns->room) {
		size_t left = columns->room - walked.at;
		walk(columns, &walked, left < XHPROF_COLUMNS_BLOCK ? left : XHPROF_COLUMNS_BLOCK);
		take_figures(columns, &walked);
		walked.at += walked.count;
	}
	columns->count = walked.at;
}

void xhprof_columns_rewind(xhprof_columns *columns)
{
	columns->next = columns->tracer->tree.root;
	columns->next_depth = 0;
}

bool xhprof_columns_next(xhprof_columns *columns)
{
	if (!columns->next) {
		return false;
	}
	if (columns->complete) {
		columns->next = NULL;
		return true;
	}
	bool first = columns->next == columns->tracer->tree.root;
	columns_fill(columns);
	columns->complete = first && !columns->next;
	return true;
}

const uint32_t *xhprof_columns_places(xhprof_columns *columns)
{
	if (columns->complete && columns->filled_places) {
		return columns->filled_places;
	}
	if (!columns->places) {
		const xhprof_tracer *tracer = columns->tracer;
		columns->places = xhprof_calltree_places(&tracer->tree, tracer->scratch, &columns->places_size);
	}
	return columns->places;
}
