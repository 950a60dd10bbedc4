/* The figures without the profiler's own cost: the correction of each node, on trees whose figures are set by hand. */
#include "trace/columns.h"
#include "unit.h"

#include <math.h>
#include <stdlib.h>

static xhprof_tracer tracer; /* zeroed, as the module's globals are */
static char frames[8];       /* distinguished by their address only */

static const xhprof_overhead costs = {
	.known = true,
	.user = {.callee_wall = 10, .caller_wall = 5, .callee_cpu = 8, .caller_cpu = 4},
	.internal = {.callee_wall = 3, .caller_wall = 2, .callee_cpu = 1.5, .caller_cpu = 0.25},
};

static void start(void)
{
	xhprof_tracer_options options = {.flags = XHPROF_TRACE_CPU,
									 .max_nodes = 100000,
									 .clock = xhprof_clock_choose("auto"),
									 .cpu = XHPROF_CPU_SYSCALL};
	CHECK(xhprof_tracer_prepare(&tracer, &options));
	xhprof_tracer_start(&tracer);
}

static void begin(int frame, const char *name, uint32_t flags)
{
	xhprof_symbol_ref symbol = xhprof_symbols_intern(&tracer.symbols, name, strlen(name), 0, flags);
	xhprof_tracer_begin_any(&tracer, &frames[frame], symbol, 1);
}

static void end(int frame)
{
	xhprof_tracer_end_any(&tracer, &frames[frame]);
}

static void calls(int frame, const char *name, uint32_t flags, int count)
{
	for (int i = 0; i < count; i++) {
		begin(frame, name, flags);
		end(frame);
	}
}

/* Preorder is the order of the columns. */
static xhprof_node *nth(uint32_t place)
{
	xhprof_node *node = tracer.tree.root;
	while (place--) {
		node = xhprof_calltree_next(node);
	}
	return node;
}

static void set(uint32_t place, uint64_t wall, uint64_t cpu)
{
	nth(place)->self_wall = wall;
	nth(place)->self_cpu = cpu;
}

/* By blocks where the tree is larger than one, or by columns of all of it. */
static bool corrects_with(const xhprof_overhead *known, bool mapped, xhprof_corrected *corrected)
{
	static xhprof_columns columns;
	if (mapped) {
		xhprof_columns_map(&columns, &tracer, false);
	} else {
		xhprof_columns_init(&columns, &tracer);
	}
	xhprof_columns_correct(&columns, known);
	*corrected = columns.corrected; /* the caller's now */
	columns.corrected.wall = columns.corrected.cpu = NULL;
	xhprof_columns_release(&columns);
	return corrected->wall != NULL;
}

static bool corrects(xhprof_corrected *corrected)
{
	return corrects_with(&costs, false, corrected);
}

/* main() -> a (2) -> leaf (100), then internal (40) and compiled (3) below main(). */
static void small_tree(void)
{
	start();
	for (int i = 0; i < 2; i++) {
		begin(0, "a", 0);
		calls(1, "leaf", 0, 50);
		end(0);
	}
	calls(0, "internal", XHPROF_SYMBOL_INTERNAL, 40);
	calls(0, "load::a.php", XHPROF_SYMBOL_COMPILED, 3);
	xhprof_tracer_stop(&tracer);
}

/* With any amount of memory: false and nothing, or the whole result. */
static void any_memory(void)
{
	xhprof_corrected corrected = {0};
	unsigned failed = 0, leftovers = 0;
	bool done = false;
	for (int maps = 0; maps < 20 && !done; maps++) {
		unit_mmaps = maps;
		done = corrects(&corrected);
		unit_mmaps = -1;
		if (!done) {
			failed++;
			leftovers += corrected.wall != NULL || corrected.cpu != NULL;
		}
	}
	CHECK(done && failed > 0 && leftovers == 0);
	xhprof_corrected_free(&corrected);
}

