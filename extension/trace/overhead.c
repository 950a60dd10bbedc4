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

static bool correct_nodes(correction *state, const xhprof_calltree *tree, xhprof_corrected *corrected)
{
	uint32_t count = 0, depth = 0;
	for (const xhprof_node *node = tree->root; node; node = xhprof_calltree_next_at(node, &depth)) {
		if (depth == state->path_capacity &&
			!xhprof_scratch_double(state->scratch, (void **)&state->path, sizeof(*state->path), &state->path_capacity,
								   FIRST_DEPTH)) {
			return false;
		}
		uint32_t i = count++;
		state->path[depth] = i;
		corrected->wall[i] = (int64_t)node->self_wall;
		corrected->cpu[i] = (int64_t)node->self_cpu;
		if (depth) { /* main() was not called */
			const xhprof_call_cost *cost = node_cost(state, node);
			uint32_t caller = state->parent_of[i] = state->path[depth - 1];
			corrected->wall[i] -= cost_of(node->calls, cost->callee_wall);
			corrected->cpu[i] -= cost_of(node->calls, cost->callee_cpu);
			corrected->wall[caller] -= cost_of(node->calls, cost->caller_wall);
			corrected->cpu[caller] -= cost_of(node->calls, cost->caller_cpu);
		}
	}
	carry_up(state, corrected->wall, count);
	carry_up(state, corrected->cpu, count);
	return true;
}

bool xhprof_overhead_correct(const xhprof_overhead *overhead, const xhprof_calltree *tree,
							 const xhprof_symbols *symbols, xhprof_corrected *corrected)
{
	size_t nodes = tree->nodes;
	xhprof_scratch *scratch = corrected->scratch;
	correction state = {.overhead = overhead, .symbols = symbols, .scratch = scratch};
	corrected->size = nodes * sizeof(int64_t);
	corrected->wall = xhprof_scratch_take(scratch, corrected->size);
	corrected->cpu = xhprof_scratch_take(scratch, corrected->size);
	state.parent_of = xhprof_scratch_take(scratch, nodes * sizeof(uint32_t));
	bool ready = corrected->wall && corrected->cpu && state.parent_of && correct_nodes(&state, tree, corrected);
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
