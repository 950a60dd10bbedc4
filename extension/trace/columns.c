#include "columns.h"

#include <sys/mman.h>

/* By node id, from 1 on. */
#define PLACES_SIZE(nodes) (((nodes) + 1) * sizeof(uint32_t))

/* The columns of a profile. */
static bool columns_has(const xhprof_tracer *tracer, enum xhprof_column column)
{
	switch (column) {
		case XHPROF_COLUMN_WALL:
			return xhprof_tracer_has_wall(tracer);
		case XHPROF_COLUMN_SAMPLES:
			return tracer->sample_bytes != 0;
		case XHPROF_COLUMN_CPU:
			return tracer->flags & XHPROF_TRACE_CPU;
		case XHPROF_COLUMN_MEMORY:
		case XHPROF_COLUMN_PEAK:
			return tracer->flags & XHPROF_TRACE_MEMORY;
		case XHPROF_COLUMN_ALLOCATED_BYTES:
		case XHPROF_COLUMN_ALLOCATED_BLOCKS:
			return tracer->tree.blocks != NULL;
		case XHPROF_COLUMN_FREED_BYTES:
		case XHPROF_COLUMN_FREED_BLOCKS:
		case XHPROF_COLUMN_LIVE_BYTES:
		case XHPROF_COLUMN_LIVE_BLOCKS: /* samples are merged with those of other requests, whose blocks are gone */
			return tracer->tree.blocks != NULL && !tracer->sample_interval_us;
		case XHPROF_COLUMN_PEAK_BYTES:
			return tracer->tree.blocks != NULL && tracer->sample_interval_us;
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
		columns->of[i] = columns_has(tracer, i) ? columns->small[i] : NULL;
	}
	xhprof_columns_rewind(columns);
}

void xhprof_columns_map(xhprof_columns *columns, const xhprof_tracer *tracer)
{
	size_t room = ((size_t)tracer->tree.nodes + 7) & ~(size_t)7, present = 0;
	xhprof_columns_init(columns, tracer);
	if (room <= XHPROF_COLUMNS_BLOCK) {
		return;
	}
	for (size_t i = 0; i < XHPROF_COLUMNS; i++) {
		present += columns->of[i] != NULL;
	}
	columns->pages_size = room * (present * sizeof(int64_t) + sizeof(xhprof_symbol_ref)) + PLACES_SIZE(room);
	columns->pages = xhprof_scratch_take_dirty(tracer->scratch, columns->pages_size);
	if (!columns->pages) {
		return;
	}
#ifdef MADV_HUGEPAGE
	if (columns->pages_size > XHPROF_SCRATCH_MOST) {
		madvise(columns->pages, columns->pages_size, MADV_HUGEPAGE); /* all of it will be touched now */
	}
#endif
	int64_t *column = columns->pages;
	for (size_t i = 0; i < XHPROF_COLUMNS; i++) {
		if (columns->of[i]) {
			columns->of[i] = column;
			column += room;
		}
	}
	columns->symbols = (xhprof_symbol_ref *)column;
	columns->filled_places = columns->symbols + room;
	columns->room = room;
}

static bool correct_block(const xhprof_columns *columns, xhprof_correction *correction)
{
	xhprof_measured nodes = {
		.count = columns->count,
		.symbols = columns->symbols,
		.depth = columns->of[XHPROF_COLUMN_DEPTH],
		.calls = columns->of[XHPROF_COLUMN_CALLS],
		.wall = columns->of[XHPROF_COLUMN_WALL],
		.cpu = columns->of[XHPROF_COLUMN_CPU],
	};
	return xhprof_correction_add(correction, &nodes);
}