static void costs_go_to_callee_and_caller(void)
{
	xhprof_corrected corrected = {0};
	small_tree();
	any_memory();
	CHECK(tracer.tree.nodes == 5);
	set(0, 10000, 9000);
	set(1, 2000, 1900);
	set(2, 5000, 4000);
	set(3, 700, 600);
	set(4, 90, 80);
	CHECK(corrects(&corrected));
	CHECK(corrected.size == 5 * sizeof(int64_t));
	CHECK(corrected.wall[2] == 5000 - 100 * 10);
	CHECK(corrected.wall[1] == 2000 - 2 * 10 - 100 * 5);
	CHECK(corrected.wall[3] == 700 - 40 * 3);
	CHECK(corrected.wall[4] == 90); /* compiling is not observed */
	CHECK(corrected.wall[0] == 10000 - 2 * 5 - 40 * 2);
	CHECK(corrected.cpu[2] == 4000 - 100 * 8);
	CHECK(corrected.cpu[1] == 1900 - 2 * 8 - 100 * 4);
	CHECK(corrected.cpu[3] == 600 - 60);
	CHECK(corrected.cpu[4] == 80);
	CHECK(corrected.cpu[0] == 9000 - 2 * 4 - 10);
	CHECK(nth(2)->self_wall == 5000 && nth(0)->self_cpu == 9000); /* the measured figure stays */
	xhprof_corrected_free(&corrected);
	CHECK(corrected.wall == NULL && corrected.cpu == NULL);
}

static void deficits_move_to_the_caller(void)
{
	xhprof_corrected corrected = {0};
	small_tree();
	set(0, 10000, 100);
	set(1, 600, 1900);
	set(2, 400, 4000);
	set(3, 120, 60); /* exactly its cost */
	set(4, 0, 0);
	CHECK(corrects(&corrected));
	CHECK(corrected.wall[2] == 0); /* 600 short */
	CHECK(corrected.wall[1] == 0); /* 80 left, so 520 short */
	CHECK(corrected.wall[3] == 0 && corrected.wall[4] == 0);
	CHECK(corrected.wall[0] == 10000 - 90 - 520);
	CHECK(corrected.cpu[0] == 82 && corrected.cpu[2] == 3200); /* each column by itself */
	xhprof_corrected_free(&corrected);
}

static void nothing_is_below_zero(void)
{
	xhprof_corrected corrected = {0};
	small_tree();
	for (uint32_t i = 0; i < 5; i++) {
		set(i, 0, 0);
	}
	CHECK(corrects(&corrected));
	for (uint32_t i = 0; i < 5; i++) {
		CHECK(corrected.wall[i] == 0 && corrected.cpu[i] == 0);
	}
	xhprof_corrected_free(&corrected);
}

/* The caller of a compiled file pays nothing; functions within it are treated like any other. */
static void caller_of_compiled_code_pays_nothing(void)
{
	xhprof_corrected corrected = {0};
	start();
	begin(0, "load::a.php", XHPROF_SYMBOL_COMPILED);
	calls(1, "autoload", 0, 10);
	end(0);
	xhprof_tracer_stop(&tracer);
	set(0, 1000, 0);
	set(1, 1000, 0);
	set(2, 1000, 0);
	CHECK(corrects(&corrected));
	CHECK(corrected.wall[0] == 1000 && corrected.wall[1] == 1000 - 50 && corrected.wall[2] == 1000 - 100);
	xhprof_corrected_free(&corrected);
}

static void main_without_calls_keeps_its_time(void)
{
	xhprof_corrected corrected = {0};
	start();
	xhprof_tracer_stop(&tracer);
	set(0, 1234, 567);
	CHECK(corrects(&corrected));
	CHECK(corrected.wall[0] == 1234 && corrected.cpu[0] == 567);
	xhprof_corrected_free(&corrected);
}

/* A cost of a fraction of a ns counts once there are enough calls. */
static void fractions_of_a_nanosecond_add_up(void)
{
	static const xhprof_overhead small = {.known = true, .user = {.callee_wall = 0.25, .caller_wall = 0.004}};
	xhprof_corrected corrected = {0};
	start();
	calls(0, "leaf", 0, 1001);
	xhprof_tracer_stop(&tracer);
	set(0, 1000, 0);
	set(1, 1000, 0);
	CHECK(corrects_with(&small, false, &corrected));
	CHECK(corrected.wall[1] == 1000 - 250 && corrected.wall[0] == 1000 - 4);
	xhprof_corrected_free(&corrected);
}

