/* The tracer: follows the program's calls and charges time and memory to the node that runs. This header is the hot
 * path: the observer's fast paths call xhprof_tracer_begin() and xhprof_tracer_end() with a constant mode, all other
 * hooks xhprof_tracer_begin_any() and xhprof_tracer_end_any().
 *
 * Charging is by segments: from one event to the next, to the node that ran in between. So exclusive figures add up to
 * the whole exactly, whatever order events come in. */
#ifndef XHPROF_TRACE_TRACER_H
#define XHPROF_TRACE_TRACER_H

#include "calltree.h"
#include "contexts.h"
#include "cpu_clock.h"
#include "operations.h"
#include "run_delay.h"
#include "sample_log.h"
#include "symbol.h"
#include "timeline.h"

#define XHPROF_TRACE_NO_BUILTINS 1u
#define XHPROF_TRACE_CPU 2u
#define XHPROF_TRACE_MEMORY 4u
#define XHPROF_TRACE_ALLOC 8u /* the tree counts blocks; the allocator's handlers record them there */
#define XHPROF_TRACE_TIMELINE 16u
#define XHPROF_TRACE_PATHS 0x80000000u /* only call paths and calls: no clock is read, and no time is reported */

/* A call that has begun and not ended. Entries form one stack per fiber and come from a free list. */
typedef struct xhprof_entry {
	struct xhprof_entry *below;
	const void *frame; /* identity of the engine's frame; NULL at the bottom of a stack */
	xhprof_node *node;
	uint64_t start; /* the profile's own time, ticks; kept for the timeline */
} xhprof_entry;

/* The calls of one fiber while another one runs. */
typedef struct xhprof_call_stack {
	xhprof_entry *top; /* NULL while its fiber runs */
	uint32_t number;   /* of the fiber, in the timeline */
	uintptr_t left_at; /* xhprof_tracer.ends_apart then */
	struct xhprof_call_stack *next_free;
} xhprof_call_stack;

/* Size and peak of the Zend heap, bytes. They are read inside the heap, because two calls per event would cost more
 * than the clock. */
typedef struct xhprof_heap_usage {
	size_t size;
	size_t peak;
} xhprof_heap_usage;

/* The figures that a hook has to read, so that it needs a single comparison. */
typedef enum xhprof_tracer_mode {
	XHPROF_MODE_OFF = 0,       /* calls are not followed */
	XHPROF_MODE_PATHS,         /* none: only the position in the program is followed */
	XHPROF_MODE_WALL,          /* wall time only, by the cycle counter */
	XHPROF_MODE_TIMELINE,      /* the same, with the timeline */
	XHPROF_MODE_FULL,          /* other figures too; by the cycle counter, and the heap's own */
	XHPROF_MODE_FULL_TIMELINE, /* the same, with the timeline */
	XHPROF_MODE_ANY,           /* any figures, by any clock, with the timeline or without it */
	XHPROF_MODES
} xhprof_tracer_mode;

typedef struct xhprof_tracer_options {
	uint32_t flags;
	uint32_t max_nodes;
	uint32_t block_unit;            /* parts in which a block is counted; 1 if all blocks are recorded */
	uint32_t timeline_calls;        /* most calls of a timeline */
	uint64_t timeline_threshold_ns; /* least duration of its calls */
	xhprof_clock_source clock;
	xhprof_cpu_source cpu;
	bool operations;         /* operations are recorded, in an exact profile */
	size_t keep;             /* bytes of the last profile's memory that this one may take over; 0: the default */
	bool keep_names;         /* names may be taken over, too */
	bool sampled;            /* the profile will be sampled: no calls are followed */
	bool blocks;             /* the tree counts blocks in samples too */
	bool requests;           /* the tree counts requests to the heap, too */
	xhprof_scratch *scratch; /* memory for readers of the profile; or NULL */
	xhprof_heap_usage *heap; /* required with XHPROF_TRACE_MEMORY */
	void (*refresh_heap)(xhprof_heap_usage *heap);
	/* Returns the current line of this frame; with NULL that of the code below all followed frames. 0: not known.
	 * Called when a node is made. May be NULL. */
	uint32_t (*call_line)(const void *frame);
	/* For users that refer to nodes by their ids: the first is called when nodes have moved, the second returns the
	 * bytes that each held at the peak. May be NULL. */
	void (*nodes_moved)(const xhprof_shedding *shedding);
	xhprof_peak_bytes (*peak_bytes)(void);
} xhprof_tracer_options;