/* Without memory nothing is left of it. */
static void columns_correct(xhprof_columns *columns, const xhprof_overhead *overhead)
{
	const xhprof_tracer *tracer = columns->tracer;
	xhprof_correction correction;
	columns->corrected.only_wall = !columns->of[XHPROF_COLUMN_CPU];
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
	if (overhead && overhead->known && columns->of[XHPROF_COLUMN_WALL]) {
		columns_correct(columns, overhead);
		xhprof_columns_rewind(columns);
		columns->of[XHPROF_COLUMN_CORRECTED_WALL] = columns->corrected.wall;
		columns->of[XHPROF_COLUMN_CORRECTED_CPU] = columns->corrected.cpu;
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

static void fill_blocks(xhprof_columns *columns, size_t i, const xhprof_node_blocks *blocks)
{
	uint32_t unit = columns->tracer->tree.block_unit;
	int64_t allocated = (int64_t)(blocks->allocated_blocks / unit);
	columns->of[XHPROF_COLUMN_ALLOCATED_BYTES][i] = (int64_t)blocks->allocated_bytes;
	columns->of[XHPROF_COLUMN_ALLOCATED_BLOCKS][i] = allocated;
	if (columns->of[XHPROF_COLUMN_FREED_BYTES]) {
		int64_t freed = (int64_t)(blocks->freed_blocks / unit);
		columns->of[XHPROF_COLUMN_FREED_BYTES][i] = (int64_t)blocks->freed_bytes;
		columns->of[XHPROF_COLUMN_FREED_BLOCKS][i] = freed;
		columns->of[XHPROF_COLUMN_LIVE_BYTES][i] = (int64_t)(blocks->allocated_bytes - blocks->freed_bytes);
		columns->of[XHPROF_COLUMN_LIVE_BLOCKS][i] = allocated - freed;
	}
}

static void columns_fill(xhprof_columns *columns)
{
	const xhprof_node *node = columns->next;
	uint32_t depth = columns->next_depth;
	columns->first = node == columns->tracer->tree.root ? 0 : columns->first + columns->count;
	if (columns->corrected.wall) {
		columns->of[XHPROF_COLUMN_CORRECTED_WALL] = columns->corrected.wall + columns->first;
	}
	if (columns->of[XHPROF_COLUMN_CORRECTED_CPU]) {
		columns->of[XHPROF_COLUMN_CORRECTED_CPU] = columns->corrected.cpu + columns->first;
	}
	int64_t *wall = columns->of[XHPROF_COLUMN_WALL], *cpu = columns->of[XHPROF_COLUMN_CPU];
	int64_t *memory = columns->of[XHPROF_COLUMN_MEMORY], *held = columns->of[XHPROF_COLUMN_PEAK_BYTES];
	int64_t *samples = columns->of[XHPROF_COLUMN_SAMPLES];
	const xhprof_node_blocks *blocks = columns->tracer->tree.blocks;
	uint32_t *places = columns->filled_places;
	size_t i = 0;
	for (; node && i < columns->room; i++) {
		if (places) {
			places[node->id] = (uint32_t)(columns->first + i);
		}
		columns->symbols[i] = node->symbol;
		columns->of[XHPROF_COLUMN_DEPTH][i] = depth;
		columns->of[XHPROF_COLUMN_CALLS][i] = (int64_t)node->calls;
		columns->of[XHPROF_COLUMN_CALL_LINE][i] = *xhprof_node_call_line(node);
		if (wall) {
			wall[i] = (int64_t)node->self_wall;
		}
		if (cpu) {
			cpu[i] = (int64_t)node->self_cpu;
		}
		if (memory) {
			memory[i] = node->self_memory;
			columns->of[XHPROF_COLUMN_PEAK][i] = node->self_peak;
		}
		if (samples) {
			samples[i] = (int64_t)node->calls;
		}
		if (blocks) {
			fill_blocks(columns, i, &blocks[node->id]);
		}
		if (held) {
			held[i] = node->self_peak;
		}
		node = xhprof_calltree_next_at(node, &depth);
	}
	columns->count = i;
	columns->next = node;
	columns->next_depth = depth;
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
