#include "overhead.h"

#define FIRST_DEPTH 1024

typedef struct correction {
	const xhprof_overhead *overhead;
	const xhprof_symbols *symbols;
	uint32_t *parent_of; /* place in preorder -> the parent's place */
	uint32_t *path;      /* depth -> place of the node that is open there */
	size_t path_capacity;
	xhprof_scratch *scratch;
} correction;

static const xhprof_call_cost *node_cost(const correction *state, const xhprof_node *node)
{
	static const xhprof_call_cost nothing;
	uint32_t flags = xhprof_symbols_get(state->symbols, XHPROF_SYMBOL_ID(node->symbol))->flags;
	if (flags & XHPROF_SYMBOL_COMPILED) {
		return &nothing; /* not seen by the observer, and long */
	}
	return flags & XHPROF_SYMBOL_INTERNAL ? &state->overhead->internal : &state->overhead->user;
}

static int64_t cost_of(uint64_t calls, double each)
{
	return (int64_t)((double)calls * each + 0.5);
}

/* Moves deficits below zero to the caller; children come after their parents in preorder. */
static void carry_up(const correction *state, int64_t *values, uint32_t count)
{
	for (uint32_t i = count; i-- > 0;) {
		if (values[i] < 0) {
			if (i) {
				values[state->parent_of[i]] += values[i];
			}
			values[i] = 0;
		}
	}
}

/* Puts the node at `i` into the column, less what its calls cost it and its caller. */
static void correct_node(int64_t *column, uint32_t i, uint32_t caller, int64_t own, uint64_t calls, double callee_cost,
						 double caller_cost)
{
	column[i] = own - cost_of(calls, callee_cost);
	column[caller] -= cost_of(calls, caller_cost);
}

static bool correct_nodes(correction *state, const xhprof_calltree *tree, xhprof_corrected *corrected)
{
	static const xhprof_call_cost nothing;
	uint32_t count = 0, depth = 0;
	for (const xhprof_node *node = tree->root; node; node = xhprof_calltree_next_at(node, &depth)) {
		if (depth == state->path_capacity &&
			!xhprof_scratch_double(state->scratch, (void **)&state->path, sizeof(*state->path), &state->path_capacity,
								   FIRST_DEPTH)) {
			return false;
		}
		uint32_t i = count++, caller = depth ? state->path[depth - 1] : i;
		const xhprof_call_cost *cost = depth ? node_cost(state, node) : &nothing; /* main() was not called */
		state->path[depth] = i;
		state->parent_of[i] = caller;
		correct_node(corrected->wall, i, caller, (int64_t)node->self_wall, node->calls, cost->callee_wall,
					 cost->caller_wall);
		if (corrected->cpu) {
			correct_node(corrected->cpu, i, caller, (int64_t)node->self_cpu, node->calls, cost->callee_cpu,
						 cost->caller_cpu);
		}
	}
	carry_up(state, corrected->wall, count);
	if (corrected->cpu) {
		carry_up(state, corrected->cpu, count);
	}
	return true;
}

bool xhprof_overhead_correct(const xhprof_overhead *overhead, const xhprof_calltree *tree,
							 const xhprof_symbols *symbols, xhprof_corrected *corrected)
{
	size_t nodes = tree->nodes;
	xhprof_scratch *scratch = corrected->scratch;
	correction state = {.overhead = overhead, .symbols = symbols, .scratch = scratch};
	corrected->size = nodes * sizeof(int64_t);
	corrected->wall = xhprof_scratch_take_dirty(scratch, corrected->size);
	corrected->cpu = corrected->only_wall ? NULL : xhprof_scratch_take_dirty(scratch, corrected->size);
	state.parent_of = xhprof_scratch_take_dirty(scratch, nodes * sizeof(uint32_t));
	bool memory = corrected->wall && (corrected->cpu || corrected->only_wall) && state.parent_of;
	bool ready = memory && correct_nodes(&state, tree, corrected);
	if (!ready) {
		xhprof_corrected_free(corrected);
	}
	xhprof_scratch_give(scratch, state.parent_of, nodes * sizeof(uint32_t));
	xhprof_scratch_give(scratch, state.path, state.path_capacity * sizeof(*state.path));
	return ready;
}

void xhprof_corrected_free(xhprof_corrected *corrected)
{
	xhprof_scratch_give(corrected->scratch, corrected->wall, corrected->size);
	xhprof_scratch_give(corrected->scratch, corrected->cpu, corrected->size);
	corrected->wall = corrected->cpu = NULL;
}
