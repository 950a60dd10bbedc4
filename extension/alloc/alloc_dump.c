#include "alloc_dump.h"

#include "alloc_sampling.h"

#include "base/hash.h"

#include <stdlib.h>
#include <string.h>

#define FIRST_ROWS 4096u

typedef struct gathering {
	xhprof_alloc_dump *dump;
	const xhprof_alloc_dump_options *options;
	xhprof_allocator allocator;
	xhprof_alloc_sampling sampling; /* for weights; mean 0 where there are none */
	xhprof_table index;             /* hash of a row's key -> its number from 1; the next hash if taken */
	size_t rows_capacity;
	size_t last; /* row of the last block: neighbouring blocks were often allocated together */
	bool failed;
} gathering;

const char *xhprof_alloc_pseudo_name(uint32_t node)
{
	return node == XHPROF_NODE_BEFORE ? "(before)" : "(other threads)";
}

static bool same_row(const xhprof_alloc_row *row, const xhprof_alloc_row *key)
{
	return row->node == key->node && row->mark == key->mark && row->type == key->type &&
		   row->allocator == key->allocator;
}

/* Returns the number of the row of a key, or 0, and gives its hash in the index. */
static size_t find_row(const gathering *gather, const xhprof_alloc_row *key, uint64_t *hash)
{
	size_t number;
	*hash = xhprof_hash_mix((uint64_t)key->node << 32 | key->mark);
	*hash = xhprof_hash_mix(*hash ^ (uint64_t)key->type << 8 ^ key->allocator) | 1;
	while ((number = (size_t)(uintptr_t)xhprof_table_find(&gather->index, *hash)) &&
		   !same_row(&gather->dump->rows[number - 1], key)) {
		*hash += 2;
	}
	return number;
}

static bool add_row(gathering *gather, const xhprof_alloc_row *key, uint64_t hash)
{
	xhprof_alloc_dump *dump = gather->dump;
	if ((dump->count == gather->rows_capacity &&
		 !xhprof_pages_double((void **)&dump->rows, sizeof(*dump->rows), &gather->rows_capacity, FIRST_ROWS)) ||
		!xhprof_table_put(&gather->index, hash, (void *)(uintptr_t)(dump->count + 1))) {
		return false;
	}
	dump->rows[dump->count++] = *key;
	return true;
}

static xhprof_alloc_row *row_of(gathering *gather, const xhprof_alloc_row *key)
{
	xhprof_alloc_dump *dump = gather->dump;
	if (gather->last < dump->count && same_row(&dump->rows[gather->last], key)) {
		return &dump->rows[gather->last];
	}
	uint64_t hash;
	size_t number = find_row(gather, key, &hash);
	if (!number) {
		gather->failed = !add_row(gather, key, hash);
		number = dump->count;
	}
	if (gather->failed) {
		return NULL;
	}
	gather->last = number - 1;
	return &dump->rows[gather->last];
}

static bool between_marks(const xhprof_alloc_dump_options *options, uint32_t mark)
{
	return mark >= options->after && (!options->before || mark < options->before);
}

static void gather_block(void *context, uintptr_t address, size_t size, const xhprof_record *record, uint16_t *type)
{
	gathering *gather = context;
	const xhprof_alloc_dump_options *options = gather->options;
	if (!between_marks(options, record->mark) || gather->failed) {
		return;
	}
	xhprof_alloc_row key = {.node = record->node, .allocator = (uint8_t)gather->allocator};
	key.mark = options->by_marks ? record->mark : 0;
	if (gather->allocator == XHPROF_ALLOCATOR_MALLOC) {
		key.type = XHPROF_TYPE_MALLOC;
	} else if (options->by_types) {
		key.type = *type;
	}
	xhprof_alloc_row *row = row_of(gather, &key);
	if (!row) {
		return;
	}
	if (gather->sampling.mean) {
		xhprof_alloc_weight weight = xhprof_alloc_sampling_weight(&gather->sampling, size);
		row->bytes += weight.bytes;
		row->blocks += weight.blocks;
	} else {
		row->bytes += size;
		row->blocks++;
	}
}

