#include "tracer.h"

#include "shedding.h"

#include <string.h>
#include <sys/time.h>

#define ENTRIES_AT_ONCE 512
#define LEAST_SHED_NODES 1000 /* smaller trees are for those who want few paths, the first ones */
#define USUALLY_KEPT ((size_t)1024 * 1024)
#define EPOCH_STEP (UINT64_C(1) << 32)
#define MOST_ENDS_APART 16384

static double wall_clock(void)
{
	struct timeval now;
	gettimeofday(&now, NULL);
	return (double)now.tv_sec + (double)now.tv_usec / 1e6;
}

static xhprof_entry *tracer_more_entries(xhprof_tracer *tracer)
{
	xhprof_entry *entries = xhprof_arena_alloc(&tracer->entries, ENTRIES_AT_ONCE * sizeof(*entries), 64);
	if (!entries) {
		tracer->lost_entries++;
		return NULL;
	}
	for (size_t i = 0; i + 1 < ENTRIES_AT_ONCE; i++) {
		entries[i].below = &entries[i + 1];
	}
	entries[ENTRIES_AT_ONCE - 1].below = tracer->free;
	tracer->free = entries;
	return entries;
}

xhprof_entry *xhprof_tracer_bottom(xhprof_tracer *tracer, xhprof_node *node)
{
	xhprof_entry *entry = tracer->free ? tracer->free : tracer_more_entries(tracer);
	if (entry) {
		tracer->free = entry->below;
		*entry = (xhprof_entry){.node = node};
	}
	return entry;
}

void xhprof_tracer_drop_figures(xhprof_tracer *tracer, size_t *keep)
{
	xhprof_table_recycle(&tracer->fibers, keep);
	xhprof_operations_recycle(&tracer->operations, keep);
	xhprof_calltree_recycle(&tracer->tree, keep);
	xhprof_sample_log_release(&tracer->samples);
	xhprof_contexts_release(&tracer->contexts);
	xhprof_timeline_release(&tracer->timeline);
	tracer->top = NULL;
	tracer->current = NULL;
	tracer->in_ticks = false;
}

/* Drops everything but the tracer's own state. Names come first: they are fewest, and each profile has them. */
static void tracer_drop(xhprof_tracer *tracer, size_t keep)
{
	xhprof_symbols_recycle(&tracer->symbols, &keep);
	xhprof_arena_recycle(&tracer->entries, &keep);
	xhprof_table_recycle(&tracer->seen, &keep);
	xhprof_table_recycle(&tracer->ended_apart, &keep);
	xhprof_tracer_drop_figures(tracer, &keep);
	tracer->free = NULL;
	tracer->free_stacks = NULL;
}

bool xhprof_tracer_prepare(xhprof_tracer *tracer, const xhprof_tracer_options *options)
{
	tracer->mode = XHPROF_MODE_OFF;
	tracer->flags = options->flags;
	tracer->epoch += EPOCH_STEP;
	tracer->epoch += tracer->epoch ? 0 : EPOCH_STEP; /* 0 is the content of an untouched slot */
	tracer->scratch = options->scratch;
	tracer->heap = options->heap;
	tracer->refresh_heap = options->refresh_heap;
	tracer->call_line = options->call_line;
	tracer->clock.source = options->clock;
	tracer->cpu.source = options->cpu;
	tracer->options = *options;
	tracer->held = false;
	tracer->nodes_moved = options->nodes_moved;
	tracer->peak_bytes = options->peak_bytes;
	tracer->sample_interval_us = 0;
	tracer->sample_bytes = 0;
	tracer->ends_apart = 0;
	tracer->parted = false;
	tracer_drop(tracer, options->keep ? options->keep : USUALLY_KEPT);
	tracer->symbols.keeps = options->keep_names;
	tracer->timeline_threshold_ns = options->timeline_threshold_ns;
	return xhprof_symbols_begin(&tracer->symbols) && xhprof_tracer_begin_part(tracer);
}

