#include "fold.h"

#include <string.h>

#define FIRST_ITEMS 1024
#define FOLD_INLINE static inline __attribute__((always_inline))

/* The state of a node while its subtree is walked. */
typedef struct fold_frame {
	uint32_t label;  /* its own, or that of its nearest kept ancestor when it is transparent */
	uint32_t caller; /* label of the nearest kept ancestor */
	uint32_t symbol; /* id, or 0 when it is transparent */
	uint32_t outer;  /* label + 1 of the same function further out, 0 when there is none */
	uint64_t calls;
	uint64_t wall_us, cpu_us, system_us; /* inclusive so far */
	int64_t memory, peak;
} fold_frame;

/* The labels + 1 of a function. */
typedef struct fold_function {
	uint32_t first;   /* of level 0 */
	uint32_t current; /* of its innermost call on the path */
} fold_function;

typedef struct fold_state {
	xhprof_fold *fold;
	size_t nodes, symbols;    /* of the tree: edges and labels follow their numbers */
	fold_function *functions; /* by symbol id */
	size_t functions_size;
	uint32_t *heads; /* hash of caller and callee -> edge + 1 */
	size_t heads_capacity;
	unsigned heads_shift; /* 64 - log2(heads_capacity) */
	fold_frame *frames;
	size_t frame_capacity;
	size_t open; /* frames that are open */
	/* Of all nodes entered so far: rounding is done on these. */
	uint64_t wall_ns, cpu_ns, system_ns;
	uint64_t wall_us, cpu_us, system_us; /* rounded */
} fold_state;

/* Makes room for more items, at first for as many as there usually are. */
static bool fold_room(const fold_state *state, void **items, size_t item_size, size_t *capacity, size_t usual)
{
	return xhprof_scratch_double(state->fold->scratch, items, item_size, capacity, usual + FIRST_ITEMS);
}

/* Estimates the number of edges: pages of applications have four or five call paths to each. */
static size_t usual_edges(const fold_state *state)
{
	return state->nodes / 4;
}

static bool fold_new_label(fold_state *state, uint32_t symbol, uint32_t outer, uint32_t *label)
{
	xhprof_fold *fold = state->fold;
	if (fold->label_count == fold->label_capacity &&
		!fold_room(state, (void **)&fold->labels, sizeof(*fold->labels), &fold->label_capacity, state->symbols)) {
		return false;
	}
	uint32_t level = outer ? fold->labels[outer - 1].level + 1 : 0;
	fold->labels[fold->label_count] = (xhprof_fold_label){.symbol = symbol, .level = level};
	*label = ++fold->label_count;
	return true;
}

/* Puts the function on the path. */
static bool fold_label(fold_state *state, fold_frame *frame)
{
	fold_function *function = &state->functions[frame->symbol];
	frame->outer = function->current;
	uint32_t next = frame->outer ? state->fold->labels[frame->outer - 1].deeper : function->first;
	if (!next) {
		if (!fold_new_label(state, frame->symbol, frame->outer, &next)) {
			return false;
		}
		*(frame->outer ? &state->fold->labels[frame->outer - 1].deeper : &function->first) = next;
	}
	function->current = next;
	frame->label = next - 1;
	return true;
}

static uint32_t *fold_head(const fold_state *state, uint32_t caller, uint32_t callee)
{
	uint64_t key = (uint64_t)caller << 32 | callee;
	return &state->heads[xhprof_hash_spread(key) >> state->heads_shift];
}

/* Makes about as many chains as there are edges. False if there are none at all. */
static bool fold_grow_heads(fold_state *state)
{
	const xhprof_fold *fold = state->fold;
	size_t capacity = state->heads_capacity ? state->heads_capacity * 2 : FIRST_ITEMS;
	while (capacity < usual_edges(state) / 2) {
		capacity *= 2;
	}
	uint32_t *heads = xhprof_scratch_take(fold->scratch, capacity * sizeof(*heads));
	if (!heads) {
		return state->heads != NULL; /* longer chains, then */
	}
	xhprof_scratch_give(fold->scratch, state->heads, state->heads_capacity * sizeof(*state->heads));
	state->heads = heads;
	state->heads_capacity = capacity;
	state->heads_shift = 64u - (unsigned)__builtin_ctzll(capacity);
	for (uint32_t i = 0; i < fold->edge_count; i++) {
		xhprof_edge *edge = &fold->edges[i];
		uint32_t *head = fold_head(state, edge->caller, edge->callee);
		edge->chain = *head;
		*head = i + 1;
	}
	return true;
}

