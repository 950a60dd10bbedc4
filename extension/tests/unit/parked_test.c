/* Parts of one profile that take turns: each has its own calls, nodes, timeline and time, which stands still while
 * others run; a part's memory serves the next one. */
#include "unit.h"

#include "trace/fiber_calls.h"
#include "trace/parked.h"

#include <stdlib.h>

enum { PARTS = 20, DEPTH = 30 };

static xhprof_tracer tracer; /* zeroed, as the module's globals are */
static xhprof_parked parts[PARTS];
static char frames[PARTS][DEPTH + 2], fibers[2 * PARTS];

static xhprof_symbol_ref name(const char *text)
{
	return xhprof_symbols_intern(&tracer.symbols, text, strlen(text), 0, 0);
}

static bool named(const xhprof_node *node, const char *text)
{
	return node && node->symbol == name(text);
}

static void start(uint32_t max_nodes, uint32_t flags)
{
	xhprof_tracer_options options = {
		.max_nodes = max_nodes, .flags = flags, .timeline_calls = 1000, .clock = xhprof_clock_choose("auto")};
	CHECK(xhprof_tracer_prepare(&tracer, &options));
	xhprof_tracer_start(&tracer);
}

/* Begins a part, while the tracer has none. */
static bool begin(xhprof_parked *part)
{
	xhprof_parked_take(part, &tracer);
	part->away = 0;
	if (!xhprof_tracer_begin_part(&tracer)) {
		return false;
	}
	xhprof_tracer_start_part(&tracer);
	xhprof_tracer_skip(&tracer);
	return true;
}

static void leave(xhprof_parked *part, const void *fiber)
{
	CHECK(xhprof_fiber_calls_leave(&tracer, fiber));
	xhprof_parked_put(part, &tracer);
}

static void go_on(xhprof_parked *part, const void *fiber)
{
	xhprof_parked_take(part, &tracer);
	xhprof_fiber_calls_enter(&tracer, fiber);
}

/* Ends the part that runs, as a session does, and drops it. */
static void end(xhprof_parked *part, size_t keep)
{
	xhprof_tracer_drop_part(&tracer, keep);
	xhprof_parked_put(part, &tracer);
	xhprof_tracer_resume(&tracer);
}

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

/* Waits for the clock, by so many of its ticks. */
static void work(uint64_t ticks)
{
	uint64_t from = xhprof_clock_ticks(&tracer.clock);
	while (xhprof_clock_ticks(&tracer.clock) - from < ticks) {
	}
}

static void own_time_stands_still(void)
{
	const uint64_t ticks = 1000000;
	start(1000, 0);
	uint64_t began = tracer.last_ticks;
	xhprof_tracer_begin_any(&tracer, &frames[0][0], name("a"), 1);
	work(ticks);
	leave(&parts[0], &fibers[0]);
	uint64_t own = parts[0].own_time, charged = tree_time();
	CHECK(parts[0].parked_at == tracer.last_ticks && own == xhprof_tracer_last_time(&tracer));
	CHECK(begin(&parts[1]));
	CHECK(tree_time() == 0 && tracer.tree.nodes == 1 && tracer.current == tracer.tree.root);
	xhprof_tracer_begin_any(&tracer, &frames[1][0], name("b"), 1);
	work(10 * ticks);
	leave(&parts[1], &fibers[1]);
	CHECK(tree_time() >= 10 * ticks);
	go_on(&parts[0], &fibers[0]);
	CHECK(xhprof_tracer_last_time(&tracer) == own && tree_time() == charged);
	CHECK(parts[0].away >= 10 * ticks && named(tracer.current, "a") && tracer.top->frame == &frames[0][0]);
	xhprof_tracer_end_any(&tracer, &frames[0][0]);
	CHECK(tracer.current == tracer.tree.root && tracer.tree.nodes == 2 && tree_calls() == 2);
	xhprof_tracer_halt_part(&tracer);
	CHECK(!xhprof_tracer_running(&tracer) && xhprof_tracer_last_time(&tracer) - began == tree_time());
	CHECK(tracer.started_ticks == began);
	xhprof_tracer_settle(&tracer);
	CHECK(tree_time() == tracer.duration_ns && tracer.elapsed_ns >= tracer.duration_ns);
	/* What passed is the part's own time, the profiler's own work, and the time away. */
	uint64_t away = xhprof_clock_to_ns(&tracer.clock, parts[0].away);
	CHECK(tracer.elapsed_ns == xhprof_clock_to_ns(&tracer.clock, tracer.last_ticks - began));
	CHECK(away > 0 && tracer.duration_ns + away <= tracer.elapsed_ns + 1);
	end(&parts[0], 0);
	go_on(&parts[1], &fibers[1]);
	CHECK(named(tracer.current, "b") && tracer.tree.nodes == 2 && tree_calls() == 2);
	xhprof_tracer_end_any(&tracer, &frames[1][0]);
	xhprof_tracer_stop(&tracer);
	CHECK(tree_time() == tracer.duration_ns);
	parts[1] = (xhprof_parked){.top = NULL}; /* the tracer has what was its */
	xhprof_tracer_release(&tracer);
}

