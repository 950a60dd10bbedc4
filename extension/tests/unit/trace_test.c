#include "nodes.h"
#include "unit.h"

#include "trace/fiber_calls.h"
#include "trace/fold.h"
#include "trace/tracer.h"

#include <sched.h>
#include <stdlib.h>
#include <unistd.h>

static xhprof_tracer tracer; /* zeroed, as the module's globals are */

static xhprof_symbol_ref name(const char *text)
{
	return xhprof_symbols_intern(&tracer.symbols, text, strlen(text), 0, 0);
}

static const char *name_of(xhprof_symbol_ref symbol)
{
	static char text[300];
	const xhprof_symbol *found = xhprof_symbols_get(&tracer.symbols, XHPROF_SYMBOL_ID(symbol));
	snprintf(text, sizeof(text), "%.*s", (int)found->length, found->name);
	return text;
}

static int start(uint32_t max_nodes)
{
	xhprof_tracer_options options = {.max_nodes = max_nodes, .clock = xhprof_clock_choose("auto")};
	int ready = xhprof_tracer_prepare(&tracer, &options);
	xhprof_tracer_start(&tracer);
	return ready;
}

/* Frames are distinguished by their address only. */
static char frames[200];

static uint64_t tree_time(void)
{
	uint64_t sum = 0;
	for (const xhprof_node *node = tracer.tree.root; node; node = xhprof_calltree_next(node)) {
		sum += node->self_wall;
	}
	return sum;
}

static uint64_t tree_calls(void)
{
	uint64_t sum = 0;
	for (const xhprof_node *node = tracer.tree.root; node; node = xhprof_calltree_next(node)) {
		sum += node->calls;
	}
	return sum;
}

static bool fold_profile(xhprof_fold *fold, bool keep_run_init)
{
	xhprof_columns columns;
	xhprof_columns_init(&columns, &tracer);
	return xhprof_fold_tree(fold, &columns, tracer.symbols.count, keep_run_init);
}

/* "caller==>callee" with levels, or NULL. */
static const xhprof_edge *edge(const xhprof_fold *fold, const char *wanted)
{
	for (uint32_t i = 0; i < fold->edge_count; i++) {
		char text[1024], caller[512] = "";
		const xhprof_edge *each = &fold->edges[i];
		if (each->caller != XHPROF_FOLD_NO_CALLER) {
			const xhprof_fold_label *label = &fold->labels[each->caller];
			snprintf(caller, sizeof(caller), "%s@%u==>", name_of(label->symbol << XHPROF_SYMBOL_FLAG_BITS),
					 label->level);
		}
		const xhprof_fold_label *label = &fold->labels[each->callee];
		snprintf(text, sizeof(text), "%s%s@%u", caller, name_of(label->symbol << XHPROF_SYMBOL_FLAG_BITS),
				 label->level);
		if (!strcmp(text, wanted)) {
			return each;
		}
	}
	return NULL;
}

static void symbols_are_interned(void)
{
	CHECK(start(1000));
	CHECK(name("f") == name("f") && name("f") != name("F"));
	xhprof_symbol_ref first = xhprof_symbols_intern(&tracer.symbols, "{closure:a.php:3}", 17, 11, 0);
	xhprof_symbol_ref second = xhprof_symbols_intern(&tracer.symbols, "{closure:a.php:3}", 17, 22, 0);
	CHECK(first != second && !strcmp(name_of(second), "{closure:a.php:3#2}"));
	CHECK(xhprof_symbols_intern(&tracer.symbols, "{closure:a.php:3}", 17, 11, 0) == first);
	CHECK(xhprof_symbols_intern(&tracer.symbols, "{closure:a.php:3}", 17, 22, 0) == second);
	uint32_t before = tracer.symbols.count;
	for (uint64_t identity = 100; identity < 1000; identity++) {
		xhprof_symbols_intern(&tracer.symbols, "{closure:b.php:1}", 17, identity, 0);
	}
	CHECK(tracer.symbols.count == before + XHPROF_SYMBOL_MAX_TWINS);
	CHECK(xhprof_symbols_ignore(&tracer.symbols, "Foo::Bar", 8));
	CHECK(name("foo::BAR") & XHPROF_SYMBOL_TRANSPARENT);
	CHECK(!(name("foo::baz") & XHPROF_SYMBOL_SPECIAL));
	xhprof_tracer_stop(&tracer);
}

