/* The ledger of allocations: the live-block map against a model, sampling against expected values, dumps against sums. */
#include "unit.h"

#include "alloc/alloc_ledger.h"
#include "alloc/alloc_dump.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define CHUNKS 40
#define PLACES 4000

/* Sizes of the Zend heap's bins, and runs of pages. */
static const uint32_t sizes[] = {8, 16, 24, 56, 112, 320, 448, 640, 1280, 2560, 3072, 4096, 8192, 20480};
#define SIZES (sizeof(sizes) / sizeof(sizes[0]))

static uint64_t seed = 42;

static uint32_t random_below(uint32_t bound)
{
	seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (uint32_t)((seed >> 33) % bound);
}

typedef struct block {
	uintptr_t address;
	size_t size; /* 0: free */
	uint32_t node, mark;
} block;

static uint64_t displaced_blocks;

static void count_displaced(void *context, xhprof_record record, size_t size)
{
	(void)context;
	(void)record;
	(void)size;
	displaced_blocks++;
}

typedef struct seen {
	uint64_t blocks, bytes;
} seen;

static void count_seen(void *context, uintptr_t address, size_t size, const xhprof_record *record, uint16_t *type)
{
	seen *all = context;
	(void)address;
	(void)record;
	*type = 7;
	all->blocks++;
	all->bytes += size;
}

/* A place for a block: a huge one at the beginning of a chunk, or one in a run of pages with blocks of one size. */
static void choose_place(block *place, unsigned index)
{
	uintptr_t chunk = UINT64_C(0x7f0000000000) + (uintptr_t)(index % CHUNKS) * XHPROF_ZMM_CHUNK_SIZE * 7;
	chunk -= index % CHUNKS % 8 == 5 ? UINT64_C(0x20000000000) : 0; /* some are far from all others */
	if (index % 200 == 0) {
		place->address = chunk + UINT64_C(0x10000000000) * (index / 200 + 1);
		place->size = XHPROF_ZMM_CHUNK_SIZE * 2;
		return;
	}
	/* Runs of five pages from page 1 on; the blocks of a run follow each other across its pages. */
	uint32_t run = index / CHUNKS % 100, size = sizes[(run * 7 + index % CHUNKS) % SIZES];
	uint32_t many = size >= 4096 ? 1 : 5 * 4096 / size;
	place->address = chunk + 4096 + run * 5 * 4096 + (uintptr_t)(index / CHUNKS / 100 % many) * size;
	place->size = size;
}

static void block_map_behaves_as_a_model(void)
{
	static block places[PLACES], live[PLACES];
	xhprof_block_map map = {0};
	uint64_t wrong = 0, blocks = 0, bytes = 0;
	CHECK(xhprof_block_map_begin(&map, true, 1000000, count_displaced, NULL));
	for (unsigned i = 0; i < PLACES; i++) {
		choose_place(&places[i], i);
		for (unsigned j = 0; j < i; j++) { /* a place may be drawn twice */
			if (places[j].address == places[i].address) {
				places[i].address = 0;
			}
		}
	}
	for (unsigned step = 0; step < 400000; step++) {
		unsigned i = random_below(PLACES);
		xhprof_record record = {0, 0};
		if (!places[i].address) {
			continue;
		}
		if (!live[i].size) {
			wrong += xhprof_block_map_remove(&map, places[i].address, &record) != 0;
			live[i] = places[i];
			live[i].node = random_below(1000) + 1;
			live[i].mark = step;
			record = (xhprof_record){live[i].node, live[i].mark};
			wrong += !xhprof_block_map_add(&map, live[i].address, live[i].size, record);
			wrong += xhprof_block_map_type(&map, live[i].address) == NULL;
			blocks++;
			bytes += live[i].size;
		} else {
			wrong += xhprof_block_map_remove(&map, live[i].address, &record) != live[i].size;
			wrong += record.node != live[i].node || record.mark != live[i].mark;
			wrong += xhprof_block_map_type(&map, live[i].address) != NULL;
			blocks--;
			bytes -= live[i].size;
			live[i].size = 0;
		}
	}
	seen all = {0, 0};
	xhprof_block_map_each(&map, count_seen, &all);
	CHECK(wrong == 0);
	CHECK(displaced_blocks == 0);
	CHECK(all.blocks == blocks && all.bytes == bytes);
	CHECK(xhprof_block_map_blocks(&map) == blocks);
	xhprof_block_map_release(&map);
}

