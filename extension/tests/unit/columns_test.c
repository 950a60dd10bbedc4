/* The columns of a tree against the tree itself, and its fold against a slow, simple one. */
#include "nodes.h"
#include "unit.h"

#include "trace/fold.h"

#include <stdlib.h>

enum { NAMES = 12, DEPTH = 60 };

static xhprof_tracer tracer;
static char frames[DEPTH + 1];
static xhprof_symbol_ref names[NAMES];
static uint32_t seed;

static uint32_t any(uint32_t below)
{
	seed = seed * 1664525u + 1013904223u;
	return (uint32_t)(((uint64_t)seed * below) >> 32);
}

/* A profile of about `calls` calls with figures from a generator; some names are files. */
static void profile(uint32_t flags, int calls, uint32_t which)
{
	xhprof_tracer_options options = {.max_nodes = 1000000, .clock = XHPROF_CLOCK_MONOTONIC};
	char text[16];
	int depth = 0;
	seed = which;
	xhprof_tracer_prepare(&tracer, &options);
	for (int i = 0; i < NAMES; i++) {
		int length = snprintf(text, sizeof(text), "name%d", i);
		names[i] = xhprof_symbols_intern(&tracer.symbols, text, (size_t)length, 0, i % 5 ? 0 : XHPROF_SYMBOL_RUN_INIT);
	}
	xhprof_tracer_start(&tracer);
	for (int i = 0; i < calls; i++) {
		while (depth && (depth == DEPTH || any(10) < 4)) {
			xhprof_tracer_end_any(&tracer, &frames[depth--]);
		}
		xhprof_tracer_begin_any(&tracer, &frames[++depth], names[any(NAMES)], any(20) != 0);
	}
	xhprof_tracer_stop(&tracer);
	tracer.flags = flags;
	for (xhprof_node *node = tracer.tree.root; node; node = xhprof_calltree_next(node)) {
		node->self_wall = any(3000);
		node->self_cpu = any(2000);
		node->self_memory = (int64_t)any(1000) - 500;
		node->self_peak = any(100);
	}
}

static bool columns_equal_tree(xhprof_columns *columns)
{
	const xhprof_node *node = tracer.tree.root;
	const bool cpu = tracer.flags & XHPROF_TRACE_CPU, memory = tracer.flags & XHPROF_TRACE_MEMORY;
	uint32_t depth = 0;
	int wrong = (columns->values[XHPROF_COLUMN_CPU] != NULL) != cpu;
	wrong += (columns->values[XHPROF_COLUMN_MEMORY] != NULL) != memory;
	wrong += (columns->values[XHPROF_COLUMN_PEAK] != NULL) != memory;
	xhprof_columns_rewind(columns);
	while (!wrong && xhprof_columns_next(columns)) {
		for (size_t i = 0; !wrong && i < columns->count; i++) {
			wrong += !node || columns->symbols[i] != node->symbol || columns->values[XHPROF_COLUMN_DEPTH][i] != depth ||
					 columns->values[XHPROF_COLUMN_CALLS][i] != (int64_t)node->calls ||
					 columns->values[XHPROF_COLUMN_WALL][i] != (int64_t)node->self_wall ||
					 (cpu && columns->values[XHPROF_COLUMN_CPU][i] != (int64_t)node->self_cpu) ||
					 (memory && columns->values[XHPROF_COLUMN_MEMORY][i] != node->self_memory) ||
					 (memory && columns->values[XHPROF_COLUMN_PEAK][i] != node->self_peak);
			node = node ? xhprof_calltree_next_at(node, &depth) : NULL;
		}
	}
	return !wrong && !node;
}

static bool places_are_right(xhprof_columns *columns)
{
	const uint32_t *places = xhprof_columns_places(columns);
	uint32_t place = 0, wrong = 0;
	for (const xhprof_node *node = tracer.tree.root; places && node; node = xhprof_calltree_next(node)) {
		wrong += places[node->id] != place++;
	}
	return places && !wrong && places == xhprof_columns_places(columns);
}