typedef struct xhprof_tracer_sampling {
	uint32_t interval_us;
	xhprof_sample_clock clock;
	bool lines;
	bool only_counts;  /* see sample_log.h */
	uint64_t epoch_us; /* time of day at interval 0 */
	double started;    /* time of day, seconds since the epoch */
} xhprof_tracer_sampling;

typedef struct xhprof_tracer {
	uint8_t mode;   /* xhprof_tracer_mode */
	uint32_t flags; /* XHPROF_TRACE_* */
	uint64_t epoch; /* number of this profile in this thread << 32; slots with another number are stale */
	xhprof_node *current;
	xhprof_entry *top;
	xhprof_entry *free;
	uint64_t last_ticks;
	uint64_t skipped; /* ticks that no node was charged for; ticks less these are the profile's own time */
	size_t last_size;
	size_t last_peak; /* the largest peak so far */
	xhprof_heap_usage *heap;
	void (*refresh_heap)(xhprof_heap_usage *heap); /* set if `heap` is a copy that must be refreshed; else NULL */
	xhprof_cpu_clock cpu;                          /* used with XHPROF_TRACE_CPU */
	xhprof_clock clock;
	xhprof_calltree tree;

	xhprof_symbols symbols;
	xhprof_arena entries;
	xhprof_table fibers; /* fiber context -> xhprof_call_stack, of this part of the profile */
	xhprof_table seen;   /* the contexts of all fibers that have run in the profile, in whatever part */
	struct xhprof_call_stack *free_stacks;
	/* Calls that began in one part and ended while another one had the same fiber: frame -> number of the last such end. */
	xhprof_table ended_apart;
	uintptr_t ends_apart;          /* how many there were */
	bool parted;                   /* the profile has more than one part */
	xhprof_tracer_options options; /* of the profile; its further parts (parked.h) have the same */

	xhprof_timeline timeline;
	uint64_t timeline_threshold_ns;

	/* Members for sampling, whose paths are added to the tree while the tracer itself does not run. */
	xhprof_sample_log samples;
	xhprof_tracer_sampling sampling; /* of a sampled profile: that of its parts */
	uint64_t sample_epoch_us;        /* time of day at interval 0, a multiple of the interval */
	uint32_t sample_interval_us;     /* 0: an exact profile, or one of sampled allocations */
	uint64_t sample_bytes; /* mean distance of sampled allocations in bytes, if nothing else is recorded; else 0 */

	xhprof_operations operations;
	xhprof_contexts contexts; /* of samples and operations */

	xhprof_scratch *scratch; /* memory for readers of the profile, not for the profile itself; or NULL */

	/* Members for making room in a full tree; see the options. */
	bool shed_in_vain; /* the tree is full of paths that are in use */
	bool held;         /* nodes must stay where they are */
	bool in_ticks;     /* halted, but not settled */
	void (*nodes_moved)(const xhprof_shedding *shedding);
	xhprof_peak_bytes (*peak_bytes)(void);

	double started; /* time of day, seconds since the epoch */
	uint64_t duration_ns;
	uint64_t thread_cpu_ns; /* CPU time of the thread in duration_ns, of a sampled profile that measures it; else 0 */
	int64_t
		run_delay_ns; /* of the thread in that time (run_delay.h), of a profile with CPU time or samples; or unknown */
	uint64_t elapsed_ns; /* from the start to the end, including the profiler's own work, which no node has */
	uint64_t started_ticks;
	uint64_t resyncs;                         /* ends that did not match the call on top */
	uint64_t lost_entries;                    /* calls that were not followed, without memory */
	uint32_t (*call_line)(const void *frame); /* see the options; or NULL */
} xhprof_tracer;

/* Start a profile in two steps, so that ignored names can be set in between: prepare drops the previous profile, start
 * takes the first reading. Prepare is false without memory; then nothing runs. */
bool xhprof_tracer_prepare(xhprof_tracer *tracer, const xhprof_tracer_options *options);
void xhprof_tracer_start(xhprof_tracer *tracer);

static inline bool xhprof_tracer_running(const xhprof_tracer *tracer)
{
	return tracer->mode != XHPROF_MODE_OFF;
}

/* Pause and resume a running tracer. In between it follows no calls, and functions first called then are not observed.
 * That time is charged to the current node, unless it is skipped. */
void xhprof_tracer_pause(xhprof_tracer *tracer);
void xhprof_tracer_resume(xhprof_tracer *tracer);

/* Holds the tree for a reader while the program runs on, or lets it go: while it is held, no node moves and a full tree
 * makes no room. Returns the state before. */
bool xhprof_tracer_hold(xhprof_tracer *tracer, bool held);