/* Chunks around the first one, on both sides and beyond what can be reserved for them. */
static void chunks_may_be_anywhere(size_t most)
{
	xhprof_block_map map = {0};
	xhprof_record record;
	uint64_t wrong = 0;
	unit_mmap_most = most;
	CHECK(xhprof_block_map_begin(&map, true, 1000000, count_displaced, NULL));
	for (int round = 0; round < 3; round++) {
		for (uint32_t bit = XHPROF_ZMM_CHUNK_BITS - 1; bit < 2 * 46; bit++) {
			uintptr_t away = bit < XHPROF_ZMM_CHUNK_BITS ? 0 : UINT64_C(1) << bit % 46;
			if (away && away < XHPROF_ZMM_CHUNK_SIZE) {
				continue;
			}
			uintptr_t first = UINT64_C(0x400000000000) + 4096 * 9 + 64, at = bit < 46 ? first + away : first - away;
			wrong += round == 0 && !xhprof_block_map_add(&map, at, 64, (xhprof_record){bit, 0});
			wrong += round == 1 && (xhprof_block_map_remove(&map, at, &record) != 64 || record.node != bit);
			wrong += round == 2 && xhprof_block_map_remove(&map, at, &record) != 0;
		}
	}
	CHECK(wrong == 0);
	CHECK(xhprof_block_map_blocks(&map) == 0);
	xhprof_block_map_release(&map);
	unit_mmap_most = 0;
}

/* Every block of each of the heap's sizes has a record of its own, wherever its run begins. */
static void every_block_has_its_own_record(void)
{
	xhprof_block_map map = {0};
	uint64_t wrong = 0;
	for (uint32_t size = 8; size <= 3072; size += 8) {
		uintptr_t begin = UINT64_C(0x7f0000000000) + 4096, end = begin + 5 * 4096;
		wrong += !xhprof_block_map_begin(&map, true, 1000000, count_displaced, NULL);
		for (uintptr_t at = begin; at + size <= end; at += size) {
			wrong += !xhprof_block_map_add(&map, at, size, (xhprof_record){(uint32_t)(at - begin) / size + 1, size});
		}
		for (uintptr_t at = begin; at + size <= end; at += size) {
			xhprof_record record;
			wrong += xhprof_block_map_remove(&map, at, &record) != size;
			wrong += record.node != (uint32_t)(at - begin) / size + 1 || record.mark != size;
		}
		xhprof_block_map_release(&map);
	}
	CHECK(wrong == 0);
	CHECK(displaced_blocks == 0);
}

static void page_may_change_its_block_size(void)
{
	xhprof_block_map map = {0};
	xhprof_record record;
	uintptr_t page = UINT64_C(0x7f0000000000) + 8 * 4096;
	CHECK(xhprof_block_map_begin(&map, true, 1000, count_displaced, NULL));
	displaced_blocks = 0;
	CHECK(xhprof_block_map_add(&map, page + 64, 64, (xhprof_record){1, 0}));
	CHECK(xhprof_block_map_add(&map, page + 128, 64, (xhprof_record){2, 0}));
	CHECK(xhprof_block_map_remove(&map, page + 64, &record) == 64);
	/* The free of the other one was missed: the heap reuses its page for larger blocks. */
	CHECK(xhprof_block_map_add(&map, page, 128, (xhprof_record){3, 0}));
	CHECK(displaced_blocks == 1);
	CHECK(xhprof_block_map_blocks(&map) == 1);
	CHECK(xhprof_block_map_remove(&map, page + 128, &record) == 0);
	/* The free of this one was missed too: its place is reused. */
	CHECK(xhprof_block_map_add(&map, page, 128, (xhprof_record){4, 0}));
	CHECK(displaced_blocks == 2);
	CHECK(xhprof_block_map_remove(&map, page, &record) == 128 && record.node == 4);
	CHECK(xhprof_block_map_blocks(&map) == 0);
	xhprof_block_map_release(&map);
	displaced_blocks = 0;
}