static void columns_equal_the_tree(void)
{
	static const int sizes[] = {0, 1, 126, 127, 128, 129, 600, 5000};
	static const uint32_t flags[] = {0, XHPROF_TRACE_CPU, XHPROF_TRACE_MEMORY, XHPROF_TRACE_CPU | XHPROF_TRACE_MEMORY};
	int wrong = 0, whole = 0, small = 0;
	for (size_t i = 0; i < 32; i++) {
		xhprof_columns blocks, mapped, refused;
		profile(flags[i % 4], sizes[i / 4], (uint32_t)i);
		xhprof_columns_init(&blocks, &tracer);
		xhprof_columns_map(&mapped, &tracer, true);
		wrong += i % 3 == 0 && !places_are_right(&mapped); /* before they are filled */
		unit_mmaps = 0;
		xhprof_columns_map(&refused, &tracer, true);
		wrong += xhprof_columns_places(&refused) != NULL;
		unit_mmaps = -1;
		for (int pass = 0; pass < 3; pass++) {
			wrong += !columns_equal_tree(&blocks) + !columns_equal_tree(&mapped) + !columns_equal_tree(&refused);
			xhprof_columns_rewind(&blocks);
			xhprof_columns_rewind(&mapped);
			xhprof_columns_next(&blocks); /* an abandoned pass */
			xhprof_columns_next(&mapped);
			whole += mapped.count == tracer.tree.nodes;
			small += blocks.count < tracer.tree.nodes;
		}
		wrong += !places_are_right(&mapped) + !places_are_right(&blocks) + !places_are_right(&refused);
		xhprof_columns_release(&blocks);
		xhprof_columns_release(&mapped);
		xhprof_columns_release(&refused);
		wrong += xhprof_columns_next(&mapped);
	}
	CHECK(wrong == 0);
	CHECK(whole == 32 * 3 && small > 0);
}

/* The slow fold: a list of edges, searched from its start. */
typedef struct slow_fold {
	struct {
		xhprof_fold_label caller, callee;
		xhprof_edge sum;
	} edges[20000];
	uint32_t count;
	uint64_t wall_ns, cpu_ns;
	bool keep_run_init;
} slow_fold;

static slow_fold slow;

static bool is_kept(const xhprof_node *node)
{
	return slow.keep_run_init || !(node->symbol & XHPROF_SYMBOL_RUN_INIT);
}

static xhprof_fold_label label_of(const xhprof_node *node)
{
	xhprof_fold_label label = {.symbol = XHPROF_SYMBOL_ID(node->symbol)};
	for (const xhprof_node *above = xhprof_node_parent(node); above; above = xhprof_node_parent(above)) {
		label.level += is_kept(above) && XHPROF_SYMBOL_ID(above->symbol) == label.symbol;
	}
	return label;
}

static bool same_label(xhprof_fold_label a, xhprof_fold_label b)
{
	return a.symbol == b.symbol && a.level == b.level;
}

static xhprof_edge slow_node(const xhprof_node *node)
{
	uint64_t wall = slow.wall_ns / 1000, cpu = slow.cpu_ns / 1000;
	xhprof_edge sum = {.calls = node->calls, .memory = node->self_memory, .peak = node->self_peak};
	slow.wall_ns += node->self_wall;
	slow.cpu_ns += node->self_cpu;
	for (const xhprof_node *child = xhprof_node_first_child(node); child; child = xhprof_node_next_sibling(child)) {
		xhprof_edge below = slow_node(child);
		sum.memory += below.memory;
		sum.peak += below.peak;
	}
	sum.wall_us = slow.wall_ns / 1000 - wall;
	sum.cpu_us = slow.cpu_ns / 1000 - cpu;
	if (!is_kept(node)) {
		return sum;
	}
	const xhprof_node *caller = xhprof_node_parent(node);
	while (caller && !is_kept(caller)) {
		caller = xhprof_node_parent(caller);
	}
	xhprof_fold_label from = {0}, to = label_of(node);
	if (caller) {
		from = label_of(caller);
	}
	uint32_t i = 0;
	while (i < slow.count && !(same_label(slow.edges[i].caller, from) && same_label(slow.edges[i].callee, to))) {
		i++;
	}
	slow.count += i == slow.count;
	slow.edges[i].caller = from;
	slow.edges[i].callee = to;
	xhprof_edge *edge = &slow.edges[i].sum;
	edge->calls += sum.calls;
	edge->wall_us += sum.wall_us;
	edge->cpu_us += sum.cpu_us;
	edge->memory += sum.memory;
	edge->peak += sum.peak;
	return sum;
}