static void calls_make_a_tree(void)
{
	start(1000);
	for (int i = 0; i < 3; i++) {
		xhprof_tracer_begin_any(&tracer, &frames[0], name("a"), 1);
		xhprof_tracer_begin_any(&tracer, &frames[1], name("b"), 1);
		xhprof_tracer_begin_any(&tracer, &frames[2], name("a"), 1);
		xhprof_tracer_end_any(&tracer, &frames[2]);
		xhprof_tracer_end_any(&tracer, &frames[1]);
		xhprof_tracer_end_any(&tracer, &frames[0]);
	}
	xhprof_tracer_begin_any(&tracer, &frames[0], name("b"), 1);
	xhprof_tracer_end_any(&tracer, &frames[0]);
	xhprof_tracer_stop(&tracer);
	CHECK(tracer.tree.nodes == 5 && tree_calls() == 1 + 9 + 1);
	CHECK(tree_time() == tracer.duration_ns);
	CHECK(!strcmp(name_of(xhprof_node_first_child(tracer.tree.root)->symbol), "a"));

	xhprof_fold fold;
	CHECK(fold_profile(&fold, false));
	CHECK(fold.edge_count == 5);
	const xhprof_edge *whole = edge(&fold, "main()@0"), *inner = edge(&fold, "b@0==>a@1");
	CHECK(whole && whole->calls == 1 && whole->wall_us == tracer.duration_ns / 1000);
	CHECK(inner && inner->calls == 3);
	CHECK(whole == &fold.edges[fold.edge_count - 1]);
	xhprof_fold_release(&fold);
}

static void call(int frame, const char *function)
{
	xhprof_tracer_begin_any(&tracer, &frames[frame], name(function), 1);
	xhprof_tracer_end_any(&tracer, &frames[frame]);
}

/* A profile that nobody reads is halted alone; what one is read as does not depend on how often it was settled. */
static void settling_is_done_once(void)
{
	start(1000);
	call(0, "a");
	call(0, "b");
	xhprof_tracer_halt(&tracer);
	CHECK(!xhprof_tracer_running(&tracer));
	xhprof_node *root = tracer.tree.root;
	xhprof_tracer_settle(&tracer);
	uint64_t wall = root->self_wall, whole = tracer.duration_ns;
	CHECK(xhprof_node_first_child(root)->symbol == name("a") && xhprof_calltree_next(xhprof_node_first_child(root)));
	xhprof_tracer_settle(&tracer);
	xhprof_tracer_stop(&tracer);
	CHECK(root->self_wall == wall && tracer.duration_ns == whole && whole >= wall);
	CHECK(xhprof_node_first_child(root)->symbol == name("a"));
	start(1000);
	call(0, "b");
	xhprof_tracer_halt(&tracer);
	start(1000); /* the one before was never settled */
	call(0, "c");
	call(0, "d");
	xhprof_tracer_stop(&tracer);
	CHECK(tracer.tree.nodes == 3 && xhprof_node_first_child(tracer.tree.root)->symbol == name("c"));
}

static void stray_and_missing_ends_are_resynchronized(void)
{
	start(1000);
	xhprof_tracer_end_any(&tracer, &frames[9]); /* began before the profile */
	CHECK(tracer.top->frame == NULL && tracer.resyncs == 0);
	for (int i = 0; i < 5; i++) {
		xhprof_tracer_begin_any(&tracer, &frames[i], name("f"), 1);
	}
	xhprof_tracer_end_any(&tracer, &frames[1]); /* 4, 3 and 2 never ended */
	CHECK(tracer.top->frame == &frames[0] && tracer.resyncs == 1);
	xhprof_tracer_end_any(&tracer, &frames[3]); /* and end late */
	CHECK(tracer.top->frame == &frames[0]);
	xhprof_tracer_end_any(&tracer, &frames[0]);
	CHECK(tracer.current == tracer.tree.root);
	xhprof_tracer_stop(&tracer);
	CHECK(tree_time() == tracer.duration_ns);
}