/* A chain of calls that all have too little: main() pays for all of it. */
static void deficits_climb_to_main(void)
{
	enum { DEPTH = 5000 };
	static char chain[DEPTH];
	xhprof_corrected corrected = {0};
	start();
	xhprof_symbol_ref symbol = xhprof_symbols_intern(&tracer.symbols, "f", 1, 0, 0);
	for (int i = 0; i < DEPTH; i++) {
		xhprof_tracer_begin_any(&tracer, &chain[i], symbol, 1);
	}
	xhprof_tracer_stop(&tracer);
	CHECK(tracer.tree.nodes == DEPTH + 1);
	for (xhprof_node *node = tracer.tree.root; node; node = xhprof_calltree_next(node)) {
		node->self_wall = node == tracer.tree.root ? 100000 : 1;
		node->self_cpu = 0;
	}
	CHECK(corrects(&corrected));
	int64_t sum = 0;
	for (uint32_t i = 1; i <= DEPTH; i++) {
		sum += corrected.wall[i];
	}
	CHECK(sum == 0 && corrected.wall[0] == 100000 + DEPTH - DEPTH * 15);
	CHECK(corrected.cpu[0] == 0 && corrected.cpu[DEPTH] == 0);
	xhprof_corrected_free(&corrected);
	any_memory();
}

static void random_tree(unsigned seed)
{
	static const char *const names[] = {"a", "b", "c", "d", "e"};
	static const uint32_t flags[] = {0, 0, XHPROF_SYMBOL_INTERNAL, 0, XHPROF_SYMBOL_COMPILED};
	int depth = 0;
	srand(seed);
	start();
	for (int i = 0; i < 3000; i++) {
		if (depth < 8 && (depth == 0 || rand() % 2)) {
			int which = rand() % 5;
			begin(depth++, names[which], flags[which]);
		} else {
			end(--depth);
		}
	}
	xhprof_tracer_stop(&tracer);
	for (xhprof_node *node = tracer.tree.root; node; node = xhprof_calltree_next(node)) {
		node->self_wall = (uint64_t)(rand() % 100);
		node->self_cpu = (uint64_t)(rand() % 100);
	}
}

/* No node gets more than was measured, and the total falls by exactly the costs, as far as it was as large. */
static void corrected_sums_fall_by_the_costs(void)
{
	xhprof_corrected corrected = {0};
	unsigned negative = 0, more = 0, sums = 0;
	for (unsigned seed = 0; seed < 50; seed++) {
		random_tree(seed);
		tracer.tree.root->self_wall = 1000000; /* enough to cover any shortfall below */
		int64_t raw = 0, cost = 0, sum = 0;
		uint32_t i = 0;
		CHECK(corrects_with(&costs, seed % 2, &corrected));
		for (const xhprof_node *node = tracer.tree.root; node; node = xhprof_calltree_next(node), i++) {
			uint32_t kind = xhprof_symbols_get(&tracer.symbols, XHPROF_SYMBOL_ID(node->symbol))->flags;
			raw += (int64_t)node->self_wall;
			if (i && !(kind & XHPROF_SYMBOL_COMPILED)) {
				cost += (int64_t)node->calls * (kind & XHPROF_SYMBOL_INTERNAL ? 3 + 2 : 10 + 5);
			}
			sum += corrected.wall[i];
			negative += corrected.wall[i] < 0 || corrected.cpu[i] < 0;
			more += corrected.wall[i] > (int64_t)node->self_wall || corrected.cpu[i] > (int64_t)node->self_cpu;
		}
		sums += sum == raw - cost && i == tracer.tree.nodes;
		xhprof_corrected_free(&corrected);
	}
	CHECK(negative == 0);
	CHECK(more == 0);
	CHECK(sums == 50);
}

/* What a call takes, in ticks of a clock that only these tests move. PHP calls functions in ways that differ by 1 to 3 of them,
 * also in what it takes to observe one. */
typedef struct planted {
	double unobserved, callee, caller;
} planted;

/* The first is the way that calibration calls. */
static const planted ways[] = {{17, 9.5, 5.25}, {14, 9.5, 5.25}, {18.5, 9.5, 5.25}, {15, 8.5, 7.25}, {16, 10, 2.25}};
#define WAYS (sizeof(ways) / sizeof(*ways))

/* Readings of batches of calls: `noisy` of them beside other work of the processor, two with a fault of the counter. */
static void read_clock(double *ticks, double each, unsigned noisy)
{
	bool disturbed[XHPROF_COST_BATCHES] = {false};
	for (unsigned i = 0; i < noisy + 2; i++) {
		int batch;
		do {
			batch = rand() % XHPROF_COST_BATCHES;
		} while (disturbed[batch]);
		disturbed[batch] = true;
		ticks[batch] = XHPROF_COST_CALLS * each + (i < 2 ? -30 - rand() % 300 : 64 * 6 + rand() % 100000);
	}
	for (int i = 0; i < XHPROF_COST_BATCHES; i++) {
		if (!disturbed[i]) {
			ticks[i] = XHPROF_COST_CALLS * each + rand() % 3; /* a whole number is read */
		}
	}
}