static void block_map_is_bounded(void)
{
	xhprof_block_map map = {0};
	xhprof_record record;
	unsigned added = 0;
	CHECK(xhprof_block_map_begin(&map, true, 1000, count_displaced, NULL));
	for (unsigned i = 0; i < 3000; i++) {
		added += xhprof_block_map_add(&map, UINT64_C(0x7f0000001000) + i * 16, 16, (xhprof_record){1, 0});
	}
	CHECK(added == 1000);
	CHECK(xhprof_block_map_remove(&map, UINT64_C(0x7f0000001000), &record) == 16);
	CHECK(xhprof_block_map_add(&map, UINT64_C(0x7f0000001000), 16, (xhprof_record){1, 0}));
	xhprof_block_map_release(&map);
	/* Empty pages do not make it grow either. */
	CHECK(xhprof_block_map_begin(&map, true, 1000, count_displaced, NULL));
	for (uintptr_t i = 0; i < 1000000; i++) {
		uintptr_t address = UINT64_C(0x7f0000000000) + i / 511 * XHPROF_ZMM_CHUNK_SIZE + (i % 511 + 1) * 4096;
		if (xhprof_block_map_add(&map, address, 8, (xhprof_record){1, 0})) {
			xhprof_block_map_remove(&map, address, &record);
		}
	}
	CHECK(xhprof_block_map_bytes(&map) < (size_t)8 << 20);
	xhprof_block_map_release(&map);
}

static void million_blocks_take_less_than_32_mb(void)
{
	xhprof_block_map map = {0};
	unsigned wrong = 0;
	CHECK(xhprof_block_map_begin(&map, true, 10000000, count_displaced, NULL));
	for (uintptr_t i = 0; i < 1000000; i++) {
		uintptr_t page = i / 73, address = UINT64_C(0x7f0000000000) + page / 511 * XHPROF_ZMM_CHUNK_SIZE;
		address += (page % 511 + 1) * 4096 + i % 73 * 56;
		wrong += !xhprof_block_map_add(&map, address, 56, (xhprof_record){1, 0});
	}
	CHECK(wrong == 0);
	CHECK(xhprof_block_map_blocks(&map) == 1000000);
	CHECK(xhprof_block_map_bytes(&map) <= (size_t)32 << 20);
	xhprof_block_map_release(&map);
}

static void blocks_of_other_heaps_are_hashed(void)
{
	xhprof_block_map map = {0};
	xhprof_record record;
	unsigned wrong = 0;
	CHECK(xhprof_block_map_begin(&map, false, 1000000, count_displaced, NULL));
	for (uintptr_t i = 1; i <= 50000; i++) {
		wrong += !xhprof_block_map_add(&map, i * 48, i, (xhprof_record){(uint32_t)i, 3});
	}
	for (uintptr_t i = 1; i <= 50000; i += 2) {
		wrong += xhprof_block_map_remove(&map, i * 48, &record) != i || record.node != i;
	}
	CHECK(xhprof_block_map_remove(&map, 0, &record) == 0);
	CHECK(xhprof_block_map_blocks(&map) == 25000);
	CHECK(wrong == 0);
	xhprof_block_map_release(&map);
}