/* Calls of a function in main()'s child (truncated). */
static uint64_t folded_calls(const char *function)
{
	uint64_t calls = 0;
	for (const xhprof_node *node = tracer.tree.root; node; node = xhprof_calltree_next(node)) {
		const xhprof_node *parent = xhprof_node_parent(node);
		bool folded = parent && xhprof_node_is_truncated(parent) && xhprof_node_parent(parent) == tracer.tree.root;
		CHECK(!folded || !node->self_wall);
		calls += folded && !strcmp(name_of(node->symbol), function) ? node->calls : 0;
	}
	return calls;
}

static void full_tree_truncates(void)
{
	char text[16];
	start(16);
	for (int i = 0; i < 100; i++) {
		snprintf(text, sizeof(text), "f%d", i);
		xhprof_tracer_begin_any(&tracer, &frames[i], name(text), 1);
	}
	for (int i = 99; i >= 0; i--) {
		xhprof_tracer_end_any(&tracer, &frames[i]);
	}
	for (int i = 0; i < 100; i++) { /* as many callers as there are nodes need a (truncated) child */
		snprintf(text, sizeof(text), "g%d", i);
		xhprof_tracer_begin_any(&tracer, &frames[0], name("f0"), 1);
		xhprof_tracer_begin_any(&tracer, &frames[1], name(text), 1);
		xhprof_tracer_end_any(&tracer, &frames[1]);
		xhprof_tracer_end_any(&tracer, &frames[0]);
	}
	xhprof_tracer_stop(&tracer);
	CHECK(tracer.tree.nodes <= 16 + 1 + 16 + 1 + 85 + 100); /* in main()'s (truncated), each function */
	CHECK(tracer.tree.dropped == 85 + 100);
	CHECK(folded_calls("f99") == 1 && folded_calls("g7") == 1 && folded_calls("f0") == 0);
	CHECK(tree_time() == tracer.duration_ns);
	CHECK(tree_calls() == 1 + 100 + 200);
}

/* 2,000 heavy paths, half of them in each of two fibers, among so many light ones that there are nodes for a hundredth. The
 * time is set here. */
static void full_tree_keeps_what_is_heavy(void)
{
	enum { MAX_NODES = 4000, HEAVY = 2000, CALLS = 400000, HEAVY_TIME = 100000000, LIGHT_TIME = 1000 };
	static xhprof_symbol_ref groups[10], heavy[100], light[100];
	char text[32], one, two;
	uint64_t total = 0, in_heavy = 0, found = 0, truncated = 0, calls = 0;
	xhprof_tracer_options options = {.max_nodes = MAX_NODES, .clock = XHPROF_CLOCK_MONOTONIC};
	CHECK(xhprof_tracer_prepare(&tracer, &options));
	xhprof_tracer_start(&tracer);
	for (int i = 0; i < 100; i++) {
		snprintf(text, sizeof(text), "heavy%d", i);
		heavy[i] = name(text);
		snprintf(text, sizeof(text), "light%d", i);
		light[i] = name(text);
		snprintf(text, sizeof(text), "group%d", i % 10);
		groups[i % 10] = name(text);
	}
	xhprof_tracer_begin_any(&tracer, &frames[0], name("suspended"), 1);
	xhprof_fiber_calls_switch(&tracer, &one, &two, true);
	xhprof_tracer_begin_any(&tracer, &frames[1], name("in fiber"), 1);
	srand(5);
	for (int i = 0; i < CALLS; i++) {
		int group = rand() % 10, path = rand() % 100;
		bool is_heavy = rand() % 3 == 0;
		xhprof_tracer_begin_any(&tracer, &frames[2], groups[group], 1);
		if (!is_heavy) {
			xhprof_tracer_begin_any(&tracer, &frames[3], light[path], 1);
			xhprof_tracer_begin_any(&tracer, &frames[4], light[rand() % 100], 1);
		}
		xhprof_tracer_begin_any(&tracer, &frames[5], is_heavy ? heavy[path] : light[rand() % 10], 1);
		uint64_t time = is_heavy ? HEAVY_TIME : LIGHT_TIME;
		tracer.current->self_wall += time;
		total += time;
		calls += is_heavy ? 2 : 4;
		for (int frame = 5; frame >= 2; frame--) {
			if (tracer.top->frame == &frames[frame]) {
				xhprof_tracer_end_any(&tracer, &frames[frame]);
			}
		}
		if (i == CALLS / 2) {
			xhprof_fiber_calls_switch(&tracer, &two, &one, false);
		}
	}
	CHECK(!strcmp(name_of(tracer.current->symbol), "suspended"));
	xhprof_fiber_calls_switch(&tracer, &one, &two, false);
	CHECK(!strcmp(name_of(tracer.current->symbol), "in fiber"));
	xhprof_tracer_stop(&tracer);
	for (const xhprof_node *node = tracer.tree.root; node; node = xhprof_calltree_next(node)) {
		int number;
		const xhprof_node *parent = xhprof_node_parent(node);
		bool in_group = parent && !strncmp(name_of(parent->symbol), "group", 5);
		truncated += xhprof_node_is_truncated(node);
		if (in_group && sscanf(name_of(node->symbol), "heavy%d", &number) == 1) {
			found++;
			in_heavy += node->self_wall;
		}
	}
	printf("# %u nodes, %lu of %d heavy paths, %.4f of the time in them\n", tracer.tree.nodes, (unsigned long)found,
		   HEAVY, (double)in_heavy / (double)total);
	CHECK(tracer.tree.nodes <= MAX_NODES + 1 + 210 && found == HEAVY && truncated == 1); /* main()'s, of the calls */
	CHECK(in_heavy > total / 100 * 99);
	CHECK(tree_time() == tracer.duration_ns && tracer.duration_ns >= total);
	CHECK(tree_calls() == 1 + 2 + calls && tracer.tree.dropped > 0);
}

