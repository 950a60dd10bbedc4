/* A profile when the system has no memory for it: whichever allocation is the first to fail, nothing crashes, no time is
 * lost, every call is either counted or reported as dropped, and all memory is freed. */
#include "unit.h"

#include "trace/fiber_calls.h"
#include "trace/fold.h"
#include "trace/tracer.h"

#include <stdlib.h>

enum { FUNCTIONS = 3000, FIBERS = 1200, DEPTH = 40, RECURSION = 30000 };

static xhprof_tracer tracer;
static char frames[FUNCTIONS + DEPTH], deep[RECURSION], fibers[FIBERS];

static xhprof_symbol_ref function(int number)
{
	char name[400];
	int length = snprintf(name, sizeof(name), "function_%d_%0300d", number, number);
	return xhprof_symbols_intern(&tracer.symbols, name, (size_t)length, 0, 0);
}

static uint64_t begun;
static int mapped;

static void call(int number, const char *frame)
{
	xhprof_tracer_close_segment(&tracer);
	xhprof_symbol_ref symbol = function(number);
	xhprof_tracer_begin_any(&tracer, frame, symbol, 1);
	begun++;
}

static void run_program(void)
{
	for (int i = 0; i < FUNCTIONS; i++) {
		call(i, &frames[i]);
		for (int j = 0; j < i % DEPTH; j++) {
			call(i + j, &frames[FUNCTIONS + j]);
		}
		for (int j = i % DEPTH - 1; j >= 0; j--) {
			xhprof_tracer_end_any(&tracer, &frames[FUNCTIONS + j]);
		}
		if (i % 3) {
			xhprof_tracer_end_any(&tracer, &frames[i]); /* the others stay open: the stack grows */
		}
	}
	for (int i = 0; i < RECURSION; i++) {
		call(0, &deep[i]);
	}
	for (int i = RECURSION - 1; i >= 0; i--) {
		if (tracer.top->frame ==
			&deep[i]) { /* a lost call ends without effect; not called for each, because it walks the stack */
			xhprof_tracer_end_any(&tracer, &deep[i]);
		}
	}
	for (int i = 0; i < FIBERS; i++) {
		xhprof_fiber_calls_switch(&tracer, &begun, &fibers[i], true);
		call(i, &frames[0]);
		xhprof_fiber_calls_switch(&tracer, &fibers[i], &begun, false);
		if (i % 2) {
			xhprof_fiber_calls_end(&tracer, &fibers[i]);
		}
	}
}

/* The number of allocations of a whole profile. */
static int profile_with(int mmaps, bool *ready, bool *folded)
{
	xhprof_tracer_options options = {.max_nodes = 1000000, .clock = XHPROF_CLOCK_MONOTONIC};
	xhprof_fold fold = {0};
	xhprof_columns columns;
	uint64_t wall = 0, calls = 0;
	begun = 0;
	unit_mmaps = mmaps;
	*ready = xhprof_tracer_prepare(&tracer, &options);
	*folded = false;
	if (*ready) {
		xhprof_tracer_start(&tracer);
		run_program();
		xhprof_tracer_stop(&tracer);
		xhprof_columns_map(&columns, &tracer, true); /* without memory it returns block after block */
		for (xhprof_columns_rewind(&columns); xhprof_columns_next(&columns);) {
			for (size_t i = 0; i < columns.count; i++) {
				wall += (uint64_t)columns.values[XHPROF_COLUMN_WALL][i];
				calls += (uint64_t)columns.values[XHPROF_COLUMN_CALLS][i];
			}
		}
		mapped += columns.pages != NULL;
		*folded = xhprof_fold_tree(&fold, &columns, tracer.symbols.count, false);
		xhprof_fold_release(&fold);
		xhprof_columns_release(&columns);
	}
	int used = mmaps - unit_mmaps;
	unit_mmaps = -1;
	if (*ready && (wall != tracer.duration_ns || calls > begun + 1 ||
				   calls + tracer.tree.dropped + tracer.lost_entries < begun + 1)) {
		printf("# %d allocations: wall %lu of %lu, calls %lu of %lu, dropped %lu, lost %lu\n", mmaps,
			   (unsigned long)wall, (unsigned long)tracer.duration_ns, (unsigned long)calls, (unsigned long)begun + 1,
			   (unsigned long)tracer.tree.dropped, (unsigned long)tracer.lost_entries);
		used = -1;
	}
	xhprof_tracer_release(&tracer);
	return used;
}

int main(void)
{
	bool ready, folded;
	int whole = profile_with(100000, &ready, &folded), wrong = 0, refused = 0, partial = 0;
	CHECK(ready && folded && whole > 20);
	CHECK(tracer.tree.dropped == 0 && tracer.lost_entries == 0);
	for (int mmaps = 0; mmaps < whole; mmaps++) {
		wrong += profile_with(mmaps, &ready, &folded) < 0;
		refused += !ready;
		partial += ready && !folded;
	}
	CHECK(wrong == 0);
	CHECK(refused > 0 && partial > 0);
	CHECK(mapped > 0 && mapped < whole - refused);
	CHECK(profile_with(100000, &ready, &folded) > 20 && folded);
	CHECK(tracer.tree.arena.mapped == 0 && tracer.symbols.arena.mapped == 0 && tracer.entries.mapped == 0);
	return unit_end();
}