bool xhprof_tracer_begin_part(xhprof_tracer *tracer)
{
	const xhprof_tracer_options *options = &tracer->options;
	tracer->resyncs = tracer->lost_entries = 0;
	tracer->shed_in_vain = false;
	tracer->skipped = tracer->thread_cpu_ns = 0;
	tracer->run_delay_ns = XHPROF_RUN_DELAY_UNKNOWN;
	xhprof_operations_begin(&tracer->operations, options->operations);
	if (!xhprof_calltree_begin(&tracer->tree, options->max_nodes) ||
		((options->flags & XHPROF_TRACE_ALLOC || options->blocks) &&
		 !xhprof_calltree_count_blocks(&tracer->tree, options->block_unit)) ||
		(options->requests && !xhprof_calltree_count_requests(&tracer->tree)) ||
		(options->flags & XHPROF_TRACE_CPU && !options->sampled && xhprof_cpu_source_is_split(options->cpu) &&
		 !xhprof_calltree_count_system(&tracer->tree)) ||
		(options->flags & XHPROF_TRACE_TIMELINE &&
		 !xhprof_timeline_begin(&tracer->timeline, options->timeline_calls))) {
		return false;
	}
	tracer->tree.root->calls = 1;
	tracer->current = tracer->tree.root;
	tracer->top = options->sampled ? NULL : xhprof_tracer_bottom(tracer, tracer->tree.root);
	return options->sampled || tracer->top != NULL;
}

static xhprof_tracer_mode tracer_mode(const xhprof_tracer *tracer)
{
	if (tracer->flags & XHPROF_TRACE_PATHS) {
		return XHPROF_MODE_PATHS;
	}
	bool more = tracer->flags & (XHPROF_TRACE_CPU | XHPROF_TRACE_MEMORY);
	if (tracer->clock.source == XHPROF_CLOCK_MONOTONIC || tracer->refresh_heap) {
		return XHPROF_MODE_ANY;
	}
	if (tracer->flags & XHPROF_TRACE_TIMELINE) {
		return more ? XHPROF_MODE_FULL_TIMELINE : XHPROF_MODE_TIMELINE;
	}
	return more ? XHPROF_MODE_FULL : XHPROF_MODE_WALL;
}

void xhprof_tracer_start(xhprof_tracer *tracer)
{
	xhprof_clock_start(&tracer->clock, tracer->clock.source);
	if (tracer->flags & XHPROF_TRACE_CPU) {
		xhprof_cpu_clock_start(&tracer->cpu, &tracer->clock, tracer->cpu.source, XHPROF_CPU_OF_PROFILE);
	}
	tracer->mode = tracer_mode(tracer);
	tracer->last_ticks = xhprof_clock_ticks(&tracer->clock);
	tracer->last_peak = 0;
	xhprof_tracer_skip(tracer);
	xhprof_tracer_start_part(tracer);
}

/* Readies the part that begins to take samples. */
static void begin_samples(xhprof_tracer *tracer)
{
	tracer->samples.clock = tracer->sampling.clock;
	tracer->samples.lines = tracer->sampling.lines;
	tracer->samples.only_counts = tracer->sampling.only_counts;
	tracer->tree.root->calls = 0;
}

void xhprof_tracer_start_part(xhprof_tracer *tracer)
{
	tracer->started = wall_clock();
	tracer->skipped = 0;
	tracer->started_ticks = tracer->last_ticks;
	if (tracer->flags & XHPROF_TRACE_TIMELINE) {
		xhprof_timeline_start(&tracer->timeline, &tracer->clock, tracer->timeline_threshold_ns, tracer->last_ticks);
	}
	if (tracer->sample_interval_us) {
		begin_samples(tracer);
	}
}

void xhprof_tracer_pause(xhprof_tracer *tracer)
{
	tracer->mode = XHPROF_MODE_OFF;
}

void xhprof_tracer_resume(xhprof_tracer *tracer)
{
	tracer->mode = tracer_mode(tracer);
}

uint64_t xhprof_tracer_charge_cpu(xhprof_tracer *tracer, xhprof_node *node, uint64_t now)
{
	xhprof_cpu_reading cpu = xhprof_cpu_clock_resync(&tracer->cpu, &tracer->clock, tracer->last_ticks, now);
	node->self_cpu += cpu.passed;
	if (tracer->tree.system) {
		tracer->tree.system[node->id] += cpu.system;
	}
	tracer->skipped += cpu.now - now;
	return cpu.now;
}

