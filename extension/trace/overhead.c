#include "overhead.h"

#include <stdlib.h>

#define FIRST_DEPTH 1024

/* The place of the batch that counts, from the quickest one: what else uses the processor makes batches longer, often
 * most of them, and a cost that is too large would be taken off the program. The first ones may be short by a fault of
 * the counter. */
#define QUIET 3

static int compare_doubles(const void *a, const void *b)
{
	double left = *(const double *)a, right = *(const double *)b;
	return (left > right) - (left < right);
}

static double quiet_ticks(double *ticks)
{
	qsort(ticks, XHPROF_COST_BATCHES, sizeof(*ticks), compare_doubles);
	return ticks[QUIET];
}

/* Returns the ticks per call, without those that it takes unobserved. Each is of its own quiet batch: their difference
 * within one batch has the noise of both. */
static double ticks_per_call(double *charges, double *idle)
{
	double ticks = quiet_ticks(charges) - (idle ? quiet_ticks(idle) : 0);
	return ticks > 0 ? ticks / XHPROF_COST_CALLS : 0;
}

void xhprof_overhead_share(xhprof_cost_batches *callees, xhprof_cost_batches *callers, xhprof_call_cost *cost)
{
	cost->callee_wall = ticks_per_call(callees->wall, NULL);
	cost->callee_cpu = ticks_per_call(callees->cpu, NULL);
	cost->caller_wall = ticks_per_call(callers->wall, callers->idle);
	cost->caller_cpu = ticks_per_call(callers->cpu, callers->idle);
}

static void scale_to(double *callee, double *caller, double total)
{
	double sum = *callee + *caller;
	double factor = sum > 0 ? total / sum : 1;
	*callee *= factor;
	*caller *= factor;
}

void xhprof_overhead_total(xhprof_cost_batches *charges, xhprof_call_cost *cost)
{
	scale_to(&cost->callee_wall, &cost->caller_wall, ticks_per_call(charges->wall, charges->idle));
	scale_to(&cost->callee_cpu, &cost->caller_cpu, ticks_per_call(charges->cpu, charges->idle));
}

void xhprof_overhead_scale(xhprof_call_cost *cost, double factor)
{
	cost->callee_wall *= factor;
	cost->caller_wall *= factor;
	cost->callee_cpu *= factor;
	cost->caller_cpu *= factor;
}

static double rounded(double ns)
{
	double scale = 1;
	for (int i = 0; i < XHPROF_COST_DECIMALS; i++) {
		scale *= 10;
	}
	return (double)(int64_t)(ns * scale + (ns < 0 ? -0.5 : 0.5)) / scale;
}

static void round_cost(xhprof_call_cost *cost)
{
	cost->callee_wall = rounded(cost->callee_wall);
	cost->caller_wall = rounded(cost->caller_wall);
	cost->callee_cpu = rounded(cost->callee_cpu);
	cost->caller_cpu = rounded(cost->caller_cpu);
}

void xhprof_overhead_round(xhprof_overhead *overhead)
{
	round_cost(&overhead->user);
	round_cost(&overhead->internal);
}

/* Returns the cost of a call of the node that was entered last. The time of folded calls is not in (truncated). */
static const xhprof_call_cost *symbol_cost(xhprof_correction *state, xhprof_symbol_ref symbol)
{
	static const xhprof_call_cost nothing;
	if (state->open <= state->folded) {
		state->folded = 0;
	}
	if (XHPROF_SYMBOL_ID(symbol) == XHPROF_SYMBOL_TRUNCATED) {
		state->folded = state->open;
	}
	if (state->folded) {
		return &nothing;
	}
	uint32_t flags = xhprof_symbols_get(state->symbols, XHPROF_SYMBOL_ID(symbol))->flags;
	if (flags & XHPROF_SYMBOL_COMPILED || XHPROF_SYMBOL_ID(symbol) == XHPROF_SYMBOL_MAIN) {
		return &nothing; /* not seen by the observer, and long; main() was not called */
	}
	return flags & XHPROF_SYMBOL_INTERNAL ? &state->overhead->internal : &state->overhead->user;
}

