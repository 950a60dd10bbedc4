/* Full trees, and all that refers to their nodes by ids: blocks, the peak, samples, the timeline. Each case makes 100,000
 * paths of three calls in a tree of 6,000 nodes, most of them light, and knows of each what it should hold. */
#include "unit.h"

#include "alloc/alloc_dump.h"
#include "alloc/alloc_ledger.h"
#include "trace/tracer.h"

#include <stdlib.h>

enum {
	MAX_NODES = 6000,
	OUTER = 10,
	MIDDLE = 100,
	INNER = 100,
	PATHS = OUTER * MIDDLE * INNER,
	HEAVY = OUTER * MIDDLE
};

static xhprof_tracer tracer; /* zeroed, as the module's globals are */
static xhprof_alloc_ledger ledger;
static xhprof_block_map native;
static uint64_t seed = 7;
static char frames[3];

static uint32_t random_below(uint32_t bound)
{
	seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (uint32_t)((seed >> 33) % bound);
}

/* One in three is one of the 1,000 heavy paths. */
static uint32_t random_path(void)
{
	return random_below(3) ? random_below(PATHS) : random_below(HEAVY) * INNER;
}

static bool is_heavy(uint32_t path)
{
	return path % INNER == 0;
}

static void symbols_of(uint32_t path, xhprof_symbol_ref symbols[3])
{
	symbols[0] = (100 + path / INNER / MIDDLE) << XHPROF_SYMBOL_FLAG_BITS;
	symbols[1] = (200 + path / INNER % MIDDLE) << XHPROF_SYMBOL_FLAG_BITS;
	symbols[2] = (300 + path % INNER) << XHPROF_SYMBOL_FLAG_BITS;
}

/* Functions of the path down to this node: 3 at its end, fewer at a caller; -1 if the node is not on the path. */
static int part_of(const xhprof_node *node, uint32_t path)
{
	xhprof_symbol_ref symbols[3], found[3];
	int depth = 0;
	symbols_of(path, symbols);
	for (const xhprof_node *each = node; xhprof_node_parent(each); each = xhprof_node_parent(each)) {
		if (depth == 3) {
			return -1;
		}
		found[depth++] = each->symbol;
	}
	for (int i = 0; i < depth; i++) {
		if (found[depth - 1 - i] != symbols[i]) {
			return -1;
		}
	}
	return depth;
}

static uint32_t truncated_nodes(void)
{
	uint32_t count = 0;
	for (uint32_t id = 1; id <= tracer.tree.nodes; id++) {
		count += xhprof_node_is_truncated(xhprof_calltree_node(&tracer.tree, id));
	}
	return count;
}

static void all_moved(const xhprof_shedding *shedding)
{
	xhprof_alloc_ledger_moved(&ledger, shedding);
	xhprof_block_map_moved(&native, shedding);
}

static xhprof_peak_bytes peak_bytes(void)
{
	return xhprof_alloc_peak_bytes(&ledger.peak);
}

static void begin_path(uint32_t path)
{
	xhprof_symbol_ref symbols[3];
	symbols_of(path, symbols);
	for (int i = 0; i < 3; i++) {
		if (tracer.flags & XHPROF_TRACE_PATHS) {
			xhprof_tracer_begin(&tracer, &frames[i], symbols[i], 1, XHPROF_MODE_PATHS, 0);
		} else {
			xhprof_tracer_begin_any(&tracer, &frames[i], symbols[i], 1);
		}
	}
}

static void end_path(void)
{
	for (int i = 2; i >= 0; i--) {
		if (tracer.flags & XHPROF_TRACE_PATHS) {
			xhprof_tracer_end(&tracer, XHPROF_MODE_PATHS, 0);
		} else {
			xhprof_tracer_end_any(&tracer, &frames[i]);
		}
	}
}

/* Blocks, one to a page, and huge ones. */

enum { SLOTS = 20000, HUGE_SLOTS = 50, ALLOCATIONS = 400000 };

typedef struct slot {
	uint32_t path, mark;
	size_t size; /* 0: free */
} slot;

static slot slots[SLOTS];

static uintptr_t address_of(uint32_t number)
{
	uintptr_t chunk = number < HUGE_SLOTS ? number + 1000 : number / 511;
	uintptr_t page = number < HUGE_SLOTS ? 0 : number % 511 + 1;
	return UINT64_C(0x7f0000000000) + chunk * XHPROF_ZMM_CHUNK_SIZE + page * XHPROF_ZMM_PAGE_SIZE;
}