/* Blocks of very different sizes: the samples represent all of them. */
static void sampled_sums_are_right(void)
{
	xhprof_alloc_sampling sampling = {0};
	static const size_t of_size[] = {16, 320, 4096, 300000};
	static const unsigned many[] = {4000000, 400000, 40000, 4000};
	xhprof_alloc_sampling_begin(&sampling, 65536, 12345);
	for (unsigned kind = 0; kind < 4; kind++) {
		double bytes = 0, blocks = 0, square = 0, expected = (double)of_size[kind] * many[kind];
		for (unsigned i = 0; i < many[kind]; i++) {
			if (xhprof_alloc_sampling_takes(&sampling, of_size[kind])) {
				xhprof_alloc_weight weight = xhprof_alloc_sampling_weight(&sampling, of_size[kind]);
				bytes += (double)weight.bytes;
				blocks += (double)weight.blocks / XHPROF_SAMPLING_UNIT;
				square += (double)weight.bytes * (double)weight.bytes;
			}
		}
		CHECK(fabs(bytes - expected) < 5 * sqrt(square));
		CHECK(fabs(blocks / many[kind] - bytes / expected) < 0.001);
		CHECK(fabs(bytes / expected - 1) < 0.3);
	}
}

/* A tree main() -> f -> g. */
typedef struct tree {
	xhprof_tracer tracer;
	xhprof_node *f, *g;
} tree;

static void tree_begin(tree *t)
{
	xhprof_tracer_options options = {
		.flags = XHPROF_TRACE_ALLOC | XHPROF_TRACE_PATHS, .max_nodes = 1000, .block_unit = 1};
	memset(t, 0, sizeof(*t));
	CHECK(xhprof_tracer_prepare(&t->tracer, &options));
	xhprof_symbol_ref f = 100 << XHPROF_SYMBOL_FLAG_BITS, g = 101 << XHPROF_SYMBOL_FLAG_BITS;
	t->f = xhprof_calltree_child(&t->tracer.tree, t->tracer.tree.root, f);
	t->g = xhprof_calltree_child(&t->tracer.tree, t->f, g);
}

/* One byte shows that a block was not sampled; it never shows that of a block that was. */
static void sampled_blocks_are_told_by_their_places(void)
{
	tree t;
	xhprof_alloc_ledger ledger = {0};
	enum { BLOCKS = 600, SHARED = 300 };
	const uintptr_t base = UINT64_C(0x7f0000001000);
	unsigned wrong = 0;
	tree_begin(&t);
	CHECK(xhprof_alloc_ledger_begin(&ledger, true, 100000, 1000, t.tracer.tree.blocks));
	CHECK(xhprof_alloc_ledger_lacks(&ledger, base));
	unit_mmaps = 0;
	CHECK(!xhprof_alloc_ledger_add_sampled(&ledger, base, 128, t.f->id)); /* no memory */
	unit_mmaps = -1;
	CHECK(xhprof_alloc_ledger_lacks(&ledger, base) && ledger.dropped_blocks == 1);
	for (uintptr_t i = 0; i < BLOCKS; i++) {
		wrong += !xhprof_alloc_ledger_add_sampled(&ledger, base + i * 128, 128, t.f->id);
		wrong += xhprof_alloc_ledger_lacks(&ledger, base + i * 128);
		wrong += !xhprof_alloc_ledger_lacks(&ledger, base + i * 128 + 64);
	}
	for (uintptr_t i = 0; i < BLOCKS; i++) {
		xhprof_alloc_ledger_free(&ledger, base + i * 128 + 64); /* not recorded */
		xhprof_alloc_ledger_free(&ledger, base + i * 128);
		wrong += !xhprof_alloc_ledger_lacks(&ledger, base + i * 128);
	}
	const xhprof_node_blocks *of_f = &t.tracer.tree.blocks[t.f->id];
	CHECK(of_f->allocated_blocks > BLOCKS && of_f->freed_blocks == of_f->allocated_blocks);
	CHECK(xhprof_block_map_blocks(&ledger.map) == 0);
	/* More than a byte counts share the entry: it stays full, and each of them is found all the same. */
	for (uintptr_t i = 0; i < SHARED; i++) {
		wrong += !xhprof_alloc_ledger_add_sampled(&ledger, base + i * 64 * XHPROF_LEDGER_PLACES, 128, t.g->id);
	}
	for (uintptr_t i = 0; i < SHARED; i++) {
		wrong += xhprof_alloc_ledger_lacks(&ledger, base + i * 64 * XHPROF_LEDGER_PLACES);
		xhprof_alloc_ledger_free(&ledger, base + i * 64 * XHPROF_LEDGER_PLACES);
	}
	CHECK(xhprof_block_map_blocks(&ledger.map) == 0 && !xhprof_alloc_ledger_lacks(&ledger, base));
	CHECK(wrong == 0);
	xhprof_alloc_ledger_release(&ledger);
	CHECK(xhprof_alloc_ledger_lacks(&ledger, base)); /* handlers may ask still */
	xhprof_tracer_release(&t.tracer);
}