/* Each part runs in two fibers, one of which the other has started; all take turns in a random order. */
static void parts_have_calls_of_their_own(void)
{
	int depth[PARTS][2] = {{0}}, calls[PARTS] = {0}, fiber_of[PARTS] = {0};
	start(100000, 0);
	leave(&parts[0], "");
	for (int i = 1; i < PARTS; i++) {
		CHECK(begin(&parts[i]));
		xhprof_tracer_begin_any(&tracer, &frames[i][DEPTH], name("starts"), 1);
		calls[i] = 1;
		leave(&parts[i], &fibers[2 * i]);
	}
	srand(11);
	unsigned wrong = 0;
	for (int turn = 0; turn < 4000; turn++) {
		int i = 1 + rand() % (PARTS - 1);
		go_on(&parts[i], &fibers[2 * i + fiber_of[i]]);
		for (int step = rand() % 4; step >= 0; step--) {
			int *d = &depth[i][fiber_of[i]];
			char text[40];
			snprintf(text, sizeof(text), "f %d %d", i, *d);
			wrong += *d && !named(tracer.current, (snprintf(text, sizeof(text), "f %d %d", i, *d - 1), text));
			snprintf(text, sizeof(text), "f %d %d", i, *d);
			if (*d < DEPTH / 2 && rand() % 2) {
				xhprof_tracer_begin_any(&tracer, &frames[i][fiber_of[i] * DEPTH / 2 + *d], name(text), 1);
				(*d)++;
				calls[i]++;
			} else if (*d) {
				(*d)--;
				xhprof_tracer_end_any(&tracer, &frames[i][fiber_of[i] * DEPTH / 2 + *d]);
			}
		}
		int other = 1 - fiber_of[i];
		if (rand() % 3 == 0) {
			xhprof_fiber_calls_switch(&tracer, &fibers[2 * i + fiber_of[i]], &fibers[2 * i + other], other == 1);
			fiber_of[i] = other;
		}
		leave(&parts[i], &fibers[2 * i + fiber_of[i]]);
	}
	CHECK(wrong == 0);
	for (int i = 1; i < PARTS; i++) {
		go_on(&parts[i], &fibers[2 * i + fiber_of[i]]);
		wrong += tree_calls() != (uint64_t)calls[i] + 1 || tracer.resyncs || tracer.lost_entries;
		for (const xhprof_node *node = tracer.tree.root; node; node = xhprof_calltree_next(node)) {
			const xhprof_symbol *symbol = xhprof_symbols_get(&tracer.symbols, XHPROF_SYMBOL_ID(node->symbol));
			char own[20];
			int length = snprintf(own, sizeof(own), "f %d ", i);
			wrong += symbol->name[0] == 'f' && memcmp(symbol->name, own, (size_t)length) != 0;
		}
		end(&parts[i], 0);
	}
	CHECK(wrong == 0);
	go_on(&parts[0], "");
	CHECK(tree_calls() == 1 && tracer.tree.nodes == 1);
	xhprof_tracer_stop(&tracer);
	xhprof_tracer_release(&tracer);
	memset(parts, 0, sizeof(parts));
}

