#include "fiber_calls.h"

/* Reverses a stack: its bottom becomes the first entry. */
static xhprof_entry *turn_round(xhprof_entry *top)
{
	xhprof_entry *turned = NULL;
	while (top) {
		xhprof_entry *below = top->below;
		top->below = turned;
		turned = top;
		top = below;
	}
	return turned;
}

/* Returns the node of the same function in `caller`, without counting a call. */
static xhprof_node *copy_node(xhprof_calltree *tree, const xhprof_node *from, xhprof_node *caller)
{
	uint64_t dropped = tree->dropped;
	uint32_t nodes = tree->nodes;
	xhprof_node *node = xhprof_calltree_child(tree, caller, from->symbol);
	if (tree->nodes != nodes && !xhprof_node_is_truncated(node)) {
		*xhprof_node_call_line(node) = *xhprof_node_call_line(from);
	}
	tree->dropped = dropped;
	return node;
}

/* Returns the path from `caller` that is like the one from `outer` to `inner`. Mostly this is one node: others are
 * between them where generators delegate, or none if the tree was full. */
static xhprof_node *copy_path(xhprof_calltree *tree, const xhprof_node *outer, const xhprof_node *inner,
							  xhprof_node *caller)
{
	uint32_t length = 0;
	for (const xhprof_node *node = inner; node && node != outer; node = xhprof_node_parent(node)) {
		length++;
	}
	for (; length; length--) {
		const xhprof_node *node = inner;
		for (uint32_t i = 1; i < length; i++) {
			node = xhprof_node_parent(node);
		}
		caller = copy_node(tree, node, caller);
	}
	return caller;
}

/* Puts the calls of a fiber below the call that has resumed it, as they are on the engine's stack. Each was counted
 * where it began. */
static xhprof_entry *hang_below(xhprof_tracer *tracer, xhprof_entry *top, xhprof_node *node)
{
	xhprof_entry *bottom = turn_round(top);
	const xhprof_node *outer = bottom->node;
	bottom->node = node;
	for (xhprof_entry *entry = bottom->below; entry; entry = entry->below) {
		const xhprof_node *inner = entry->node;
		entry->node = node = copy_path(&tracer->tree, outer, inner, node);
		outer = inner;
	}
	return turn_round(bottom);
}

/* Returns the bottom of a stack. */
static const xhprof_entry *bottom_of(const xhprof_entry *top)
{
	while (top->below) {
		top = top->below;
	}
	return top;
}

/* Makes the place of a fiber's calls. NULL without memory. */
static xhprof_call_stack *add_stack(xhprof_tracer *tracer, const void *fiber)
{
	xhprof_call_stack *stack = tracer->free_stacks;
	if (stack) {
		tracer->free_stacks = stack->next_free;
	} else {
		stack = xhprof_arena_alloc(&tracer->entries, sizeof(*stack), 8);
	}
	if (stack && xhprof_table_put(&tracer->seen, (uintptr_t)fiber, tracer) &&
		xhprof_table_put(&tracer->fibers, (uintptr_t)fiber, stack)) {
		return stack;
	}
	tracer->lost_entries++;
	return NULL;
}

static inline bool leave(xhprof_tracer *tracer, const void *from)
{
	xhprof_call_stack *left = xhprof_table_find(&tracer->fibers, (uintptr_t)from);
	if (!left && !(left = add_stack(tracer, from))) {
		return false; /* the calls of the next fiber go on top of this stack; ends are matched by frame */
	}
	left->top = tracer->top;
	left->number = tracer->timeline.fiber;
	left->left_at = tracer->ends_apart;
	return true;
}

bool xhprof_fiber_calls_leave(xhprof_tracer *tracer, const void *from)
{
	xhprof_tracer_close_segment(tracer);
	return leave(tracer, from);
}

/* Ends the calls on top that have ended while another part had their fiber. */
static void end_stale(xhprof_tracer *tracer, uintptr_t left_at)
{
	const void *frame = tracer->top->frame;
	while (frame && (uintptr_t)xhprof_table_find(&tracer->ended_apart, (uintptr_t)frame) > left_at) {
		xhprof_tracer_end_any(tracer, frame);
		frame = tracer->top->frame;
	}
}

/* Goes on with a fiber, whose place this is (or NULL), after the one before was left. `called`: it goes on below this
 * node; or NULL. */
static inline void enter(xhprof_tracer *tracer, xhprof_call_stack *entered, xhprof_node *called)
{
	bool known = entered && entered->top;
	if (tracer->flags & XHPROF_TRACE_TIMELINE) {
		xhprof_timeline_switch(&tracer->timeline, known ? entered->number : ++tracer->timeline.fibers,
							   xhprof_tracer_last_time(tracer));
	}
	if (known) {
		bool moves = called && bottom_of(entered->top)->node != called;
		tracer->top = moves ? hang_below(tracer, entered->top, called) : entered->top;
		entered->top = NULL; /* it is not the running stack's any more with the next call */
	} else {
		xhprof_entry *bottom = xhprof_tracer_bottom(tracer, called ? called : tracer->tree.root);
		if (!bottom) {
			return;
		}
		tracer->top = bottom;
	}
	tracer->current = tracer->top->node;
	xhprof_tracer_skip(tracer);
	if (known && entered->left_at != tracer->ends_apart) {
		end_stale(tracer, entered->left_at);
	}
}

void xhprof_fiber_calls_enter(xhprof_tracer *tracer, const void *to)
{
	enter(tracer, xhprof_table_find(&tracer->fibers, (uintptr_t)to), NULL);
}

void xhprof_fiber_calls_switch(xhprof_tracer *tracer, const void *from, const void *to, bool called)
{
	xhprof_tracer_close_segment(tracer);
	xhprof_call_stack *entered = xhprof_table_find(&tracer->fibers, (uintptr_t)to);
	if (called && entered && entered->top && bottom_of(entered->top)->node != tracer->current) {
		xhprof_tracer_make_room_for(tracer, entered->top);
	}
	if (leave(tracer, from)) {
		enter(tracer, entered, called ? tracer->current : NULL);
	}
}

/* Gives the entries of a stack back. */
static void free_entries(xhprof_tracer *tracer, xhprof_entry *top)
{
	while (top) {
		xhprof_entry *below = top->below;
		top->below = tracer->free;
		tracer->free = top;
		top = below;
	}
}

static void free_stack(xhprof_tracer *tracer, xhprof_call_stack *stack)
{
	free_entries(tracer, stack->top);
	stack->top = NULL;
	stack->next_free = tracer->free_stacks;
	tracer->free_stacks = stack;
}

void xhprof_fiber_calls_drop(xhprof_tracer *tracer)
{
	free_entries(tracer, tracer->top);
	tracer->top = NULL;
	for (uint32_t i = 0; i < tracer->fibers.capacity; i++) {
		if (tracer->fibers.slots[i].key && tracer->fibers.slots[i].value) {
			free_stack(tracer, tracer->fibers.slots[i].value);
		}
	}
	xhprof_table_clear(&tracer->fibers);
}

void xhprof_fiber_calls_end(xhprof_tracer *tracer, const void *fiber)
{
	xhprof_call_stack *stack = xhprof_table_remove(&tracer->fibers, (uintptr_t)fiber);
	xhprof_table_remove(&tracer->seen, (uintptr_t)fiber);
	if (stack) {
		free_stack(tracer, stack);
	}
}

bool xhprof_fiber_calls_known(const xhprof_tracer *tracer, const void *fiber)
{
	return xhprof_table_find(&tracer->seen, (uintptr_t)fiber);
}