static int64_t cost_of(uint64_t calls, double each)
{
	return (int64_t)((double)calls * each + 0.5);
}

/* Moves a deficit below zero to the caller. */
static void carry_up(int64_t *column, uint32_t place, uint32_t caller)
{
	if (column[place] < 0) {
		column[caller] += place != caller ? column[place] : 0;
		column[place] = 0;
	}
}

/* Leaves the innermost open node, as all nodes below it are complete. */
static void correction_leave(xhprof_correction *state)
{
	uint32_t place = state->path[--state->open], caller = state->open ? state->path[state->open - 1] : place;
	carry_up(state->corrected->wall, place, caller);
	if (state->corrected->cpu) {
		carry_up(state->corrected->cpu, place, caller);
	}
}

/* Puts the node at `i` into the column, less what its calls cost it and its caller. */
static void correct_node(int64_t *column, uint32_t i, uint32_t caller, int64_t own, uint64_t calls, double callee_cost,
						 double caller_cost)
{
	column[i] = own - cost_of(calls, callee_cost);
	column[caller] -= cost_of(calls, caller_cost);
}

bool xhprof_correction_begin(xhprof_correction *correction, const xhprof_overhead *overhead,
							 const xhprof_symbols *symbols, size_t nodes, xhprof_corrected *corrected)
{
	*correction = (xhprof_correction){.overhead = overhead, .symbols = symbols, .corrected = corrected};
	corrected->size = nodes * sizeof(int64_t);
	corrected->wall = xhprof_scratch_take_dirty(corrected->scratch, corrected->size);
	corrected->cpu = corrected->only_wall ? NULL : xhprof_scratch_take_dirty(corrected->scratch, corrected->size);
	if (!corrected->wall || (!corrected->cpu && !corrected->only_wall)) {
		xhprof_corrected_free(corrected);
		return false;
	}
	return true;
}

/* Enters the next node, of this depth, and gives its place. */
static bool correction_enter(xhprof_correction *state, size_t depth, uint32_t *place)
{
	while (state->open > depth) {
		correction_leave(state);
	}
	if (state->open == state->path_capacity &&
		!xhprof_scratch_double(state->corrected->scratch, (void **)&state->path, sizeof(*state->path),
							   &state->path_capacity, FIRST_DEPTH)) {
		return false;
	}
	*place = (uint32_t)state->count++;
	state->path[state->open++] = *place;
	return true;
}

bool xhprof_correction_add(xhprof_correction *correction, const xhprof_measured *nodes)
{
	const xhprof_corrected *corrected = correction->corrected;
	for (size_t i = 0; i < nodes->count; i++) {
		uint32_t place;
		if (!correction_enter(correction, (size_t)nodes->depth[i], &place)) {
			return false;
		}
		uint32_t caller = correction->open > 1 ? correction->path[correction->open - 2] : place;
		uint64_t calls = (uint64_t)nodes->calls[i];
		const xhprof_call_cost *cost = symbol_cost(correction, nodes->symbols[i]);
		correct_node(corrected->wall, place, caller, nodes->wall[i], calls, cost->callee_wall, cost->caller_wall);
		if (corrected->cpu) {
			correct_node(corrected->cpu, place, caller, nodes->cpu[i], calls, cost->callee_cpu, cost->caller_cpu);
		}
	}
	return true;
}

void xhprof_correction_end(xhprof_correction *correction, bool complete)
{
	xhprof_corrected *corrected = correction->corrected;
	while (complete && correction->open) {
		correction_leave(correction);
	}
	xhprof_scratch_give(corrected->scratch, correction->path, correction->path_capacity * sizeof(*correction->path));
	correction->path = NULL;
	if (!complete) {
		xhprof_corrected_free(corrected);
	}
}

void xhprof_corrected_free(xhprof_corrected *corrected)
{
	xhprof_scratch_give(corrected->scratch, corrected->wall, corrected->size);
	xhprof_scratch_give(corrected->scratch, corrected->cpu, corrected->size);
	corrected->wall = corrected->cpu = NULL;
}