static void begin_blocks(uint32_t max_nodes, uint64_t sample_bytes)
{
	xhprof_tracer_options options = {
		.flags = XHPROF_TRACE_ALLOC | XHPROF_TRACE_PATHS,
		.max_nodes = max_nodes,
		.block_unit = sample_bytes ? XHPROF_SAMPLING_UNIT : 1,
		.clock = XHPROF_CLOCK_MONOTONIC,
		.nodes_moved = all_moved,
		.peak_bytes = peak_bytes,
	};
	memset(slots, 0, sizeof(slots));
	CHECK(xhprof_tracer_prepare(&tracer, &options));
	CHECK(xhprof_alloc_ledger_begin(&ledger, true, 4000000, sample_bytes, tracer.tree.blocks));
	CHECK(xhprof_block_map_begin(&native, false, 1000000, NULL, NULL));
	xhprof_tracer_start(&tracer);
}

static void end_blocks(void)
{
	xhprof_alloc_ledger_release(&ledger);
	xhprof_block_map_release(&native);
	xhprof_tracer_release(&tracer);
}

/* Allocated and freed, as a model knows it. */
static xhprof_node_blocks model;

static void free_slot(uint32_t number)
{
	if (slots[number].size) {
		xhprof_alloc_ledger_free(&ledger, address_of(number));
		model.freed_bytes += slots[number].size;
		model.freed_blocks++;
		slots[number].size = 0;
	}
}

static void allocate(uint32_t number, uint32_t path, size_t size)
{
	free_slot(number);
	if (ledger.sampling.mean) {
		xhprof_alloc_ledger_add_sampled(&ledger, address_of(number), size, tracer.current->id);
	} else {
		xhprof_alloc_ledger_add(&ledger, address_of(number), size, tracer.current->id);
	}
	model.allocated_bytes += size;
	model.allocated_blocks++;
	slots[number] = (slot){path, ledger.marks, size};
}

static xhprof_node_blocks sums_of_nodes(void)
{
	xhprof_node_blocks sums = {0};
	for (uint32_t id = 1; id <= tracer.tree.nodes; id++) {
		const xhprof_node_blocks *blocks = &tracer.tree.blocks[id];
		sums.allocated_bytes += blocks->allocated_bytes;
		sums.allocated_blocks += blocks->allocated_blocks;
		sums.freed_bytes += blocks->freed_bytes;
		sums.freed_blocks += blocks->freed_blocks;
	}
	return sums;
}

static void run_blocks(void)
{
	model = (xhprof_node_blocks){0};
	for (uint32_t i = 0; i < ALLOCATIONS; i++) {
		uint32_t path = random_path();
		if (i % (ALLOCATIONS / 4) == 0) {
			ledger.marks++;
		}
		begin_path(path);
		allocate(random_below(SLOTS), path, is_heavy(path) ? 20480 : 56);
		end_path();
	}
}

/* The dump of all live blocks between two marks against the model's. */
static void dump_is_whole(uint32_t after, uint32_t before)
{
	uint64_t bytes = 0, blocks = 0, expected_bytes = 0, expected_blocks = 0, wrong = 0;
	xhprof_alloc_dump dump = {.tracer = &tracer};
	xhprof_block_map *maps[XHPROF_ALLOCATORS] = {&ledger.map, NULL};
	xhprof_alloc_dump_options options = {.after = after, .before = before, .allocators = {true, true}};
	CHECK(xhprof_alloc_dump_take(&dump, maps, &options));
	for (size_t i = 0; i < dump.count; i++) {
		bytes += dump.rows[i].bytes;
		blocks += dump.rows[i].blocks;
		wrong += dump.rows[i].node > dump.nodes || !dump.node_of[dump.rows[i].node];
	}
	for (uint32_t i = 0; i < SLOTS; i++) {
		if (slots[i].size && slots[i].mark >= after && (!before || slots[i].mark < before)) {
			expected_bytes += slots[i].size;
			expected_blocks++;
		}
	}
	CHECK(wrong == 0 && bytes == expected_bytes && blocks == expected_blocks && blocks > 100);
	xhprof_alloc_dump_release(&dump);
}