/* Calls that began in one part and end while another one has their fiber are over where it goes on; others are not, even
 * if a new call has the same frame. */
static void calls_that_ended_apart_are_over(void)
{
	start(1000, 0);
	tracer.parted = true;
	for (int i = 0; i < 4; i++) {
		xhprof_tracer_begin_any(&tracer, &frames[0][i], name((const char *[]){"a", "b", "c", "d"}[i]), 1);
	}
	leave(&parts[0], &fibers[0]);
	CHECK(begin(&parts[1]));
	xhprof_tracer_end_any(&tracer, &frames[0][3]); /* d and c end here */
	xhprof_tracer_end_any(&tracer, &frames[0][2]);
	xhprof_tracer_begin_any(&tracer, &frames[0][2], name("new"), 1);
	CHECK(named(tracer.current, "new") && tracer.resyncs == 0);
	leave(&parts[1], &fibers[0]);
	go_on(&parts[0], &fibers[0]);
	CHECK(named(tracer.current, "b") && tracer.top->frame == &frames[0][1]);
	xhprof_tracer_end_any(&tracer, &frames[0][2]); /* new, which the other part has */
	CHECK(named(tracer.current, "b"));
	xhprof_tracer_begin_any(&tracer, &frames[0][2], name("c"), 1); /* the same place again */
	leave(&parts[0], &fibers[0]);
	go_on(&parts[1], &fibers[0]);
	CHECK(tracer.current == tracer.tree.root);
	leave(&parts[1], &fibers[0]);
	go_on(&parts[0], &fibers[0]);
	CHECK(named(tracer.current, "c"));
	for (int i = 2; i >= 0; i--) {
		xhprof_tracer_end_any(&tracer, &frames[0][i]);
	}
	CHECK(tracer.current == tracer.tree.root && tree_calls() == 1 + 5 && tracer.resyncs == 0);
	/* More ends than are remembered cost nothing but memory that has a bound. */
	for (size_t i = 0; i < 100000; i++) {
		xhprof_tracer_end_any(&tracer, (const char *)(i + 1));
	}
	CHECK(tracer.ended_apart.used <= 20000 && tracer.current == tracer.tree.root);
	xhprof_tracer_stop(&tracer);
	xhprof_parked_release(&parts[1]);
	xhprof_tracer_release(&tracer);
	memset(parts, 0, sizeof(parts));
}

/* Returns how long fibers have run, and which, as bits. */
static uint64_t fiber_time(unsigned *seen)
{
	uint64_t sum = 0;
	*seen = 0;
	for (size_t i = 0; i < tracer.timeline.used; i++) {
		if (tracer.timeline.calls[i].node == XHPROF_TIMELINE_FIBER) {
			sum += tracer.timeline.calls[i].duration;
			*seen |= 1u << tracer.timeline.calls[i].fiber;
		}
	}
	return sum;
}