static bool fold_equals_slow_fold(xhprof_columns *columns, bool keep_run_init)
{
	xhprof_fold fold;
	memset(&slow, 0, sizeof(slow));
	slow.keep_run_init = keep_run_init;
	slow_node(tracer.tree.root);
	const bool cpu = tracer.flags & XHPROF_TRACE_CPU, memory = tracer.flags & XHPROF_TRACE_MEMORY;
	bool same = xhprof_fold_tree(&fold, columns, tracer.symbols.count, keep_run_init) && fold.edge_count == slow.count;
	for (uint32_t i = 0; same && i < slow.count; i++) {
		const xhprof_edge *edge = &fold.edges[i], *wanted = &slow.edges[i].sum;
		xhprof_fold_label caller = {0};
		if (edge->caller != XHPROF_FOLD_NO_CALLER) {
			caller = fold.labels[edge->caller];
		}
		same = same_label(caller, slow.edges[i].caller) &&
			   same_label(fold.labels[edge->callee], slow.edges[i].callee) && edge->calls == wanted->calls &&
			   edge->wall_us == wanted->wall_us && edge->cpu_us == (cpu ? wanted->cpu_us : 0) &&
			   edge->memory == (memory ? wanted->memory : 0) && edge->peak == (memory ? wanted->peak : 0);
	}
	xhprof_fold_release(&fold);
	return same;
}

static void folds_equal_a_slow_fold(void)
{
	int wrong = 0;
	uint32_t max = 0;
	for (uint32_t which = 0; which < 40; which++) {
		xhprof_columns columns;
		profile(which % 2 ? XHPROF_TRACE_CPU | XHPROF_TRACE_MEMORY : 0, which < 37 ? (int)which * 20 : 9000, which);
		if (which % 3) {
			xhprof_columns_map(&columns, &tracer, true);
		} else {
			xhprof_columns_init(&columns, &tracer);
		}
		wrong += !fold_equals_slow_fold(&columns, false) + !fold_equals_slow_fold(&columns, true);
		max = slow.count > max ? slow.count : max;
		xhprof_columns_release(&columns);
	}
	CHECK(wrong == 0);
	CHECK(max > 1024); /* the chains have grown */
}

/* Samples have what was allocated and held at the peak; what was freed of it is of one request only. */
static void samples_have_allocations(void)
{
	static const struct {
		bool blocks;
		uint32_t interval;
	} cases[] = {{false, 0}, {false, 1000}, {true, 0}, {true, 1000}};
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		xhprof_tracer_options options = {
			.max_nodes = 10, .clock = XHPROF_CLOCK_MONOTONIC, .blocks = cases[i].blocks, .block_unit = 8};
		xhprof_columns columns;
		CHECK(xhprof_tracer_prepare(&tracer, &options));
		tracer.sample_interval_us = cases[i].interval;
		tracer.tree.root->self_peak = 77;
		if (cases[i].blocks) {
			tracer.tree.blocks[1] = (xhprof_node_blocks){1000, 43, 300, 17};
		}
		xhprof_columns_init(&columns, &tracer);
		CHECK(xhprof_columns_next(&columns) && columns.count == 1);
		int64_t *const *values = columns.values;
		CHECK((values[XHPROF_COLUMN_ALLOCATED_BYTES] != NULL) == cases[i].blocks);
		CHECK((values[XHPROF_COLUMN_LIVE_BYTES] != NULL) == (cases[i].blocks && !cases[i].interval));
		CHECK((values[XHPROF_COLUMN_PEAK_BYTES] != NULL) == (cases[i].blocks && cases[i].interval));
		if (values[XHPROF_COLUMN_ALLOCATED_BYTES]) {
			CHECK(values[XHPROF_COLUMN_ALLOCATED_BYTES][0] == 1000 && values[XHPROF_COLUMN_ALLOCATED_BLOCKS][0] == 5);
		}
		if (values[XHPROF_COLUMN_LIVE_BYTES]) {
			CHECK(values[XHPROF_COLUMN_LIVE_BYTES][0] == 700 && values[XHPROF_COLUMN_LIVE_BLOCKS][0] == 3 &&
				  values[XHPROF_COLUMN_FREED_BYTES][0] == 300 && values[XHPROF_COLUMN_FREED_BLOCKS][0] == 2);
		}
		if (values[XHPROF_COLUMN_PEAK_BYTES]) {
			CHECK(values[XHPROF_COLUMN_PEAK_BYTES][0] == 77);
		}
	}
	xhprof_tracer_release(&tracer);
}

int main(void)
{
	xhprof_clock_process_start();
	columns_equal_the_tree();
	folds_equal_a_slow_fold();
	xhprof_tracer_release(&tracer);
	samples_have_allocations();
	return unit_end();
}