/* By quiet bytes the same blocks are sampled, and the peaks taken at the same ones, as by a look at each block. */
static void quiet_bytes_hide_nothing(void)
{
	static xhprof_node_blocks blocks[2];
	xhprof_alloc_ledger ledger = {0};
	xhprof_alloc_sampling plain = {0};
	size_t heap = 1 << 20, next;
	unsigned wrong = 0, looks = 0, samples = 0, peaks = 0;
	CHECK(xhprof_alloc_ledger_begin(&ledger, true, 1000, 65536, blocks));
	xhprof_alloc_sampling_begin(&ledger.sampling, 65536, 7);
	xhprof_alloc_sampling_begin(&plain, 65536, 7);
	xhprof_alloc_peak_begin(&ledger.peak, heap);
	next = ledger.peak.next;
	for (unsigned i = 0; i < 300000; i++) {
		size_t taken = i % 97 ? 16 * (1 + random_below(40)) : 100000;
		bool resized = random_below(50) == 0, sampled = false, peak = false;
		heap += taken;
		bool expected = xhprof_alloc_sampling_takes(&plain, taken), expected_peak = heap >= next;
		if (!resized) {
			ledger.quiet -= (int64_t)taken;
		}
		if (resized || ledger.quiet < 0) {
			looks++;
			xhprof_alloc_ledger_settle(&ledger);
			ledger.sampling.until -= resized ? (int64_t)taken : 0;
			sampled = ledger.sampling.until <= 0;
			peak = heap >= ledger.peak.next;
			if (sampled) {
				xhprof_alloc_sampling_next(&ledger.sampling);
			}
			if (peak) {
				xhprof_alloc_peak_take(&ledger.peak, heap, blocks, 1);
				next = ledger.peak.next;
			}
			xhprof_alloc_ledger_grant(&ledger, heap);
		}
		wrong += sampled != expected || peak != expected_peak;
		samples += sampled;
		peaks += peak;
		heap -= random_below(4) ? taken : 0;
		heap -= random_below(5000) == 0 ? heap / 2 : 0;
	}
	CHECK(wrong == 0);
	CHECK(samples > 1000 && peaks > 10 && looks < 100000);
	xhprof_alloc_ledger_release(&ledger);
}