static void fibers_have_stacks_of_their_own(void)
{
	char main_fiber, one, two;
	start(1000);
	xhprof_tracer_begin_any(&tracer, &frames[0], name("start"), 1);
	xhprof_fiber_calls_switch(&tracer, &main_fiber, &one, true);
	xhprof_tracer_begin_any(&tracer, &frames[1], name("one"), 1);
	xhprof_fiber_calls_switch(&tracer, &one, &main_fiber, false);
	xhprof_tracer_end_any(&tracer, &frames[0]);
	xhprof_fiber_calls_switch(&tracer, &main_fiber, &two, false); /* ran before the profile */
	xhprof_tracer_begin_any(&tracer, &frames[2], name("two"), 1);
	xhprof_fiber_calls_switch(&tracer, &two, &one, false);
	CHECK(tracer.top->frame == &frames[1]);
	xhprof_tracer_end_any(&tracer, &frames[1]);
	xhprof_fiber_calls_switch(&tracer, &one, &main_fiber, false);
	xhprof_fiber_calls_end(&tracer, &one);
	xhprof_fiber_calls_end(&tracer, &two); /* abandoned */
	CHECK(tracer.current == tracer.tree.root);
	xhprof_tracer_stop(&tracer);
	const xhprof_node *started = xhprof_node_first_child(tracer.tree.root);
	CHECK(!strcmp(name_of(xhprof_node_first_child(started)->symbol), "one"));
	CHECK(!strcmp(name_of(xhprof_node_next_sibling(started)->symbol), "two"));
	CHECK(tree_time() == tracer.duration_ns);
}

static void run_init_is_transparent(void)
{
	start(1000);
	xhprof_symbol_ref file = xhprof_symbols_intern(&tracer.symbols, "run_init::a/b.php", 17, 0, XHPROF_SYMBOL_RUN_INIT);
	xhprof_tracer_begin_any(&tracer, &frames[0], file, 1);
	xhprof_tracer_begin_any(&tracer, &frames[1], name("f"), 1);
	xhprof_tracer_end_any(&tracer, &frames[1]);
	xhprof_tracer_end_any(&tracer, &frames[0]);
	xhprof_tracer_stop(&tracer);
	xhprof_fold fold;
	fold_profile(&fold, false);
	CHECK(fold.edge_count == 2 && edge(&fold, "main()@0==>f@0"));
	CHECK(edge(&fold, "main()@0")->wall_us == tracer.duration_ns / 1000);
	xhprof_fold_release(&fold);
	fold_profile(&fold, true);
	CHECK(fold.edge_count == 3 && edge(&fold, "run_init::a/b.php@0==>f@0"));
	xhprof_fold_release(&fold);
}