static void full_tree_keeps_paths_with_memory(void)
{
	uint64_t live = 0, in_path = 0, wrong = 0, allocated = 0;
	begin_blocks(MAX_NODES, 0);
	run_blocks();
	for (uint32_t i = 0; i < SLOTS; i++) {
		const xhprof_record *record = xhprof_block_map_find(&ledger.map, address_of(i));
		wrong += (record != NULL) != (slots[i].size != 0);
		if (record) {
			int part = part_of(xhprof_calltree_node(&tracer.tree, record->node), slots[i].path);
			wrong += part < 0 || record->mark != slots[i].mark;
			live += slots[i].size;
			in_path += part == 3 ? slots[i].size : 0;
		}
	}
	for (uint32_t id = 1; id <= tracer.tree.nodes; id++) {
		xhprof_symbol_ref symbols[3];
		symbols_of(0, symbols);
		bool heavy = xhprof_calltree_node(&tracer.tree, id)->symbol == symbols[2];
		allocated += heavy ? tracer.tree.blocks[id].allocated_bytes : 0;
	}
	printf("# %u nodes, moved %u times; of live bytes %.4f in their paths, of those allocated %.4f in heavy paths\n",
		   tracer.tree.nodes, tracer.tree.moves, (double)in_path / (double)live,
		   (double)allocated / (double)model.allocated_bytes);
	xhprof_node_blocks sums = sums_of_nodes();
	CHECK(wrong == 0 && live == model.allocated_bytes - model.freed_bytes && live > 0);
	CHECK(!memcmp(&sums, &model, sizeof(sums)));
	CHECK(tracer.tree.moves > 5 && tracer.tree.nodes <= MAX_NODES && truncated_nodes() == 0);
	CHECK(in_path > live / 100 * 99 && allocated > model.allocated_bytes / 100 * 99);
	dump_is_whole(0, 0);
	dump_is_whole(2, 0);
	dump_is_whole(3, 4);
	for (uint32_t i = 0; i < SLOTS; i++) { /* all that is live can be freed */
		free_slot(i);
	}
	sums = sums_of_nodes();
	CHECK(sums.allocated_bytes == sums.freed_bytes && !memcmp(&sums, &model, sizeof(sums)));
	end_blocks();
}

/* Estimates are exact too: sums are those of a tree without a limit. */
static void sampled_sums_are_those_without_a_limit(void)
{
	xhprof_node_blocks sums[2];
	for (int limited = 0; limited < 2; limited++) {
		seed = 99;
		begin_blocks(limited ? MAX_NODES : 1000000, 512);
		run_blocks();
		CHECK((tracer.tree.moves > 0) == limited || tracer.tree.nodes > PATHS / 2);
		sums[limited] = sums_of_nodes();
		tracer.tree.moves = 0;
		end_blocks();
	}
	CHECK(sums[0].allocated_bytes > 0 && !memcmp(&sums[0], &sums[1], sizeof(sums[0])));
}

/* A path that allocates once, little, and keeps it; one that had much when memory was most, and nothing now; among paths
 * that allocate and free all the time. */
static void paths_that_hold_or_held_memory_stay(void)
{
	enum { HOLDS = 12345, HELD = 54321, SIZE = 4096, HOW_MANY = 40 };
	begin_blocks(MAX_NODES, 0);
	model = (xhprof_node_blocks){0};
	xhprof_alloc_peak_begin(&ledger.peak, 0);
	begin_path(HELD);
	for (uint32_t i = 0; i < HOW_MANY; i++) {
		allocate(HUGE_SLOTS + i, HELD, SIZE);
	}
	end_path();
	begin_path(HOLDS);
	allocate(SLOTS - 1, HOLDS, SIZE);
	end_path();
	for (uint32_t path = 0; path < 3000; path++) { /* some hold a little then */
		begin_path(path * 7);
		allocate(1000 + path, path * 7, 8);
		end_path();
	}
	xhprof_alloc_peak_take(&ledger.peak, 1 << 20, tracer.tree.blocks, tracer.tree.nodes);
	for (uint32_t i = 0; i < SLOTS - 1; i++) {
		free_slot(i);
	}
	for (uint32_t i = 0; i < ALLOCATIONS; i++) {
		uint32_t path = random_below(PATHS);
		begin_path(path);
		allocate(0, path, 2 << 20);
		end_path();
	}
	free_slot(0);
	uint64_t peak = 0, held = 0;
	const xhprof_record *holds = xhprof_block_map_find(&ledger.map, address_of(SLOTS - 1));
	for (uint32_t id = 1; id <= ledger.peak.count; id++) {
		peak += ledger.peak.live[id];
		held += part_of(xhprof_calltree_node(&tracer.tree, id), HELD) == 3 ? ledger.peak.live[id] : 0;
	}
	CHECK(tracer.tree.moves > 5 && ledger.peak.count <= tracer.tree.nodes);
	CHECK(holds && part_of(xhprof_calltree_node(&tracer.tree, holds->node), HOLDS) == 3);
	CHECK(held == HOW_MANY * SIZE && peak == held + SIZE + 3000 * 8);
	end_blocks();
}