void xhprof_tracer_keep(xhprof_tracer *tracer, const xhprof_node *node, const xhprof_node *outer, uint64_t start,
						uint64_t duration)
{
	if (node == outer || (int64_t)duration < 0) { /* a call without a node of its own; a counter that stepped back */
		return;
	}
	size_t used = tracer->timeline.used;
	xhprof_timeline_add(&tracer->timeline, &(xhprof_timeline_call){
											   .start = start,
											   .duration = duration,
											   .memory = (int64_t)tracer->last_size,
											   .node = node->id,
											   .fiber = tracer->timeline.fiber,
										   });
	if (tracer->timeline.used != used + 1) {
		xhprof_tracer_skip(tracer); /* making room takes milliseconds: not the program's time */
	}
}

/* Keeps the calls of one stack that have not ended. */
static void tracer_keep_open(xhprof_tracer *tracer, const xhprof_entry *top, uint32_t fiber, uint64_t now)
{
	tracer->timeline.fiber = fiber;
	for (const xhprof_entry *entry = top; entry && entry->frame; entry = entry->below) {
		if (now - entry->start >= tracer->timeline.threshold) {
			xhprof_tracer_keep(tracer, entry->node, entry->below->node, entry->start, now - entry->start);
		}
	}
}

/* Ends the timeline, and with it all running calls of all fibers. */
static void tracer_end_timeline(xhprof_tracer *tracer)
{
	xhprof_timeline *timeline = &tracer->timeline;
	uint64_t now = xhprof_tracer_last_time(tracer);
	uint32_t running = timeline->fiber;
	timeline->end = now;
	if (timeline->fibers) {
		xhprof_timeline_switch(timeline, running, now);
	}
	for (uint32_t i = 0; i < tracer->fibers.capacity; i++) {
		const xhprof_call_stack *stack = tracer->fibers.slots[i].value;
		if (tracer->fibers.slots[i].key && stack && stack->number != running) {
			tracer_keep_open(tracer, stack->top, stack->number, now);
		}
	}
	tracer_keep_open(tracer, tracer->top, running, now);
	for (uint32_t i = 0; i < timeline->mark_count; i++) {
		if (timeline->marks[i].end == XHPROF_TIMELINE_OPEN) {
			timeline->marks[i].end = now;
		}
	}
}

/* Ends the times of the part that runs, and of its calls. */
static void end_times(xhprof_tracer *tracer)
{
	xhprof_tracer_close_segment(tracer);
	if (tracer->flags & XHPROF_TRACE_TIMELINE) {
		tracer_end_timeline(tracer);
	}
	tracer->mode = XHPROF_MODE_OFF;
}

/* Ends the operations, by the rate of the clock, which has stopped. */
static void end_operations(xhprof_tracer *tracer)
{
	xhprof_operations_stop(&tracer->operations, tracer->tree.root, &tracer->clock, xhprof_tracer_last_time(tracer));
	tracer->in_ticks = true;
}

void xhprof_tracer_halt(xhprof_tracer *tracer)
{
	if (!xhprof_tracer_running(tracer)) {
		return;
	}
	end_times(tracer);
	if (tracer->flags & XHPROF_TRACE_CPU) {
		xhprof_cpu_clock_stop(&tracer->cpu);
	}
	xhprof_clock_stop(&tracer->clock);
	end_operations(tracer);
}

void xhprof_tracer_halt_part(xhprof_tracer *tracer)
{
	bool pinned = tracer->clock.pinned;
	end_times(tracer);
	tracer->clock.pinned = false; /* the thread stays where it is */
	xhprof_clock_stop(&tracer->clock);
	tracer->clock.pinned = pinned;
	end_operations(tracer);
}

void xhprof_tracer_settle(xhprof_tracer *tracer)
{
	if (!tracer->in_ticks) {
		return;
	}
	tracer->in_ticks = false;
	tracer->duration_ns = 0;
	xhprof_calltree_show_folded(&tracer->tree);
	for (uint32_t id = 1; id <= tracer->tree.nodes; id++) {
		xhprof_node *node = xhprof_calltree_node(&tracer->tree, id);
		int64_t ticks = (int64_t)node->self_wall; /* negative when the counter was reset, as by a suspend */
		node->self_wall = ticks > 0 ? xhprof_clock_to_ns(&tracer->clock, (uint64_t)ticks) : 0;
		node->self_cpu = xhprof_clock_to_ns(&tracer->clock, node->self_cpu);
		if (tracer->tree.system) { /* no more than the whole: rounding does not go up */
			tracer->tree.system[id] = xhprof_clock_to_ns(&tracer->clock, tracer->tree.system[id]);
		}
		tracer->duration_ns += node->self_wall;
	}
	int64_t elapsed = (int64_t)(tracer->last_ticks - tracer->started_ticks);
	tracer->elapsed_ns = elapsed > 0 ? xhprof_clock_to_ns(&tracer->clock, (uint64_t)elapsed) : 0;
	if (tracer->elapsed_ns < tracer->duration_ns) { /* each node's time is rounded */
		tracer->elapsed_ns = tracer->duration_ns;
	}
	xhprof_calltree_order(&tracer->tree);
}