/* Exclusive microseconds must add up and never be negative, even where every call is far below a microsecond. */
static void rounding_is_consistent(void)
{
	char text[16];
	start(100000);
	for (int i = 0; i < 5000; i++) {
		snprintf(text, sizeof(text), "caller%d", i % 50);
		xhprof_tracer_begin_any(&tracer, &frames[0], name(text), 1);
		snprintf(text, sizeof(text), "callee%d", i % 7);
		xhprof_tracer_begin_any(&tracer, &frames[1], name(text), 1);
		xhprof_tracer_end_any(&tracer, &frames[1]);
		xhprof_tracer_end_any(&tracer, &frames[0]);
	}
	xhprof_tracer_stop(&tracer);
	xhprof_fold fold;
	fold_profile(&fold, false);
	static int64_t exclusive[4000];
	int64_t sum = 0, negative = 0;
	for (uint32_t i = 0; i < fold.edge_count; i++) {
		exclusive[fold.edges[i].callee] += (int64_t)fold.edges[i].wall_us;
		if (fold.edges[i].caller != XHPROF_FOLD_NO_CALLER) {
			exclusive[fold.edges[i].caller] -= (int64_t)fold.edges[i].wall_us;
		}
	}
	for (uint32_t i = 0; i < fold.label_count; i++) {
		sum += exclusive[i];
		negative += exclusive[i] < 0;
	}
	CHECK(negative == 0 && sum == (int64_t)(tracer.duration_ns / 1000));
	xhprof_fold_release(&fold);
}

static void clocks_agree(void)
{
	static const char *choices[] = {"auto", "tsc", "tsc-pinned", "monotonic"};
	for (size_t i = 0; i < sizeof(choices) / sizeof(choices[0]); i++) {
		xhprof_clock clock;
		cpu_set_t before, after;
		sched_getaffinity(0, sizeof(before), &before);
		uint64_t from = xhprof_clock_monotonic_ns();
		xhprof_clock_start(&clock, xhprof_clock_choose(choices[i]));
		uint64_t start_ticks = xhprof_clock_ticks(&clock);
		usleep(30000);
		uint64_t ticks = xhprof_clock_ticks(&clock) - start_ticks;
		xhprof_clock_stop(&clock);
		uint64_t around = xhprof_clock_monotonic_ns() - from, measured = xhprof_clock_to_ns(&clock, ticks);
		CHECK(measured >= 29990000 && measured <= around + around / 1000);
		sched_getaffinity(0, sizeof(after), &after);
		CHECK(CPU_EQUAL(&before, &after));
	}
	CHECK(!xhprof_clock_valid_choice("sundial"));
}

/* Like at its start, in each way of reading figures. */
static void pause_ends_in_the_node_where_it_began(void)
{
	static xhprof_heap_usage heap;
	uint32_t flags[] = {0, XHPROF_TRACE_CPU, XHPROF_TRACE_MEMORY, XHPROF_TRACE_PATHS, XHPROF_TRACE_TIMELINE};
	size_t sets = sizeof(flags) / sizeof(flags[0]);
	const char *clocks[] = {"auto", "monotonic"};
	for (size_t i = 0; i < 2 * sets; i++) {
		xhprof_tracer_options options = {.flags = flags[i % sets],
										 .max_nodes = 10,
										 .timeline_calls = 10,
										 .clock = xhprof_clock_choose(clocks[i / sets]),
										 .cpu = XHPROF_CPU_SYSCALL,
										 .heap = &heap};
		CHECK(xhprof_tracer_prepare(&tracer, &options) && !xhprof_tracer_running(&tracer));
		xhprof_tracer_start(&tracer);
		uint8_t mode = tracer.mode;
		xhprof_tracer_pause(&tracer);
		CHECK(mode != XHPROF_MODE_OFF && !xhprof_tracer_running(&tracer));
		xhprof_tracer_resume(&tracer);
		CHECK(tracer.mode == mode);
		xhprof_tracer_stop(&tracer);
		CHECK(!xhprof_tracer_running(&tracer));
	}
}