/* Finds or adds an edge. Returns its index + 1, or 0 without memory. */
static uint32_t fold_find_edge(fold_state *state, uint32_t caller, uint32_t callee)
{
	xhprof_fold *fold = state->fold;
	uint32_t found = state->heads ? *fold_head(state, caller, callee) : 0;
	while (found && (fold->edges[found - 1].callee != callee || fold->edges[found - 1].caller != caller)) {
		found = fold->edges[found - 1].chain;
	}
	if (found) {
		return found;
	}
	if (fold->edge_count == fold->edge_capacity &&
		!fold_room(state, (void **)&fold->edges, sizeof(*fold->edges), &fold->edge_capacity, usual_edges(state))) {
		return 0;
	}
	if (fold->edge_count >= state->heads_capacity && !fold_grow_heads(state)) {
		return 0;
	}
	uint32_t *head = fold_head(state, caller, callee);
	fold->edges[fold->edge_count] = (xhprof_edge){.caller = caller, .callee = callee, .chain = *head};
	return *head = ++fold->edge_count;
}

/* Finds or adds an edge, first by a guess, as a function mostly calls in the same order. Returns its index + 1, or 0
 * without memory. */
static uint32_t fold_edge(fold_state *state, uint32_t caller, uint32_t callee)
{
	if (caller == XHPROF_FOLD_NO_CALLER) {
		return fold_find_edge(state, caller, callee);
	}
	const xhprof_fold *fold = state->fold;
	uint32_t last = fold->labels[caller].last_edge;
	uint32_t found = last ? fold->edges[last - 1].successor : 0;
	if (!found || fold->edges[found - 1].callee != callee) {
		found = fold_find_edge(state, caller, callee);
		if (found && last) {
			fold->edges[last - 1].successor = found;
		}
	}
	fold->labels[caller].last_edge = found;
	return found;
}

/* Leaves a node. `more`, a constant: whether there is more than wall time. */
FOLD_INLINE bool fold_leave(fold_state *state, bool more)
{
	fold_frame *frame = &state->frames[--state->open];
	if (state->open) {
		frame[-1].wall_us += frame->wall_us;
	}
	if (state->open && more) {
		frame[-1].cpu_us += frame->cpu_us;
		frame[-1].system_us += frame->system_us;
		frame[-1].memory += frame->memory;
		frame[-1].peak += frame->peak;
	}
	if (!frame->symbol) {
		return true;
	}
	state->functions[frame->symbol].current = frame->outer;
	uint32_t found = fold_edge(state, frame->caller, frame->label);
	if (!found) {
		return false;
	}
	xhprof_edge *edge = &state->fold->edges[found - 1];
	edge->calls += frame->calls;
	edge->wall_us += frame->wall_us;
	if (more) {
		edge->cpu_us += frame->cpu_us;
		edge->system_us += frame->system_us;
		edge->memory += frame->memory;
		edge->peak += frame->peak;
	}
	return true;
}

/* Returns the microseconds to add for `ns` more. */
static uint64_t fold_round(uint64_t *sum_ns, uint64_t *sum_us, int64_t ns)
{
	uint64_t before = *sum_us;
	*sum_ns += (uint64_t)ns;
	*sum_us = *sum_ns / 1000;
	return *sum_us - before;
}

/* Returns the microseconds of system time to add for `ns` more: no more than those of CPU time, of which they are a
 * part; the rest goes to the next node. */
static uint64_t fold_part(fold_state *state, int64_t ns, uint64_t cpu_us)
{
	state->system_ns += (uint64_t)ns;
	uint64_t more = state->system_ns / 1000 - state->system_us;
	more = more < cpu_us ? more : cpu_us;
	state->system_us += more;
	return more;
}