/* As hook/calibration.c does it: the shares by calls without a program, which take half as long again, then the whole. */
static xhprof_call_cost calibrated(const planted *way, unsigned noisy, double *by_median)
{
	xhprof_cost_batches callees, callers, charges;
	xhprof_call_cost cost;
	read_clock(callees.wall, 1.5 * way->callee, noisy);
	read_clock(callees.cpu, 1.5 * way->callee, noisy);
	read_clock(callers.wall, 4 + 1.5 * way->caller, noisy);
	read_clock(callers.cpu, 4 + 1.5 * way->caller, noisy);
	read_clock(callers.idle, 4, noisy);
	xhprof_overhead_share(&callees, &callers, &cost);
	read_clock(charges.wall, way->unobserved + way->callee + way->caller, noisy);
	read_clock(charges.cpu, way->unobserved + way->callee + way->caller, noisy);
	read_clock(charges.idle, way->unobserved, noisy);
	xhprof_overhead_total(&charges, &cost);
	*by_median = charges.wall[XHPROF_COST_BATCHES / 2] / XHPROF_COST_CALLS - way->unobserved; /* sorted now */
	return cost;
}

/* A caller with calls of each way: what is left of its time, and of theirs, is what they take unobserved. */
static void planted_costs_come_off_again(void)
{
	enum { CALLS = 1000, BODY = 40, OWN = 500000 };
	static const char *const names[WAYS] = {"closure", "function", "method", "callback", "constructor"};
	xhprof_corrected corrected = {0};
	unsigned wrong = 0, medians = 0;
	start();
	begin(0, "caller", 0);
	for (size_t i = 0; i < WAYS; i++) {
		calls(1, names[i], 0, CALLS);
	}
	end(0);
	xhprof_tracer_stop(&tracer);
	srand(1);
	for (unsigned round = 0; round < 400; round++) {
		unsigned noisy = round % 4 * 8;
		double by_median, own = OWN, left = OWN;
		xhprof_overhead known = {.known = true, .user = calibrated(&ways[0], noisy, &by_median)};
		double sum = known.user.callee_wall + known.user.caller_wall;
		for (uint32_t i = 0; i < WAYS; i++) {
			uint64_t callee = (uint64_t)(CALLS * (BODY + ways[i].callee));
			set(2 + i, callee, callee);
			own += CALLS * (ways[i].unobserved + ways[i].caller);
			left += CALLS * ways[i].unobserved;
		}
		set(0, 0, 0);
		set(1, (uint64_t)own, (uint64_t)own);
		CHECK(corrects_with(&known, false, &corrected));
		double most = 0;
		for (uint32_t i = 0; i < WAYS; i++) {
			double differs = fabs(ways[i].callee - ways[0].callee), caller = fabs(ways[i].caller - ways[0].caller);
			wrong += fabs((double)corrected.wall[2 + i] / CALLS - BODY) > 0.1 + differs;
			wrong += fabs((double)corrected.cpu[2 + i] / CALLS - BODY) > 0.1 + differs;
			most += CALLS * (0.1 + caller);
		}
		/* The caller was called itself. */
		wrong += fabs((double)corrected.wall[1] + known.user.callee_wall - left) > most;
		wrong += fabs((double)corrected.cpu[1] + known.user.callee_cpu - left) > most;
		wrong += fabs(sum - ways[0].callee - ways[0].caller) > 0.1;
		medians += noisy > XHPROF_COST_BATCHES / 2 && fabs(by_median - ways[0].callee - ways[0].caller) > 5;
		xhprof_corrected_free(&corrected);
	}
	CHECK(wrong == 0);
	CHECK(medians == 200); /* the noise is such that a usual batch would be far off */
}

int main(void)
{
	xhprof_clock_process_start();
	costs_go_to_callee_and_caller();
	deficits_move_to_the_caller();
	nothing_is_below_zero();
	caller_of_compiled_code_pays_nothing();
	main_without_calls_keeps_its_time();
	fractions_of_a_nanosecond_add_up();
	deficits_climb_to_main();
	corrected_sums_fall_by_the_costs();
	planted_costs_come_off_again();
	xhprof_tracer_release(&tracer);
	return unit_end();
}