/* Blocks of native memory are in a hash; those of other threads have no node. */
static void native_blocks_move_too(void)
{
	uint64_t wrong = 0;
	begin_blocks(MAX_NODES, 0);
	for (uint32_t path = 0; path < 30000; path++) {
		xhprof_record record = {XHPROF_NODE_OTHER_THREADS, 5};
		begin_path(path);
		if (path % 3) {
			record.node = tracer.current->id;
		}
		wrong += !xhprof_block_map_add(&native, (uintptr_t)(path + 2) * 16, 16, record);
		end_path();
	}
	for (uint32_t path = 0; path < 30000; path++) {
		const xhprof_record *record = xhprof_block_map_find(&native, (uintptr_t)(path + 2) * 16);
		bool other = record && record->node == XHPROF_NODE_OTHER_THREADS;
		wrong += !record || record->mark != 5 || other != (path % 3 == 0) ||
				 (!other && part_of(xhprof_calltree_node(&tracer.tree, record->node), path) < 0);
	}
	CHECK(wrong == 0 && tracer.tree.moves > 0 && xhprof_block_map_blocks(&native) == 30000);
	end_blocks();
}

/* A dump is being written: nodes stay, and new paths are (truncated) meanwhile. */
static void nodes_stay_while_the_tree_is_read(void)
{
	begin_blocks(MAX_NODES, 0);
	uint32_t moves = tracer.tree.moves, path = 0;
	CHECK(!xhprof_tracer_hold(&tracer, true));
	for (; path < 10000; path++) {
		begin_path(path);
		end_path();
	}
	CHECK(tracer.tree.moves == moves && truncated_nodes() > 0 && tracer.tree.dropped > 0);
	CHECK(xhprof_tracer_hold(&tracer, false));
	for (; path < 20000; path++) {
		begin_path(path);
		end_path();
	}
	CHECK(tracer.tree.moves > moves && truncated_nodes() == 0);
	end_blocks();
}

static void without_memory_nothing_moves(void)
{
	begin_blocks(MAX_NODES, 0);
	uint32_t moves = tracer.tree.moves, path = 0;
	for (; tracer.tree.nodes < MAX_NODES; path++) {
		begin_path(path);
		end_path();
	}
	unit_mmaps = 0;
	begin_path(path + 1000);
	end_path();
	unit_mmaps = -1;
	CHECK(tracer.tree.moves == moves && truncated_nodes() > 0);
	end_blocks();
}

/* Of the path's last function. */
static uint32_t line_of(uint32_t path)
{
	return 1 + path % INNER;
}

/* Samples are read as a stack reader does it. */
static void full_tree_keeps_what_is_sampled_most(void)
{
	enum { SAMPLES = 300000 };
	static uint32_t path_of[SAMPLES];
	uint64_t calls = 0, wrong = 0, in_path = 0, of_heavy = 0;
	xhprof_tracer_options options = {.max_nodes = MAX_NODES, .clock = XHPROF_CLOCK_MONOTONIC, .sampled = true};
	xhprof_tracer_sampling sampling = {.interval_us = 1000};
	CHECK(xhprof_tracer_prepare(&tracer, &options));
	xhprof_tracer_start_sampling(&tracer, &sampling);
	for (uint32_t i = 0; i < SAMPLES; i++) {
		xhprof_symbol_ref symbols[3];
		/* Light ones are met once in a while, each heavy one 285 times. */
		path_of[i] = random_below(20) ? random_below(HEAVY) * INNER : random_below(PATHS);
		of_heavy += is_heavy(path_of[i]);
		symbols_of(path_of[i], symbols);
		xhprof_node *node = tracer.tree.root;
		for (int depth = 0; depth < 3; depth++) {
			node = xhprof_tracer_make_room(&tracer, node, symbols[depth]);
			node = xhprof_calltree_child(&tracer.tree, node, symbols[depth]);
		}
		xhprof_sample_log_add(&tracer.samples, i + 1, 1, node, line_of(path_of[i]));
	}
	wrong += part_of(tracer.samples.last, path_of[SAMPLES - 1]) != 3;
	xhprof_sample_log_add_unread(&tracer.samples, SAMPLES + 1, 5);
	xhprof_tracer_stop_sampling(&tracer, UINT64_C(1000000) * SAMPLES);
	for (size_t i = 0; i < tracer.samples.used; i++) {
		const xhprof_sample_run *run = &tracer.samples.runs[i];
		uint32_t first = (uint32_t)run->first - 1;
		uint32_t path = path_of[first < SAMPLES ? first : SAMPLES - 1];
		int part = part_of(run->node, path);
		wrong += part < 0;
		wrong += run->line != (part == 3 ? line_of(path) : 0); /* a caller has other lines */
		in_path += part == 3 && is_heavy(path) ? run->count : 0;
	}
	for (uint32_t id = 1; id <= tracer.tree.nodes; id++) {
		const xhprof_node *node = xhprof_calltree_node(&tracer.tree, id);
		calls += node->calls;
		wrong += node->self_wall != node->calls * 1000000;
	}
	printf("# %u nodes, moved %u times; %.4f of the heavy paths' samples in them\n", tracer.tree.nodes,
		   tracer.tree.moves, (double)in_path / (double)of_heavy);
	CHECK(wrong == 0 && calls == SAMPLES + 5 && tracer.samples.samples == calls);
	CHECK(tracer.tree.moves > 1 && truncated_nodes() == 0 && in_path > of_heavy / 100 * 99);
	xhprof_tracer_release(&tracer);
}