void xhprof_tracer_stop(xhprof_tracer *tracer)
{
	xhprof_tracer_halt(tracer);
	xhprof_tracer_settle(tracer);
}

void xhprof_tracer_start_sampling(xhprof_tracer *tracer, const xhprof_tracer_sampling *sampling)
{
	tracer->sampling = *sampling;
	tracer->sample_interval_us = sampling->interval_us;
	tracer->sample_epoch_us = sampling->epoch_us;
	begin_samples(tracer);
	tracer->started = sampling->started;
}

void xhprof_tracer_note_dropped_blocks(xhprof_tracer *tracer, uint64_t blocks)
{
	tracer->samples.blocks_dropped = blocks;
}

void xhprof_tracer_forget_samples(xhprof_tracer *tracer)
{
	xhprof_sample_log *samples = &tracer->samples;
	samples->samples = samples->taken = samples->delayed = samples->dropped = samples->blocks_dropped = 0;
	tracer->tree.dropped = 0;
	for (xhprof_node *node = tracer->tree.root; node; node = xhprof_calltree_next(node)) {
		node->calls = 0;
	}
	xhprof_calltree_forget_blocks(&tracer->tree);
}

void xhprof_tracer_stop_sampling(xhprof_tracer *tracer, uint64_t duration_ns)
{
	uint64_t interval_ns = (uint64_t)tracer->sample_interval_us * 1000;
	bool wall = xhprof_tracer_has_wall(tracer);
	xhprof_calltree_order(&tracer->tree);
	for (uint32_t id = 1; id <= tracer->tree.nodes; id++) {
		xhprof_node *node = xhprof_calltree_node(&tracer->tree, id);
		*(wall ? &node->self_wall : &node->self_cpu) = node->calls * interval_ns;
	}
	tracer->duration_ns = tracer->elapsed_ns = duration_ns;
}

void xhprof_tracer_start_allocations(xhprof_tracer *tracer, uint64_t mean)
{
	tracer->sample_bytes = mean;
	tracer->started = wall_clock();
	tracer->tree.root->calls = 0;
}

void xhprof_tracer_stop_allocations(xhprof_tracer *tracer, uint64_t duration_ns)
{
	xhprof_calltree_order(&tracer->tree);
	tracer->duration_ns = tracer->elapsed_ns = duration_ns;
}

void xhprof_tracer_recycle(xhprof_tracer *tracer, size_t keep)
{
	xhprof_tracer_halt(tracer);
	tracer_drop(tracer, keep);
}

void xhprof_tracer_release(xhprof_tracer *tracer)
{
	xhprof_tracer_recycle(tracer, 0);
}

/* Calls `visit` for each place of an exact profile that points to a node. */
static void tracer_each_node(xhprof_tracer *tracer, xhprof_shedding *shedding,
							 const xhprof_node *(*visit)(xhprof_shedding *shedding, const xhprof_node *node))
{
	for (xhprof_entry *entry = tracer->top; entry; entry = entry->below) {
		entry->node = (xhprof_node *)visit(shedding, entry->node);
	}
	for (uint32_t i = 0; i < tracer->fibers.capacity; i++) {
		const xhprof_call_stack *stack = tracer->fibers.slots[i].key ? tracer->fibers.slots[i].value : NULL;
		/* The stack of the fiber that runs is the one above. */
		for (xhprof_entry *entry = stack && stack->top ? stack->top : NULL; entry; entry = entry->below) {
			entry->node = (xhprof_node *)visit(shedding, entry->node);
		}
	}
	for (xhprof_operation *operation = tracer->operations.first; operation; operation = operation->next) {
		operation->node = visit(shedding, operation->node);
	}
	for (uint32_t i = 0; i < tracer->operations.opened; i++) {
		tracer->operations.open[i].node = visit(shedding, tracer->operations.open[i].node);
	}
}

/* Returns a node's id in place of a pointer to it, for the time until all nodes have moved. */
static const xhprof_node *id_instead(const xhprof_node *node)
{
	return (const xhprof_node *)(uintptr_t)node->id;
}