static void timelines_have_their_own_fibers(void)
{
	unsigned seen;
	start(1000, XHPROF_TRACE_TIMELINE);
	xhprof_tracer_begin_any(&tracer, &frames[0][0], name("outer"), 1);
	xhprof_fiber_calls_switch(&tracer, &fibers[0], &fibers[1], true);
	xhprof_tracer_begin_any(&tracer, &frames[0][1], name("inner"), 1);
	work(1000);
	leave(&parts[0], &fibers[1]);
	CHECK(begin(&parts[1]));
	for (int i = 2; i < 5; i++) { /* three fibers */
		xhprof_fiber_calls_switch(&tracer, &fibers[i], &fibers[i + 1], true);
		xhprof_tracer_begin_any(&tracer, &frames[1][i], name("b"), 1);
		xhprof_tracer_end_any(&tracer, &frames[1][i]);
	}
	leave(&parts[1], &fibers[5]);
	go_on(&parts[0], &fibers[1]);
	work(1000);
	xhprof_tracer_end_any(&tracer, &frames[0][1]);
	xhprof_fiber_calls_switch(&tracer, &fibers[1], &fibers[0], false);
	xhprof_tracer_end_any(&tracer, &frames[0][0]);
	xhprof_tracer_halt_part(&tracer);
	CHECK(fiber_time(&seen) == tracer.timeline.end - tracer.timeline.start && seen == 3 && tracer.timeline.fibers == 1);
	CHECK(tracer.timeline.end - tracer.timeline.start == tree_time());
	uint64_t inner = 0;
	for (size_t i = 0; i < tracer.timeline.used; i++) {
		const xhprof_timeline_call *call = &tracer.timeline.calls[i];
		if (call->node != XHPROF_TIMELINE_FIBER && named(xhprof_calltree_node(&tracer.tree, call->node), "inner")) {
			inner += call->duration;
			CHECK(call->fiber == 1);
		}
	}
	CHECK(inner >= 2000 && inner <= tree_time());
	end(&parts[0], 0);
	go_on(&parts[1], &fibers[5]);
	xhprof_tracer_halt_part(&tracer);
	CHECK(fiber_time(&seen) == tracer.timeline.end - tracer.timeline.start && seen == 15 &&
		  tracer.timeline.fibers == 3);
	CHECK(tracer.timeline.end - tracer.timeline.start == tree_time());
	end(&parts[1], 0);
	xhprof_tracer_pause(&tracer);
	xhprof_tracer_release(&tracer);
	memset(parts, 0, sizeof(parts));
}

/* A part whose tree is full folds light nodes of its own; those of parked parts, and of its other fibers, stay. */
static void full_trees_fold_nodes_of_their_own(void)
{
	start(1000, 0);
	for (int i = 0; i < DEPTH; i++) {
		char text[20];
		snprintf(text, sizeof(text), "deep %d", i);
		xhprof_tracer_begin_any(&tracer, &frames[0][i], name(text), 1);
	}
	const xhprof_node *before = tracer.current;
	leave(&parts[0], &fibers[0]);
	CHECK(begin(&parts[1]));
	xhprof_tracer_begin_any(&tracer, &frames[1][0], name("b"), 1);
	xhprof_fiber_calls_switch(&tracer, &fibers[2], &fibers[3], true);
	xhprof_tracer_begin_any(&tracer, &frames[1][1], name("in fiber"), 1);
	xhprof_fiber_calls_switch(&tracer, &fibers[3], &fibers[2], false);
	for (int i = 0; i < 20000; i++) {
		char text[20];
		snprintf(text, sizeof(text), "light %d", i % 5000);
		xhprof_tracer_begin_any(&tracer, &frames[1][2], name(text), 1);
		xhprof_tracer_end_any(&tracer, &frames[1][2]);
		if (i % 1000 == 999) {
			leave(&parts[1], &fibers[2]);
			go_on(&parts[0], &fibers[0]);
			leave(&parts[0], &fibers[0]);
			go_on(&parts[1], &fibers[2]);
		}
	}
	CHECK(tracer.tree.moves > 0 && named(tracer.current, "b"));
	xhprof_fiber_calls_switch(&tracer, &fibers[2], &fibers[3], true);
	CHECK(named(tracer.current, "in fiber") && named(xhprof_node_parent(tracer.current), "b"));
	leave(&parts[1], &fibers[3]);
	go_on(&parts[0], &fibers[0]);
	CHECK(tracer.tree.moves == 0 && tracer.current == before && tracer.tree.nodes == DEPTH + 1);
	for (int i = DEPTH - 1; i >= 0; i--) {
		char text[20];
		snprintf(text, sizeof(text), "deep %d", i);
		CHECK(named(tracer.current, text) && tracer.top->frame == &frames[0][i]);
		xhprof_tracer_end_any(&tracer, &frames[0][i]);
	}
	xhprof_tracer_halt_part(&tracer);
	end(&parts[0], 0);
	go_on(&parts[1], &fibers[3]);
	xhprof_tracer_halt_part(&tracer);
	xhprof_tracer_settle(&tracer);
	CHECK(tree_calls() == 20000 + 1 + 2 && tree_time() == tracer.duration_ns);
	end(&parts[1], 0);
	xhprof_tracer_pause(&tracer);
	xhprof_tracer_release(&tracer);
	memset(parts, 0, sizeof(parts));
}