/* Makes room for a child of `parent` if the tree is full and has no such child yet. Nodes move then, and tree.moves
 * changes. Returns the parent's new place. Called by everyone who adds paths to the tree, before that. */
xhprof_node *xhprof_tracer_make_room(xhprof_tracer *tracer, xhprof_node *parent, xhprof_symbol_ref symbol);

/* End the profile: its tree is then in nanoseconds and in order of first call, until the next prepare. Stop does both
 * steps. Halt only ends it, as many profiles are dropped without being read; settle makes the pass over all nodes. */
void xhprof_tracer_stop(xhprof_tracer *tracer);
void xhprof_tracer_halt(xhprof_tracer *tracer);
void xhprof_tracer_settle(xhprof_tracer *tracer); /* before the profile is read; repeated calls do nothing */

/* Starts a sampling, after prepare and instead of start: the caller adds paths to the tree, and the calls of a node are
 * samples in which it was innermost. */
void xhprof_tracer_start_sampling(xhprof_tracer *tracer, const xhprof_tracer_sampling *sampling);

/* Records how many sampled blocks had no room. */
void xhprof_tracer_note_dropped_blocks(xhprof_tracer *tracer, uint64_t blocks);

/* Drops the samples so far, but keeps their paths. */
void xhprof_tracer_forget_samples(xhprof_tracer *tracer);

/* Ends a sampling of this duration: the samples give the time, wall or CPU time. */
void xhprof_tracer_stop_sampling(xhprof_tracer *tracer, uint64_t duration_ns);

/* Starts a sampling of allocations, after prepare and instead of start, with XHPROF_TRACE_ALLOC: the caller adds paths
 * to the tree, and the calls of a node are samples in which it was innermost. No node has a time. `mean`: mean distance
 * of samples, bytes. */
void xhprof_tracer_start_allocations(xhprof_tracer *tracer, uint64_t mean);

/* Ends a sampling of allocations of this duration. */
void xhprof_tracer_stop_allocations(xhprof_tracer *tracer, uint64_t duration_ns);

/* Returns whether the profile has wall time: one sampled by the CPU clock, or at allocations, does not. */
static inline bool xhprof_tracer_has_wall(const xhprof_tracer *tracer)
{
	return !tracer->sample_bytes && (!tracer->sample_interval_us || tracer->samples.clock == XHPROF_SAMPLE_WALL);
}

/* Ends and drops the profile. At most `keep` bytes of its memory stay mapped for the next one. */
void xhprof_tracer_recycle(xhprof_tracer *tracer, size_t keep);

/* Frees all memory. */
void xhprof_tracer_release(xhprof_tracer *tracer);

/* Returns a new bottom of a stack, whose calls belong below `node`; NULL without memory. */
xhprof_entry *xhprof_tracer_bottom(xhprof_tracer *tracer, xhprof_node *node);

/* Makes room for the paths of a stack below another node, by folding light ones if possible, so that no node moves when
 * those paths are made. */
void xhprof_tracer_make_room_for(xhprof_tracer *tracer, const xhprof_entry *top);

/* Makes the members that a part of a profile has of its own, as options say. False without memory. */
bool xhprof_tracer_begin_part(xhprof_tracer *tracer);

/* Starts the times of a part that begins at the last event. */
void xhprof_tracer_start_part(xhprof_tracer *tracer);

/* Ends the part as halt ends the profile, which goes on: all but the clock's rate is as before. */
void xhprof_tracer_halt_part(xhprof_tracer *tracer);

/* Drops the figures of the part, whose calls have been given back. At most `*keep` bytes stay mapped for the next one, and
 * are taken off that. */
void xhprof_tracer_drop_figures(xhprof_tracer *tracer, size_t *keep);

/* Returns the profile's own time now, in ticks, which the timeline and operations have. */
static inline uint64_t xhprof_tracer_time(const xhprof_tracer *tracer)
{
	return xhprof_clock_ticks(&tracer->clock) - tracer->skipped;
}

/* Returns the profile's own time at the last event, up to which nodes are charged. */
static inline uint64_t xhprof_tracer_last_time(const xhprof_tracer *tracer)
{
	return tracer->last_ticks - tracer->skipped;
}

/* Returns whether a timeline is being recorded. */
static inline bool xhprof_tracer_in_timeline(const xhprof_tracer *tracer)
{
	return xhprof_tracer_running(tracer) && tracer->flags & XHPROF_TRACE_TIMELINE;
}