static xhprof_tracer_mode mode_of(uint32_t flags, xhprof_clock_source clock, void (*refresh)(xhprof_heap_usage *))
{
	static xhprof_heap_usage heap;
	xhprof_tracer_options options = {.flags = flags,
									 .max_nodes = 10,
									 .timeline_calls = 10,
									 .clock = clock,
									 .cpu = XHPROF_CPU_SYSCALL,
									 .heap = &heap,
									 .refresh_heap = refresh};
	CHECK(xhprof_tracer_prepare(&tracer, &options));
	xhprof_tracer_start(&tracer);
	xhprof_tracer_mode mode = tracer.mode;
	xhprof_tracer_stop(&tracer);
	return mode;
}

static void refresh_nothing(xhprof_heap_usage *heap)
{
	(void)heap;
}

/* No set of figures leaves the fast path, but where a clock or the heap is read by a call. */
static void every_set_of_figures_has_a_fast_path(void)
{
	uint32_t more[] = {XHPROF_TRACE_CPU, XHPROF_TRACE_MEMORY, XHPROF_TRACE_CPU | XHPROF_TRACE_MEMORY};
	xhprof_clock_source cycles = XHPROF_CLOCK_CYCLES;
	CHECK(mode_of(0, cycles, NULL) == XHPROF_MODE_WALL);
	CHECK(mode_of(XHPROF_TRACE_NO_BUILTINS | XHPROF_TRACE_TIMELINE, cycles, NULL) == XHPROF_MODE_TIMELINE);
	CHECK(mode_of(XHPROF_TRACE_PATHS | XHPROF_TRACE_CPU, cycles, NULL) == XHPROF_MODE_PATHS);
	for (size_t i = 0; i < 3; i++) {
		uint32_t timeline = more[i] | XHPROF_TRACE_TIMELINE;
		CHECK(mode_of(more[i], cycles, NULL) == XHPROF_MODE_FULL);
		CHECK(mode_of(timeline, cycles, NULL) == XHPROF_MODE_FULL_TIMELINE);
		CHECK(mode_of(timeline, XHPROF_CLOCK_MONOTONIC, NULL) == XHPROF_MODE_ANY);
		CHECK(mode_of(timeline, cycles, refresh_nothing) == XHPROF_MODE_ANY);
	}
}

static void forgetting_samples_keeps_their_paths(void)
{
	xhprof_tracer_options options = {.max_nodes = 10, .clock = XHPROF_CLOCK_MONOTONIC};
	xhprof_tracer_sampling sampling = {.interval_us = 1000, .only_counts = true, .epoch_us = 5000, .started = 0.0055};
	CHECK(xhprof_tracer_prepare(&tracer, &options) && tracer.tree.root->calls == 1);
	xhprof_tracer_start_sampling(&tracer, &sampling);
	CHECK(tracer.tree.root->calls == 0 && !xhprof_tracer_running(&tracer));
	xhprof_node *node = xhprof_calltree_child(&tracer.tree, tracer.tree.root, name("met"));
	xhprof_sample_log_add(&tracer.samples, 1, 3, node, 0);
	xhprof_tracer_forget_samples(&tracer);
	CHECK(tracer.samples.samples == 0 && node->calls == 0);
	CHECK(xhprof_calltree_child(&tracer.tree, tracer.tree.root, name("met")) == node);
	xhprof_sample_log_add(&tracer.samples, 4, 2, node, 0);
	xhprof_tracer_stop_sampling(&tracer, 6000000);
	CHECK(node->calls == 2 && node->self_wall == 2000000 && tracer.duration_ns == 6000000);
}

/* Two files are the same only if their whole paths are, whichever was asked for last. A new set of symbols shows nothing
 * of the one whose memory it has taken over. */