/* Returns how many entries are free. */
static unsigned free_entries(void)
{
	unsigned count = 0;
	for (const xhprof_entry *entry = tracer.free; entry; entry = entry->below) {
		count++;
	}
	return count;
}

static void memory_serves_the_next_part(void)
{
	unsigned entries = 0;
	size_t mapped = 0;
	start(1000, 0);
	leave(&parts[0], &fibers[0]);
	for (int round = 0; round < 500; round++) {
		CHECK(begin(&parts[1]));
		CHECK(tracer.tree.nodes == 1 && tree_calls() == 1 && tracer.fibers.used == 0 && tracer.timeline.used == 0);
		for (int i = 0; i < DEPTH; i++) {
			xhprof_tracer_begin_any(&tracer, &frames[1][i], name("f"), 1);
			if (i % 10 == 5) { /* calls that no fiber ends */
				xhprof_fiber_calls_switch(&tracer, &fibers[10 + i / 10], &fibers[11 + i / 10], true);
			}
		}
		xhprof_tracer_halt_part(&tracer);
		end(&parts[1], 1 << 20);
		entries = round == 1 ? free_entries() : entries;
		mapped = round == 1 ? tracer.entries.mapped : mapped;
	}
	CHECK(entries > DEPTH && free_entries() == entries && tracer.entries.mapped == mapped);
	CHECK(xhprof_fiber_calls_known(&tracer, &fibers[10]) && !xhprof_fiber_calls_known(&tracer, &fibers[30]));
	xhprof_fiber_calls_end(&tracer, &fibers[10]);
	CHECK(!xhprof_fiber_calls_known(&tracer, &fibers[10]));
	xhprof_parked_release(&parts[1]);
	go_on(&parts[0], &fibers[0]);
	xhprof_tracer_stop(&tracer);
	xhprof_tracer_release(&tracer);
	memset(parts, 0, sizeof(parts));
}

/* A part that cannot begin leaves the others as they are. */
static void without_memory_others_go_on(void)
{
	start(1000, 0);
	xhprof_tracer_begin_any(&tracer, &frames[0][0], name("a"), 1);
	leave(&parts[0], &fibers[0]);
	unit_mmaps = 0;
	CHECK(!begin(&parts[1]));
	xhprof_tracer_drop_part(&tracer, 0);
	unit_mmaps = -1;
	go_on(&parts[0], &fibers[0]);
	CHECK(named(tracer.current, "a"));
	xhprof_tracer_end_any(&tracer, &frames[0][0]);
	xhprof_tracer_stop(&tracer);
	CHECK(tree_calls() == 2 && tree_time() == tracer.duration_ns);
	xhprof_tracer_release(&tracer);
}

int main(void)
{
	own_time_stands_still();
	parts_have_calls_of_their_own();
	calls_that_ended_apart_are_over();
	timelines_have_their_own_fibers();
	full_trees_fold_nodes_of_their_own();
	memory_serves_the_next_part();
	without_memory_others_go_on();
	return unit_end();
}