/* Counts requests to the heap of the running node. The tree must count requests. */
static inline void xhprof_tracer_count_request(xhprof_tracer *tracer, uint64_t allocations, size_t bytes,
											   uint64_t frees)
{
	xhprof_node_requests *requests = &tracer->tree.requests[tracer->current->id];
	requests->allocations += allocations;
	requests->bytes += bytes;
	requests->frees += frees;
}

/* Cold parts of the hot path. Enter begins a call whose preceding time has been charged, and finds its node by the slow
 * path. Resync ends the call of `frame` when it is not the top one. */
void xhprof_tracer_enter(xhprof_tracer *tracer, const void *identity, xhprof_symbol_ref symbol, unsigned count);
void xhprof_tracer_resync(xhprof_tracer *tracer, const void *frame);

/* Begin a call that is not directly below the current one, as calls without a begin of their own are in between. The
 * preceding time has been charged. Below returns the node of one call in between, a child of `caller`, whose frame is
 * `frame`, and counts no call; enter_below begins the call itself. Nodes that were returned before may be gone then,
 * except the last one. */
xhprof_node *xhprof_tracer_below(xhprof_tracer *tracer, xhprof_node *caller, const void *frame,
								 xhprof_symbol_ref symbol);
void xhprof_tracer_enter_below(xhprof_tracer *tracer, xhprof_node *caller, const void *frame, const void *identity,
							   xhprof_symbol_ref symbol, unsigned count);

/* Adds a call that has ended and lasted long enough to the timeline. `outer`: the calling node. */
void xhprof_tracer_keep(xhprof_tracer *tracer, const xhprof_node *node, const xhprof_node *outer, uint64_t start,
						uint64_t duration);

/* Charges the CPU time since the last event to the node that ran, by a system call, and its system time if the clock
 * has that. Returns the time of the event, moved past the call. */
uint64_t xhprof_tracer_charge_cpu(xhprof_tracer *tracer, xhprof_node *node, uint64_t now);

#define XHPROF_HOT static inline __attribute__((always_inline))

/* Skips the time and the growth of the Zend heap since the last event: they are the profiler's own, and no node is
 * charged for them. */
static inline void xhprof_tracer_skip(xhprof_tracer *tracer)
{
	uint64_t now = xhprof_clock_ticks(&tracer->clock);
	if (tracer->flags & XHPROF_TRACE_CPU) {
		now = xhprof_cpu_clock_read(&tracer->cpu, &tracer->clock, tracer->last_ticks, now).now;
	}
	tracer->skipped += now - tracer->last_ticks;
	tracer->last_ticks = now;
	if (tracer->flags & XHPROF_TRACE_MEMORY) {
		if (tracer->refresh_heap) {
			tracer->refresh_heap(tracer->heap);
		}
		tracer->last_size = tracer->heap->size;
		if (tracer->heap->peak > tracer->last_peak) {
			tracer->last_peak = tracer->heap->peak;
		}
	}
}

XHPROF_HOT void xhprof_tracer_charge_memory(xhprof_tracer *tracer, xhprof_node *node)
{
	size_t size = tracer->heap->size, peak = tracer->heap->peak;
	node->self_memory += (int64_t)(size - tracer->last_size);
	tracer->last_size = size;
	if (__builtin_expect(peak > tracer->last_peak, 0)) { /* the program may reset PHP's peak */
		node->self_peak += (int64_t)(peak - tracer->last_peak);
		tracer->last_peak = peak;
	}
}

/* Returns whether CPU time or memory is read on the fast path. */
XHPROF_HOT bool xhprof_tracer_mode_is_full(xhprof_tracer_mode mode)
{
	return mode == XHPROF_MODE_FULL || mode == XHPROF_MODE_FULL_TIMELINE;
}

/* Charges everything since the last event, up to `now`, to the node that ran. `mode` is a constant; where it is full,
 * the CPU clock must be undisturbed. */
XHPROF_HOT void xhprof_tracer_charge(xhprof_tracer *tracer, xhprof_tracer_mode mode, uint64_t now)
{
	if (mode == XHPROF_MODE_PATHS) {
		return;
	}
	xhprof_node *node = tracer->current;
	/* Cores may disagree by a few ticks: the next segment corrects that. */
	uint64_t passed = now - tracer->last_ticks;
	node->self_wall += passed;
	if (xhprof_tracer_mode_is_full(mode) && tracer->flags & XHPROF_TRACE_CPU) {
		node->self_cpu += passed;
	}
	if (mode == XHPROF_MODE_ANY && tracer->flags & XHPROF_TRACE_CPU) {
		if (xhprof_cpu_clock_disturbed(&tracer->cpu, passed)) {
			now = xhprof_tracer_charge_cpu(tracer, node, now);
		} else {
			node->self_cpu += passed;
		}
	}
	if ((xhprof_tracer_mode_is_full(mode) || mode == XHPROF_MODE_ANY) && tracer->flags & XHPROF_TRACE_MEMORY) {
		if (mode == XHPROF_MODE_ANY && tracer->refresh_heap) {
			tracer->refresh_heap(tracer->heap);
		}
		xhprof_tracer_charge_memory(tracer, node);
	}
	tracer->last_ticks = now;
}