static uint32_t id_noted(const xhprof_node *node)
{
	return (uint32_t)(uintptr_t)node;
}

static const xhprof_node *pin_node(xhprof_shedding *shedding, const xhprof_node *node)
{
	xhprof_shedding_pin(shedding, node->id);
	return id_instead(node);
}

static const xhprof_node *find_moved(xhprof_shedding *shedding, const xhprof_node *node)
{
	return xhprof_shedding_moved(shedding, id_noted(node));
}

static void note_samples(xhprof_sample_log *log)
{
	for (size_t i = 0; i < log->used; i++) {
		log->runs[i].node = id_instead(log->runs[i].node);
	}
	log->last = log->last ? (xhprof_node *)id_instead(log->last) : NULL;
}

/* Moves samples to another node: those of a folded one become its caller's, whose code the line is not in. */
static const xhprof_node *move_sample(const xhprof_shedding *shedding, const xhprof_node *node, uint32_t *line)
{
	*line = xhprof_shedding_folded(shedding, id_noted(node)) ? 0 : *line;
	return xhprof_shedding_moved(shedding, id_noted(node));
}

static void move_samples(xhprof_sample_log *log, const xhprof_shedding *shedding)
{
	for (size_t i = 0; i < log->used; i++) {
		log->runs[i].node = move_sample(shedding, log->runs[i].node, &log->runs[i].line);
	}
	log->last = log->last ? (xhprof_node *)move_sample(shedding, log->last, &log->last_line) : NULL;
}

bool xhprof_tracer_hold(xhprof_tracer *tracer, bool held)
{
	bool before = tracer->held;
	tracer->held = held;
	return before;
}

/* Returns whether new paths could have the room of light ones. */
static bool tracer_can_shed(const xhprof_tracer *tracer)
{
	return tracer->tree.max_nodes >= LEAST_SHED_NODES && !tracer->shed_in_vain && !tracer->held &&
		   !tracer->samples.tally; /* which has the nodes' ids */
}

static bool tracer_may_shed(const xhprof_tracer *tracer)
{
	return tracer->tree.nodes >= tracer->tree.max_nodes && tracer_can_shed(tracer);
}

static xhprof_node *tracer_shed(xhprof_tracer *tracer, const xhprof_node *parent)
{
	xhprof_shedding shedding;
	uint32_t nodes = tracer->tree.nodes, id = parent->id;
	if (!xhprof_shedding_begin(&shedding, &tracer->tree)) {
		tracer->shed_in_vain = true;
		return (xhprof_node *)parent;
	}
	shedding.samples = tracer->sample_interval_us || tracer->sample_bytes;
	if (tracer->peak_bytes) {
		shedding.peak = tracer->peak_bytes();
	}
	xhprof_shedding_pin(&shedding, id);
	tracer_each_node(tracer, &shedding, pin_node);
	note_samples(&tracer->samples);
	tracer->shed_in_vain = xhprof_shedding_run(&shedding) < nodes / 16;
	tracer_each_node(tracer, &shedding, find_moved);
	move_samples(&tracer->samples, &shedding);
	xhprof_operations_moved(&tracer->operations);
	xhprof_timeline_moved(&tracer->timeline, &shedding);
	tracer->current = tracer->top ? tracer->top->node : tracer->tree.root;
	if (tracer->nodes_moved) {
		tracer->nodes_moved(&shedding);
	}
	xhprof_node *moved = xhprof_shedding_moved(&shedding, id);
	xhprof_shedding_end(&shedding);
	return moved;
}

xhprof_node *xhprof_tracer_make_room(xhprof_tracer *tracer, xhprof_node *parent, xhprof_symbol_ref symbol)
{
	return __builtin_expect(tracer_may_shed(tracer), 0) && !xhprof_calltree_known(&tracer->tree, parent, symbol)
			   ? tracer_shed(tracer, parent)
			   : parent;
}

/* Returns the child of `caller`, with `count` more calls, or the node that they are folded into. `frame`: the caller's
 * frame; NULL below all frames that are followed. */