static void symbols_are_made_anew(void)
{
	xhprof_symbols symbols = {0};
	char name[100], path[100];
	int wrong = 0;
	for (int round = 0; round < 3; round++) {
		size_t budget = 1 << 24;
		CHECK(xhprof_symbols_begin(&symbols) && symbols.files.count == 0);
		for (int i = 0; i < 3000; i++) {
			int length = snprintf(name, sizeof(name), "f%d_%d", round, i);
			xhprof_symbol_ref ref = xhprof_symbols_intern(&symbols, name, (size_t)length, 0, 0);
			const xhprof_symbol *symbol = xhprof_symbols_get(&symbols, XHPROF_SYMBOL_ID(ref));
			wrong += !xhprof_symbols_lack_place(&symbols, ref) || symbol->flags || symbol->identity || symbol->twin ||
					 symbol->twins != 1 || symbol->place.line || strcmp(symbol->name, name) != 0;
			length = snprintf(path, sizeof(path), "/%d/%d.php", round, i % 7 / 2);
			const xhprof_file *file = xhprof_symbols_file(&symbols, "", path, (size_t)length);
			const xhprof_file *extension = xhprof_symbols_file(&symbols, "ext:", path, (size_t)length);
			wrong += !file || strcmp(file->path, path) != 0 || !extension ||
					 strncmp(extension->path, "ext:/", 5) != 0 || strcmp(extension->path + 4, path) != 0;
			xhprof_symbols_set_place(&symbols, ref, (xhprof_place){file, (uint32_t)i + 1, (uint32_t)i + 2});
		}
		CHECK(wrong == 0 && symbols.files.count == 8 && symbols.count == 3002);
		uint32_t files = 0;
		for (const xhprof_file *file = symbols.files.first; file; file = file->next) {
			wrong += file->id != ++files;
		}
		CHECK(wrong == 0 && files == 8);
		CHECK(xhprof_symbols_file(&symbols, "ex", "t:/0/0.php", 10) ==
			  xhprof_symbols_file(&symbols, "ext:", "/0/0.php", 8)); /* one text */
		xhprof_symbols_recycle(&symbols, &budget);
	}
	xhprof_symbols_recycle(&symbols, &(size_t){0});
}

static const xhprof_symbol *kept_symbol(xhprof_symbols *symbols, const char *name, uint64_t identity, uint32_t flags)
{
	return xhprof_symbols_get(symbols,
							  XHPROF_SYMBOL_ID(xhprof_symbols_intern(symbols, name, strlen(name), identity, flags)));
}