/* Every call is kept for the timeline, at first; in the tree the light ones are folded. */
static void timeline_loses_calls_of_folded_paths_only(void)
{
	enum { CALLS = 60000 };
	static uint32_t path_of[CALLS];
	uint64_t wrong = 0, heavy = 0, heavy_kept = 0, callers = 0;
	xhprof_tracer_options options = {.flags = XHPROF_TRACE_TIMELINE,
									 .max_nodes = MAX_NODES,
									 .clock = XHPROF_CLOCK_MONOTONIC,
									 .timeline_calls = 3 * CALLS + 10};
	CHECK(xhprof_tracer_prepare(&tracer, &options));
	xhprof_tracer_start(&tracer);
	xhprof_timeline *timeline = &tracer.timeline;
	xhprof_timeline_switch(timeline, 0, timeline->start + 1); /* an entry that is no call's */
	uint64_t *starts = malloc(CALLS * sizeof(*starts));
	for (uint32_t i = 0; i < CALLS; i++) {
		path_of[i] = random_path();
		begin_path(path_of[i]);
		starts[i] = tracer.top->start;
		tracer.current->self_wall += is_heavy(path_of[i]) ? 100000000 : 1000;
		end_path();
	}
	xhprof_tracer_stop(&tracer);
	CHECK(tracer.tree.moves > 1 && truncated_nodes() == 1 && timeline->raised == 0); /* main()'s, of the calls */
	CHECK(timeline->folded > 0 && timeline->used + timeline->folded == 3 * CALLS + 1);
	CHECK(timeline->calls[0].node == XHPROF_TIMELINE_FIBER);
	/* In the order of ends, as are the paths; a callee before its caller. */
	uint32_t next = 0, callee = 0;
	for (size_t i = 1; i < timeline->used; i++) {
		const xhprof_node *node = xhprof_calltree_node(&tracer.tree, timeline->calls[i].node);
		int depth = node->symbol >> XHPROF_SYMBOL_FLAG_BITS >= 300   ? 3
					: node->symbol >> XHPROF_SYMBOL_FLAG_BITS >= 200 ? 2
																	 : 1;
		if (depth == 3) {
			while (next < CALLS && starts[next] != timeline->calls[i].start) {
				next++;
			}
			wrong += next == CALLS || part_of(node, path_of[next]) != 3;
			heavy_kept += next < CALLS && is_heavy(path_of[next]);
		}
		wrong += callee && xhprof_node_parent(xhprof_calltree_node(&tracer.tree, callee)) != node;
		callee = depth > 1 ? timeline->calls[i].node : 0; /* its caller comes next */
		callers += depth == 1;
	}
	for (uint32_t i = 0; i < CALLS; i++) {
		heavy += is_heavy(path_of[i]);
	}
	printf("# %lu of %lu calls of heavy paths, %lu calls folded\n", (unsigned long)heavy_kept, (unsigned long)heavy,
		   (unsigned long)timeline->folded);
	CHECK(wrong == 0 && callers > 0 && heavy_kept == heavy);
	free(starts);
	xhprof_tracer_release(&tracer);
}

int main(void)
{
	xhprof_clock_process_start();
	full_tree_keeps_paths_with_memory();
	sampled_sums_are_those_without_a_limit();
	paths_that_hold_or_held_memory_stay();
	native_blocks_move_too();
	nodes_stay_while_the_tree_is_read();
	without_memory_nothing_moves();
	full_tree_keeps_what_is_sampled_most();
	timeline_loses_calls_of_folded_paths_only();
	return unit_end();
}