static void closed_ledger_records_nothing(void)
{
	tree t;
	xhprof_alloc_ledger ledger = {0};
	const uintptr_t base = UINT64_C(0x7f0000001000);
	tree_begin(&t);
	xhprof_node *nowhere = NULL;
	CHECK(xhprof_alloc_ledger_begin(&ledger, true, 1000, 0, t.tracer.tree.blocks));
	xhprof_alloc_ledger_add(&ledger, base, 64, t.f->id);
	xhprof_node *current = t.g;
	CHECK(xhprof_alloc_ledger_add_fast(&ledger, base + 64, 64, &current));
	xhprof_alloc_ledger_close(&ledger);
	CHECK(!xhprof_alloc_ledger_add_fast(&ledger, base + 128, 64, &nowhere));
	CHECK(!xhprof_alloc_ledger_free_fast(&ledger, base));
	CHECK(ledger.quiet < -(INT64_C(1) << 60));
	CHECK(xhprof_block_map_blocks(&ledger.map) == 2 && xhprof_block_map_find(&ledger.map, base)->node == t.f->id);
	xhprof_alloc_ledger_release(&ledger);
	xhprof_tracer_release(&t.tracer);
}

/* Pages of records that were kept hold no block of before. */
static void recycled_ledger_begins_empty(void)
{
	tree t;
	xhprof_alloc_ledger ledger = {0};
	const uintptr_t base = UINT64_C(0x7f0000001000);
	size_t budget = (size_t)1 << 30, nothing = 0, mapped = 0;
	unsigned wrong = 0;
	tree_begin(&t);
	for (unsigned round = 0; round < 3; round++) {
		CHECK(xhprof_alloc_ledger_begin(&ledger, true, 100000, 0, t.tracer.tree.blocks));
		CHECK(xhprof_block_map_blocks(&ledger.map) == 0);
		for (uintptr_t i = 0; i < 20000; i++) {
			wrong += xhprof_block_map_find(&ledger.map, base + i * 32) != NULL;
			xhprof_alloc_ledger_add(&ledger, base + i * 32, 32, t.f->id);
		}
		CHECK(xhprof_block_map_blocks(&ledger.map) == 20000);
		CHECK(!mapped || xhprof_block_map_bytes(&ledger.map) == mapped);
		mapped = xhprof_block_map_bytes(&ledger.map);
		xhprof_alloc_ledger_recycle(&ledger, &budget);
		CHECK(ledger.map.arena.spare && !ledger.map.arena.mapped);
	}
	CHECK(wrong == 0 && budget < (size_t)1 << 30);
	xhprof_alloc_ledger_recycle(&ledger, &nothing); /* idle for long */
	CHECK(!ledger.map.arena.spare);
	xhprof_alloc_ledger_release(&ledger);
	xhprof_tracer_release(&t.tracer);
}