static xhprof_node *tracer_call_child(xhprof_tracer *tracer, xhprof_node *caller, const void *frame,
									  xhprof_symbol_ref symbol, unsigned count)
{
	uint32_t moves = tracer->tree.moves;
	bool full = tracer->tree.nodes >= tracer->tree.max_nodes;
	caller = full ? xhprof_tracer_make_room(tracer, caller, symbol) : caller;
	xhprof_node *last = (xhprof_node *)caller->last_child;
	uint32_t nodes = tracer->tree.nodes;
	uint64_t dropped = tracer->tree.dropped;
	xhprof_node *node = xhprof_calltree_child(&tracer->tree, caller, symbol);
	bool made = tracer->tree.nodes != nodes;
	if (tracer->tree.dropped != dropped) { /* its time is that of (truncated), or of the caller, but not its calls */
		tracer->tree.dropped = dropped + count;
		xhprof_folded_calls_add(&tracer->tree.folded, symbol, count);
	} else {
		node->calls += count;
		if (last != &xhprof_no_node) {
			last->successor = node;
		}
		caller->last_child = node;
		if (made && tracer->call_line && (frame || caller == tracer->tree.root)) { /* not at the bottom of a fiber */
			*xhprof_node_call_line(node) = tracer->call_line(frame);
		}
	}
	if (made || tracer->tree.moves != moves) {
		xhprof_tracer_skip(tracer); /* making a node may grow tables and walk the stack: not the program's time */
	}
	return node;
}

/* Begins the call of a node that was found. */
static void tracer_push(xhprof_tracer *tracer, const void *identity, xhprof_node *node)
{
	xhprof_entry *entry = tracer->free;
	tracer->free = entry->below;
	*entry = (xhprof_entry){tracer->top, identity, node, xhprof_tracer_last_time(tracer)};
	tracer->top = entry;
	tracer->current = node;
}

/* Returns whether there is an entry. If not, the call is its caller's, and counted. */
static bool tracer_has_entry(xhprof_tracer *tracer, xhprof_symbol_ref symbol, unsigned count)
{
	if (tracer->free || tracer_more_entries(tracer)) {
		return true;
	}
	xhprof_folded_calls_add(&tracer->tree.folded, symbol, count);
	return false;
}

void xhprof_tracer_enter(xhprof_tracer *tracer, const void *identity, xhprof_symbol_ref symbol, unsigned count)
{
	xhprof_tracer_enter_below(tracer, tracer->current, tracer->top->frame, identity, symbol, count);
}

void xhprof_tracer_enter_below(xhprof_tracer *tracer, xhprof_node *caller, const void *frame, const void *identity,
							   xhprof_symbol_ref symbol, unsigned count)
{
	if (tracer_has_entry(tracer, symbol, count)) {
		tracer_push(tracer, identity, tracer_call_child(tracer, caller, frame, symbol, count));
	}
}

xhprof_node *xhprof_tracer_below(xhprof_tracer *tracer, xhprof_node *caller, const void *frame,
								 xhprof_symbol_ref symbol)
{
	const xhprof_node *guess = caller->last_child;
	return guess->symbol == symbol ? (xhprof_node *)guess : tracer_call_child(tracer, caller, frame, symbol, 0);
}

/* Remembers the end of a call that another part may have. */
static void note_end_apart(xhprof_tracer *tracer, const void *frame)
{
	if (tracer->parted) {
		if (tracer->ended_apart.used >= MOST_ENDS_APART) {
			xhprof_table_clear(&tracer->ended_apart);
		}
		xhprof_table_put(&tracer->ended_apart, (uintptr_t)frame, (void *)++tracer->ends_apart);
	}
}

void xhprof_tracer_resync(xhprof_tracer *tracer, const void *frame)
{
	xhprof_entry *entry = tracer->top;
	while (entry->frame && entry->frame != frame) {
		entry = entry->below;
	}
	if (!entry->frame) {
		note_end_apart(tracer, frame); /* it began before the profile, or in another part */
		return;
	}
	tracer->resyncs++;
	while (tracer->top->frame != frame) {
		xhprof_tracer_end_any(tracer, tracer->top->frame);
	}
	xhprof_tracer_end_any(tracer, frame);
}

void xhprof_tracer_make_room_for(xhprof_tracer *tracer, const xhprof_entry *top)
{
	uint32_t free = tracer->tree.nodes < tracer->tree.max_nodes ? tracer->tree.max_nodes - tracer->tree.nodes : 0;
	uint32_t needed = 0;
	for (; top && needed <= free; top = top->below) {
		needed++;
	}
	if (needed > free && tracer_can_shed(tracer)) {
		tracer_shed(tracer, tracer->current);
	}
}