/* Adds one row for blocks that predate the tracking or were not recorded. */
static void gather_before(gathering *gather, uint64_t bytes)
{
	xhprof_alloc_row key = {.node = XHPROF_NODE_BEFORE, .allocator = (uint8_t)gather->allocator};
	key.type = gather->allocator == XHPROF_ALLOCATOR_MALLOC ? XHPROF_TYPE_MALLOC : XHPROF_TYPE_UNKNOWN;
	xhprof_alloc_row *row =
		bytes && between_marks(gather->options, 0) && !gather->options->since_start ? row_of(gather, &key) : NULL;
	if (row) {
		row->bytes += bytes;
	}
}

static int heavier_first(const void *one, const void *other)
{
	const xhprof_alloc_row *a = one, *b = other;
	if (a->bytes != b->bytes) {
		return a->bytes < b->bytes ? 1 : -1;
	}
	if (a->node != b->node) {
		return a->node < b->node ? -1 : 1;
	}
	return a->type != b->type ? a->type - b->type : a->mark < b->mark ? -1 : a->mark > b->mark;
}

/* Keeps and sorts only rows over the threshold. */
static void keep_heavy(xhprof_alloc_dump *dump, uint64_t threshold)
{
	size_t kept = 0;
	for (size_t i = 0; i < dump->count; i++) {
		if (dump->rows[i].bytes >= threshold) {
			dump->rows[kept++] = dump->rows[i];
		} else {
			dump->rest_bytes += dump->rows[i].bytes;
			dump->rest_blocks += dump->rows[i].blocks;
			dump->rest_rows++;
		}
	}
	dump->count = kept;
	if (kept) {
		qsort(dump->rows, kept, sizeof(*dump->rows), heavier_first);
	}
}

static bool list_nodes(xhprof_alloc_dump *dump)
{
	dump->nodes_bytes = ((size_t)dump->nodes + 1) * sizeof(*dump->node_of);
	dump->node_of = xhprof_pages_map(dump->nodes_bytes);
	if (!dump->node_of) {
		return false;
	}
	for (const xhprof_node *node = dump->tracer->tree.root; node; node = xhprof_calltree_next(node)) {
		dump->node_of[node->id] = node;
	}
	return true;
}

bool xhprof_alloc_dump_take(xhprof_alloc_dump *dump, xhprof_block_map *map[XHPROF_ALLOCATORS],
							const xhprof_alloc_dump_options *options)
{
	gathering gather = {.dump = dump, .options = options};
	dump->nodes = dump->tracer->tree.nodes;
	dump->after = options->after;
	bool complete = list_nodes(dump);
	for (int i = 0; complete && i < XHPROF_ALLOCATORS; i++) {
		gather.allocator = (xhprof_allocator)i;
		if (!options->allocators[i] || !map[i]) {
			continue;
		}
		gather.sampling.mean = i == XHPROF_ALLOCATOR_ZEND ? dump->sample_bytes : 0;
		xhprof_block_map_each(map[i], gather_block, &gather);
		gather_before(&gather, dump->sums[i].before_bytes);
		complete = !gather.failed;
	}
	xhprof_table_release(&gather.index);
	dump->rows_bytes = gather.rows_capacity * sizeof(*dump->rows);
	if (!complete) {
		xhprof_alloc_dump_release(dump);
		return false;
	}
	for (size_t i = 0; dump->sample_bytes && i < dump->count; i++) {
		if (dump->rows[i].allocator == XHPROF_ALLOCATOR_ZEND) {
			dump->rows[i].blocks /= XHPROF_SAMPLING_UNIT;
		}
	}
	keep_heavy(dump, options->threshold);
	return true;
}

void xhprof_alloc_dump_release(xhprof_alloc_dump *dump)
{
	xhprof_pages_unmap(dump->rows, dump->rows_bytes);
	xhprof_pages_unmap(dump->node_of, dump->nodes_bytes);
	memset(dump, 0, sizeof(*dump));
}