static void dump_has_all_live_blocks(void)
{
	tree t;
	xhprof_alloc_ledger ledger = {0};
	tree_begin(&t);
	CHECK(xhprof_alloc_ledger_begin(&ledger, true, 100000, 0, t.tracer.tree.blocks));
	uintptr_t base = UINT64_C(0x7f0000001000);
	for (unsigned i = 0; i < 100; i++) {
		xhprof_alloc_ledger_add(&ledger, base + i * 32, 32, t.f->id);
	}
	ledger.marks = 1;
	for (unsigned i = 100; i < 120; i++) {
		xhprof_alloc_ledger_add(&ledger, base + i * 32, 32, t.g->id);
	}
	ledger.marks = 2;
	xhprof_alloc_ledger_add(&ledger, base + 0x100000, 4096, t.g->id);
	xhprof_alloc_ledger_free(&ledger, base + 5 * 32);
	xhprof_alloc_ledger_free(&ledger, base + 119 * 32);
	xhprof_alloc_ledger_free(&ledger, base + 300 * 32); /* never seen */
	const xhprof_node_blocks *of_g = &t.tracer.tree.blocks[t.g->id];
	CHECK(of_g->allocated_blocks == 21 && of_g->freed_blocks == 1);
	CHECK(of_g->allocated_bytes - of_g->freed_bytes == 19 * 32 + 4096);
	*xhprof_block_map_type(&ledger.map, base) = XHPROF_TYPE_STRING;

	xhprof_alloc_dump dump = {.tracer = &t.tracer};
	xhprof_block_map *map[XHPROF_ALLOCATORS] = {&ledger.map, NULL};
	xhprof_alloc_dump_options all = {.by_types = true, .by_marks = true, .allocators = {true, true}};
	dump.sums[XHPROF_ALLOCATOR_ZEND].before_bytes = 5000;
	CHECK(xhprof_alloc_dump_take(&dump, map, &all));
	CHECK(dump.nodes == 3 && dump.node_of[t.g->id] == t.g);
	CHECK(dump.count == 5);
	CHECK(dump.rows[0].node == XHPROF_NODE_BEFORE && dump.rows[0].bytes == 5000);
	CHECK(dump.rows[1].node == t.g->id && dump.rows[1].mark == 2 && dump.rows[1].bytes == 4096);
	CHECK(dump.rows[2].node == t.f->id && dump.rows[2].blocks == 98 && dump.rows[2].type == XHPROF_TYPE_UNKNOWN);
	CHECK(dump.rows[3].node == t.g->id && dump.rows[3].mark == 1 && dump.rows[3].blocks == 19);
	CHECK(dump.rows[4].type == XHPROF_TYPE_STRING && dump.rows[4].bytes == 32);
	xhprof_alloc_dump_release(&dump);

	/* After mark 1, before mark 2; and the rest below a threshold. */
	dump = (xhprof_alloc_dump){.tracer = &t.tracer};
	xhprof_alloc_dump_options between = {.after = 1, .before = 2, .allocators = {true, true}};
	CHECK(xhprof_alloc_dump_take(&dump, map, &between));
	CHECK(dump.count == 1 && dump.rows[0].node == t.g->id && dump.rows[0].blocks == 19);
	xhprof_alloc_dump_release(&dump);
	dump = (xhprof_alloc_dump){.tracer = &t.tracer};
	xhprof_alloc_dump_options heavy = {.threshold = 4000, .allocators = {true, true}};
	CHECK(xhprof_alloc_dump_take(&dump, map, &heavy));
	CHECK(dump.count == 1 && dump.rows[0].bytes == 19 * 32 + 4096);
	CHECK(dump.rest_rows == 1 && dump.rest_blocks == 99 && dump.rest_bytes == 99 * 32);
	xhprof_alloc_dump_release(&dump);
	xhprof_alloc_ledger_release(&ledger);
	xhprof_tracer_release(&t.tracer);
}

/* More rows than the first table holds. */
static void dump_holds_many_rows(void)
{
	xhprof_tracer tracer = {0};
	xhprof_tracer_options options = {
		.flags = XHPROF_TRACE_ALLOC | XHPROF_TRACE_PATHS, .max_nodes = 1000, .block_unit = 1};
	xhprof_alloc_ledger ledger = {0};
	CHECK(xhprof_tracer_prepare(&tracer, &options));
	CHECK(xhprof_alloc_ledger_begin(&ledger, true, 1000000, 0, tracer.tree.blocks));
	uint64_t bytes = 0, wrong = 0;
	for (unsigned i = 0; i < 50000; i++) {
		ledger.marks = i;
		xhprof_alloc_ledger_add(&ledger, UINT64_C(0x7f0000001000) + i * 16, 16, tracer.tree.root->id);
	}
	xhprof_alloc_dump dump = {.tracer = &tracer};
	xhprof_block_map *map[XHPROF_ALLOCATORS] = {&ledger.map, NULL};
	xhprof_alloc_dump_options all = {.by_marks = true, .allocators = {true, true}};
	CHECK(xhprof_alloc_dump_take(&dump, map, &all));
	CHECK(dump.count == 50000);
	for (size_t i = 0; i < dump.count; i++) {
		bytes += dump.rows[i].bytes;
		wrong += dump.rows[i].mark != i;
	}
	CHECK(wrong == 0);
	CHECK(bytes == 50000 * 16);
	xhprof_alloc_dump_release(&dump);
	xhprof_alloc_ledger_release(&ledger);
	xhprof_tracer_release(&tracer);
}