FOLD_INLINE void fold_figures(fold_state *state, fold_frame *frame, const xhprof_columns *columns, size_t i, bool more)
{
	const int64_t *wall = columns->values[XHPROF_COLUMN_WALL];
	frame->wall_us = wall ? fold_round(&state->wall_ns, &state->wall_us, wall[i]) : 0;
	frame->calls = (uint64_t)columns->values[XHPROF_COLUMN_CALLS][i];
	if (more) {
		bool samples = columns->values[XHPROF_COLUMN_SAMPLES] != NULL;
		const int64_t *system = columns->values[XHPROF_COLUMN_SYSTEM];
		const int64_t *cpu = columns->values[XHPROF_COLUMN_CPU];
		const int64_t *memory = columns->values[samples ? XHPROF_COLUMN_ALLOCATED_BYTES : XHPROF_COLUMN_MEMORY];
		const int64_t *peak = columns->values[samples ? XHPROF_COLUMN_SAMPLES : XHPROF_COLUMN_PEAK];
		frame->cpu_us = cpu ? fold_round(&state->cpu_ns, &state->cpu_us, cpu[i]) : 0;
		frame->system_us = system ? fold_part(state, system[i], frame->cpu_us) : 0;
		frame->memory = memory ? memory[i] : 0;
		frame->peak = peak ? peak[i] : 0;
	}
}

static bool has_more(const xhprof_columns *columns)
{
	return columns->values[XHPROF_COLUMN_CPU] || columns->values[XHPROF_COLUMN_MEMORY] ||
		   columns->values[XHPROF_COLUMN_SAMPLES];
}

FOLD_INLINE bool fold_enter(fold_state *state, const xhprof_columns *columns, size_t i, bool keep_run_init, bool more)
{
	if (state->open == state->frame_capacity &&
		!fold_room(state, (void **)&state->frames, sizeof(*state->frames), &state->frame_capacity, 0)) {
		return false;
	}
	fold_frame *frame = &state->frames[state->open];
	fold_figures(state, frame, columns, i, more);
	frame->caller = state->open++ ? frame[-1].label : XHPROF_FOLD_NO_CALLER;
	if (!keep_run_init && (columns->symbols[i] & XHPROF_SYMBOL_RUN_INIT)) {
		frame->symbol = 0;
		frame->label = frame->caller;
		return true;
	}
	frame->symbol = XHPROF_SYMBOL_ID(columns->symbols[i]);
	return fold_label(state, frame);
}

FOLD_INLINE bool fold_walk(fold_state *state, xhprof_columns *columns, bool keep_run_init, bool more)
{
	xhprof_columns_rewind(columns);
	while (xhprof_columns_next(columns)) {
		for (size_t i = 0; i < columns->count; i++) {
			while (state->open > (size_t)columns->values[XHPROF_COLUMN_DEPTH][i]) {
				if (!fold_leave(state, more)) {
					return false;
				}
			}
			if (!fold_enter(state, columns, i, keep_run_init, more)) {
				return false;
			}
		}
	}
	while (state->open) {
		if (!fold_leave(state, more)) {
			return false;
		}
	}
	return true;
}

static bool fold_all(fold_state *state, xhprof_columns *columns, bool keep_run_init)
{
	return has_more(columns) ? fold_walk(state, columns, keep_run_init, true)
							 : fold_walk(state, columns, keep_run_init, false);
}

bool xhprof_fold_tree(xhprof_fold *fold, xhprof_columns *columns, uint32_t symbol_count, bool keep_run_init)
{
	fold_state state = {.fold = fold, .nodes = columns->tracer->tree.nodes, .symbols = symbol_count};
	*fold = (xhprof_fold){.scratch = columns->tracer->scratch};
	state.functions_size = ((size_t)symbol_count + 1) * sizeof(*state.functions);
	state.functions = xhprof_scratch_take(fold->scratch, state.functions_size);
	bool complete = state.functions && fold_all(&state, columns, keep_run_init);
	xhprof_scratch_give(fold->scratch, state.functions, state.functions_size);
	xhprof_scratch_give(fold->scratch, state.frames, state.frame_capacity * sizeof(*state.frames));
	xhprof_scratch_give(fold->scratch, state.heads, state.heads_capacity * sizeof(*state.heads));
	return complete;
}

void xhprof_fold_release(xhprof_fold *fold)
{
	xhprof_scratch_give(fold->scratch, fold->labels, fold->label_capacity * sizeof(*fold->labels));
	xhprof_scratch_give(fold->scratch, fold->edges, fold->edge_capacity * sizeof(*fold->edges));
	memset(fold, 0, sizeof(*fold));
}
