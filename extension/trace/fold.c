#include "fold.h"

#include <string.h>

#define FIRST_ITEMS 1024

/* What is known of a node while its subtree is walked. */
typedef struct fold_frame {
	const xhprof_node *node;
	uint32_t label;  /* its own, or that of its nearest kept ancestor when it is transparent */
	uint32_t caller; /* label of the nearest kept ancestor */
	bool transparent;
	uint64_t wall_us, cpu_us; /* inclusive so far */
	int64_t memory, peak;
} fold_frame;

typedef struct fold_state {
	xhprof_fold *fold;
	xhprof_table labels; /* symbol << 32 | level + 1 -> index + 1 */
	xhprof_table edges;  /* caller + 1 << 32 | callee + 1 -> index + 1 */
	uint32_t *levels;    /* per symbol: how often it is on the path */
	size_t levels_size;
	fold_frame *frames;
	size_t frame_capacity;
	uint64_t wall_ns, cpu_ns; /* of all nodes entered so far: rounding is done on these */
} fold_state;

static bool fold_label(fold_state *state, uint32_t symbol, uint32_t level, uint32_t *label)
{
	xhprof_fold *fold = state->fold;
	uint64_t key = (uint64_t)symbol << 32 | (level + 1);
	uintptr_t found = (uintptr_t)xhprof_table_find(&state->labels, key);
	if (found) {
		*label = (uint32_t)(found - 1);
		return true;
	}
	if (fold->label_count == fold->label_capacity &&
		!xhprof_pages_double((void **)&fold->labels, sizeof(*fold->labels), &fold->label_capacity, FIRST_ITEMS)) {
		return false;
	}
	fold->labels[fold->label_count] = (xhprof_label){symbol, level};
	*label = fold->label_count++;
	return xhprof_table_put(&state->labels, key, (void *)(uintptr_t)(*label + 1));
}

static xhprof_edge *fold_edge(fold_state *state, uint32_t caller, uint32_t callee)
{
	xhprof_fold *fold = state->fold;
	uint64_t key = (uint64_t)(caller + 1) << 32 | (callee + 1);
	uintptr_t found = (uintptr_t)xhprof_table_find(&state->edges, key);
	if (found) {
		return &fold->edges[found - 1];
	}
	if (fold->edge_count == fold->edge_capacity &&
		!xhprof_pages_double((void **)&fold->edges, sizeof(*fold->edges), &fold->edge_capacity, FIRST_ITEMS)) {
		return NULL;
	}
	xhprof_edge *edge = &fold->edges[fold->edge_count++];
	*edge = (xhprof_edge){.caller = caller, .callee = callee};
	return xhprof_table_put(&state->edges, key, (void *)(uintptr_t)fold->edge_count) ? edge : NULL;
}

static bool fold_enter(fold_state *state, size_t depth, const xhprof_node *node, bool keep_run_init)
{
	if (depth == state->frame_capacity &&
		!xhprof_pages_double((void **)&state->frames, sizeof(*state->frames), &state->frame_capacity, FIRST_ITEMS)) {
		return false;
	}
	fold_frame *frame = &state->frames[depth];
	uint64_t wall_before = state->wall_ns / 1000, cpu_before = state->cpu_ns / 1000;
	state->wall_ns += node->self_wall;
	state->cpu_ns += node->self_cpu;
	frame->node = node;
	frame->caller = depth ? frame[-1].label : XHPROF_FOLD_NO_CALLER;
	frame->transparent = !keep_run_init && (node->symbol & XHPROF_SYMBOL_RUN_INIT);
	frame->wall_us = state->wall_ns / 1000 - wall_before;
	frame->cpu_us = state->cpu_ns / 1000 - cpu_before;
	frame->memory = node->self_memory;
	frame->peak = node->self_peak;
	if (frame->transparent) {
		frame->label = frame->caller;
		return true;
	}
	uint32_t symbol = XHPROF_SYMBOL_ID(node->symbol);
	return fold_label(state, symbol, state->levels[symbol]++, &frame->label);
}

static bool fold_leave(fold_state *state, size_t depth)
{
	fold_frame *frame = &state->frames[depth];
	if (depth) {
		frame[-1].wall_us += frame->wall_us;
		frame[-1].cpu_us += frame->cpu_us;
		frame[-1].memory += frame->memory;
		frame[-1].peak += frame->peak;
	}
	if (frame->transparent) {
		return true;
	}
	state->levels[XHPROF_SYMBOL_ID(frame->node->symbol)]--;
	xhprof_edge *edge = fold_edge(state, frame->caller, frame->label);
	if (!edge) {
		return false;
	}
	edge->calls += frame->node->calls;
	edge->wall_us += frame->wall_us;
	edge->cpu_us += frame->cpu_us;
	edge->memory += frame->memory;
	edge->peak += frame->peak;
	return true;
}

static bool fold_walk(fold_state *state, const xhprof_node *node, bool keep_run_init)
{
	size_t depth = 0;
	for (;;) {
		if (!fold_enter(state, depth, node, keep_run_init)) {
			return false;
		}
		if (xhprof_node_first_child(node)) {
			node = xhprof_node_first_child(node);
			depth++;
			continue;
		}
		while (node && !xhprof_node_next_sibling(node)) {
			if (!fold_leave(state, depth)) {
				return false;
			}
			if (!depth--) {
				return true;
			}
			node = xhprof_node_parent(node);
		}
		if (!fold_leave(state, depth)) {
			return false;
		}
		node = xhprof_node_next_sibling(node);
	}
}

bool xhprof_fold_tree(xhprof_fold *fold, const xhprof_calltree *tree, uint32_t symbol_count, bool keep_run_init)
{
	fold_state state = {.fold = fold};
	memset(fold, 0, sizeof(*fold));
	state.levels_size = ((size_t)symbol_count + 1) * sizeof(*state.levels);
	state.levels = xhprof_pages_map(state.levels_size);
	bool whole = state.levels && fold_walk(&state, tree->root, keep_run_init);
	xhprof_pages_unmap(state.levels, state.levels_size);
	xhprof_pages_unmap(state.frames, state.frame_capacity * sizeof(*state.frames));
	xhprof_table_release(&state.labels);
	xhprof_table_release(&state.edges);
	for (uint32_t i = 0; whole && i < fold->edge_count; i++) {
		/* A generator first resumed elsewhere ran under this edge without being called: users divide by ct. */
		fold->edges[i].calls += fold->edges[i].calls == 0;
	}
	return whole;
}

void xhprof_fold_release(xhprof_fold *fold)
{
	xhprof_pages_unmap(fold->labels, fold->label_capacity * sizeof(*fold->labels));
	xhprof_pages_unmap(fold->edges, fold->edge_capacity * sizeof(*fold->edges));
	memset(fold, 0, sizeof(*fold));
}