static void the_peak_is_charged_to_nodes(void)
{
	tree t;
	xhprof_alloc_peak peak = {0};
	tree_begin(&t);
	xhprof_alloc_peak_begin(&peak, 0);
	xhprof_alloc_peak_charge(&peak, &t.tracer.tree); /* it was never reached */
	CHECK(t.f->self_peak == 0 && t.g->self_peak == 0);
	t.tracer.tree.blocks[t.f->id].allocated_bytes = 3000;
	t.tracer.tree.blocks[t.g->id] = (xhprof_node_blocks){.allocated_bytes = 500, .freed_bytes = 100};
	xhprof_alloc_peak_take(&peak, 1 << 20, t.tracer.tree.blocks, t.tracer.tree.nodes);
	xhprof_node *later = xhprof_calltree_child(&t.tracer.tree, t.g, 102 << XHPROF_SYMBOL_FLAG_BITS);
	t.tracer.tree.blocks[t.f->id].freed_bytes = 3000;
	xhprof_alloc_peak_charge(&peak, &t.tracer.tree);
	CHECK(t.f->self_peak == 3000 && t.g->self_peak == 400 && later->self_peak == 0);
	xhprof_alloc_peak_release(&peak);
	xhprof_tracer_release(&t.tracer);
}

static void the_peak_is_copied(void)
{
	static xhprof_node_blocks blocks[5001];
	xhprof_alloc_peak peak = {0};
	xhprof_alloc_peak_begin(&peak, 1 << 20);
	CHECK(peak.size == 0 && peak.next > 1 << 20);
	blocks[1] = (xhprof_node_blocks){.allocated_bytes = 100, .freed_bytes = 40};
	blocks[2] = (xhprof_node_blocks){.allocated_bytes = 10, .freed_bytes = 30}; /* an estimate may be below zero */
	xhprof_alloc_peak_take(&peak, 2 << 20, blocks, 2);
	CHECK(peak.size == 2 << 20 && peak.count == 2 && peak.live[1] == 60 && peak.live[2] == 0);
	CHECK(peak.next > 2 << 20 && peak.next < (2 << 20) + (1 << 19));
	unit_mmaps = 0;
	xhprof_alloc_peak_take(&peak, 3 << 20, blocks, 5000);
	unit_mmaps = -1;
	CHECK(peak.size == 2 << 20 && peak.live[1] == 60 && peak.next > 3 << 20); /* no memory: the last one stays */
	blocks[5000].allocated_bytes = 7;
	xhprof_alloc_peak_take(&peak, 4 << 20, blocks, 5000);
	CHECK(peak.size == 4 << 20 && peak.count == 5000 && peak.live[1] == 60 && peak.live[5000] == 7);
	blocks[1] =
		(xhprof_node_blocks){.allocated_bytes = 5, .freed_bytes = (uint64_t)-20}; /* 20 live ones were forgotten */
	xhprof_alloc_peak_take(&peak, 5 << 20, blocks, 1);
	CHECK(peak.live[1] == 25 && peak.count == 1);
	xhprof_alloc_peak_release(&peak);
}

int main(void)
{
	the_peak_is_copied();
	the_peak_is_charged_to_nodes();
	block_map_behaves_as_a_model();
	chunks_may_be_anywhere(0);
	chunks_may_be_anywhere((size_t)1 << 20);
	every_block_has_its_own_record();
	page_may_change_its_block_size();
	block_map_is_bounded();
	million_blocks_take_less_than_32_mb();
	blocks_of_other_heaps_are_hashed();
	sampled_sums_are_right();
	sampled_blocks_are_told_by_their_places();
	quiet_bytes_hide_nothing();
	closed_ledger_records_nothing();
	recycled_ledger_begins_empty();
	dump_has_all_live_blocks();
	dump_holds_many_rows();
	return unit_end();
}