/* A set has the names that it was asked for, numbered in that order, whatever earlier sets had. */
static void kept_names_are_of_no_set_until_they_are_asked_for(void)
{
	xhprof_symbols symbols = {.keeps = true};
	size_t budget = 1 << 24;
	CHECK(xhprof_symbols_begin(&symbols));
	const xhprof_symbol *f = kept_symbol(&symbols, "f", 0, XHPROF_SYMBOL_INTERNAL),
						*g = kept_symbol(&symbols, "g", 0, 0);
	const xhprof_symbol *first = kept_symbol(&symbols, "{a}", 7, 0), *second = kept_symbol(&symbols, "{a}", 8, 0);
	CHECK(f->id == 3 && g->id == 4 && first->id == 5 && second->id == 6 && !strcmp(second->name, "{a#2}"));
	const xhprof_file *one = xhprof_symbols_file(&symbols, "", "one", 3),
					  *two = xhprof_symbols_file(&symbols, "", "two", 3);
	xhprof_symbols_set_place(&symbols, g->id << XHPROF_SYMBOL_FLAG_BITS, (xhprof_place){two, 1, 2});
	CHECK(one->id == 1 && two->id == 2);
	CHECK(xhprof_symbols_ignore(&symbols, "H", 1) &&
		  kept_symbol(&symbols, "h", 0, 0)->flags == XHPROF_SYMBOL_TRANSPARENT);

	uint64_t drops = symbols.drops;
	xhprof_symbols_recycle(&symbols, &budget);
	CHECK(budget < 1 << 24);
	unit_mmaps = 0; /* and no memory is asked for */
	CHECK(xhprof_symbols_begin(&symbols) && symbols.drops == drops && symbols.count == 2 && symbols.files.count == 0);
	CHECK(kept_symbol(&symbols, "g", 0, 0) == g && g->id == 3 && !g->place.file && !g->place.line);
	CHECK(kept_symbol(&symbols, "f", 0, 0) == f && f->id == 4 && !f->flags);
	CHECK(kept_symbol(&symbols, "h", 0, 0)->flags == 0); /* nothing is ignored */
	CHECK(kept_symbol(&symbols, "{a}", 8, 0) == first && first->id == 6 && first->identity == 8 && first->twins == 1);
	CHECK(kept_symbol(&symbols, "{a}", 8, 0) == first && symbols.count == 6);
	CHECK(kept_symbol(&symbols, "{a}", 9, 0) == second && second->id == 7 && !strcmp(second->name, "{a#2}"));
	CHECK(kept_symbol(&symbols, "{a}", 9, 0) == second && kept_symbol(&symbols, "{a}", 8, 0) == first);
	xhprof_file_list_expect(&symbols.files, one); /* it is not */
	CHECK(xhprof_symbols_file(&symbols, "", "two", 3) == two && two->id == 1 && !two->next && symbols.files.count == 1);
	xhprof_file_list_expect(&symbols.files, one);
	CHECK(xhprof_symbols_file(&symbols, "", "one", 3) == one && one->id == 2 && symbols.files.first == two);
	unit_mmaps = -1;
	const xhprof_symbol *third = kept_symbol(&symbols, "{a}", 10, 0);
	CHECK(third->id == 8 && !strcmp(third->name, "{a#3}") && kept_symbol(&symbols, "{a}", 10, 0) == third);

	symbols.set = UINT32_MAX; /* numbers of sets must not come a second time */
	xhprof_symbols_recycle(&symbols, &budget);
	CHECK(xhprof_symbols_begin(&symbols) && symbols.drops == drops + 1 && symbols.by_name.used == 2);
	CHECK(!strcmp(kept_symbol(&symbols, "g", 0, 0)->name, "g") && symbols.count == 3);
	budget = 1000;
	xhprof_symbols_recycle(&symbols, &budget);
	CHECK(symbols.drops == drops + 2 && !symbols.arena.spare && !symbols.by_name.capacity);
	CHECK(xhprof_symbols_begin(&symbols) && symbols.count == 2 && symbols.by_name.used == 2);
	xhprof_symbols_recycle(&symbols, &(size_t){0});
}

static void forgetting_samples_keeps_what_is_live(void)
{
	xhprof_tracer_options options = {
		.max_nodes = 10, .clock = XHPROF_CLOCK_MONOTONIC, .sampled = true, .blocks = true, .block_unit = 8};
	CHECK(xhprof_tracer_prepare(&tracer, &options) && !xhprof_calltree_has_blocks(&tracer.tree));
	xhprof_node_blocks *blocks = &tracer.tree.blocks[tracer.tree.root->id];
	*blocks = (xhprof_node_blocks){1000, 80, 300, 24};
	CHECK(xhprof_calltree_has_blocks(&tracer.tree));
	xhprof_tracer_forget_samples(&tracer);
	CHECK(!xhprof_calltree_has_blocks(&tracer.tree) && blocks->allocated_blocks == 0);
	CHECK(blocks->allocated_bytes - blocks->freed_bytes == 700);
	blocks->freed_bytes += 700; /* of before */
	blocks->allocated_bytes += 50;
	CHECK(blocks->allocated_bytes - blocks->freed_bytes == 50);
}

int main(void)
{
	symbols_are_made_anew();
	kept_names_are_of_no_set_until_they_are_asked_for();
	xhprof_clock_process_start();
	symbols_are_interned();
	calls_make_a_tree();
	settling_is_done_once();
	stray_and_missing_ends_are_resynchronized();
	full_tree_truncates();
	full_tree_keeps_what_is_heavy();
	fibers_have_stacks_of_their_own();
	run_init_is_transparent();
	rounding_is_consistent();
	clocks_agree();
	pause_ends_in_the_node_where_it_began();
	every_set_of_figures_has_a_fast_path();
	forgetting_samples_keeps_their_paths();
	forgetting_samples_keeps_what_is_live();
	xhprof_tracer_release(&tracer);
	return unit_end();
}