/* Charges everything up to this moment, in any mode. */
static inline void xhprof_tracer_close_segment(xhprof_tracer *tracer)
{
	xhprof_tracer_charge(tracer, XHPROF_MODE_ANY, xhprof_clock_ticks(&tracer->clock));
}

/* Returns whether this event needs XHPROF_MODE_ANY, in a full mode. */
XHPROF_HOT bool xhprof_tracer_disturbed(const xhprof_tracer *tracer, uint64_t now)
{
	return tracer->flags & XHPROF_TRACE_CPU && xhprof_cpu_clock_disturbed(&tracer->cpu, now - tracer->last_ticks);
}

/* Returns whether the times of calls are needed. */
XHPROF_HOT bool xhprof_tracer_timed(const xhprof_tracer *tracer, xhprof_tracer_mode mode)
{
	return mode == XHPROF_MODE_TIMELINE || mode == XHPROF_MODE_FULL_TIMELINE ||
		   (mode == XHPROF_MODE_ANY && tracer->flags & XHPROF_TRACE_TIMELINE);
}

/* Begins a call, as xhprof_tracer_begin_any() does, in a constant mode at `now`. */
XHPROF_HOT void xhprof_tracer_begin(xhprof_tracer *tracer, const void *identity, xhprof_symbol_ref symbol,
									unsigned count, xhprof_tracer_mode mode, uint64_t now)
{
	xhprof_tracer_charge(tracer, mode, now);
	xhprof_entry *entry = tracer->free;
	xhprof_node *caller = tracer->current;
	const xhprof_node *guess = caller->last_child;
	if (guess->symbol != symbol) {
		guess = guess->successor;
		if (__builtin_expect(guess->symbol != symbol, 0)) {
			xhprof_tracer_enter(tracer, identity, symbol, count);
			return;
		}
		caller->last_child = guess;
	}
	if (__builtin_expect(!entry, 0)) {
		xhprof_tracer_enter(tracer, identity, symbol, count);
		return;
	}
	xhprof_node *node = (xhprof_node *)guess; /* not xhprof_no_node: no call has its symbol */
	node->calls += count;
	tracer->free = entry->below;
	entry->frame = identity;
	entry->node = node;
	entry->below = tracer->top;
	tracer->top = entry;
	tracer->current = node;
	if (xhprof_tracer_timed(tracer, mode)) {
		entry->start = xhprof_tracer_last_time(tracer);
	}
}

/* Ends the top call. `tracer->top->frame` must be its identity. */
XHPROF_HOT void xhprof_tracer_end(xhprof_tracer *tracer, xhprof_tracer_mode mode, uint64_t now)
{
	xhprof_entry *entry = tracer->top;
	xhprof_tracer_charge(tracer, mode, now);
	tracer->top = entry->below;
	tracer->current = entry->below->node;
	entry->below = tracer->free;
	tracer->free = entry;
	if (xhprof_tracer_timed(tracer, mode)) {
		uint64_t duration = xhprof_tracer_last_time(tracer) - entry->start;
		if (__builtin_expect(duration >= tracer->timeline.threshold, 0)) {
			xhprof_tracer_keep(tracer, entry->node, tracer->current, entry->start, duration);
		}
	}
}

/* Begins a call. `identity`: the frame's address; `symbol`: reference of the function; `count`: 1, or 0 for a resumed
 * generator. */
static inline void xhprof_tracer_begin_any(xhprof_tracer *tracer, const void *identity, xhprof_symbol_ref symbol,
										   unsigned count)
{
	xhprof_tracer_begin(tracer, identity, symbol, count, XHPROF_MODE_ANY, xhprof_clock_ticks(&tracer->clock));
}

/* Ends the call of the frame `identity`. An end without a begin (of a frame that ran before the profile) is ignored. */
static inline void xhprof_tracer_end_any(xhprof_tracer *tracer, const void *identity)
{
	if (__builtin_expect(tracer->top->frame != identity, 0)) {
		xhprof_tracer_resync(tracer, identity);
		return;
	}
	xhprof_tracer_end(tracer, XHPROF_MODE_ANY, xhprof_clock_ticks(&tracer->clock));
}

#endif
