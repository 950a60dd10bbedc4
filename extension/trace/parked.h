/* The parts of a profile. Jobs that take turns in one process are parts of one profile: they share a tracer, with its
 * clocks, names and settings, and the profile runs as long as any of them is open. Each has a call tree, calls, samples,
 * operations and a timeline of its own, and its own time, which stands still while another part runs. The tracer has the
 * members of the part that runs; those of the others are parked. */
#ifndef XHPROF_TRACE_PARKED_H
#define XHPROF_TRACE_PARKED_H

#include "tracer.h"

/* The members of a tracer that each part has of its own. */
#define XHPROF_PARKED_MEMBERS(MEMBER)     \
	MEMBER(xhprof_node *, current)        \
	MEMBER(xhprof_entry *, top)           \
	MEMBER(xhprof_calltree, tree)         \
	MEMBER(xhprof_table, fibers)          \
	MEMBER(xhprof_timeline, timeline)     \
	MEMBER(xhprof_sample_log, samples)    \
	MEMBER(xhprof_operations, operations) \
	MEMBER(xhprof_contexts, contexts)     \
	MEMBER(bool, shed_in_vain)            \
	MEMBER(bool, in_ticks)                \
	MEMBER(double, started)               \
	MEMBER(uint64_t, duration_ns)         \
	MEMBER(uint64_t, elapsed_ns)          \
	MEMBER(uint64_t, started_ticks)       \
	MEMBER(uint64_t, resyncs)             \
	MEMBER(uint64_t, lost_entries)

/* All zero at first. */
typedef struct xhprof_parked {
#define XHPROF_PARKED_MEMBER(type, name) type name;
	XHPROF_PARKED_MEMBERS(XHPROF_PARKED_MEMBER)
#undef XHPROF_PARKED_MEMBER
	uint64_t own_time, parked_at; /* when it was parked, ticks: of its own time, and of the clock */
	uint64_t away;                /* for how long it was parked, ticks */
	size_t size, peak;            /* of the heap then, bytes */
} xhprof_parked;

/* Parks the part that runs: the tracer has no part then, whatever its members are. */
void xhprof_parked_put(xhprof_parked *parked, xhprof_tracer *tracer);

/* Lets a part go on, while the tracer has none. Its own time goes on at the tracer's last event, as if it had not been
 * parked; the time away counts as elapsed. */
void xhprof_parked_take(xhprof_parked *parked, xhprof_tracer *tracer);

/* Drops what the part that runs has of its own, of which at most `keep` bytes stay mapped for the next one: the tracer has
 * no part then. */
void xhprof_parked_drop(xhprof_tracer *tracer, size_t keep);

/* Frees the memory of a part that has ended, whatever tracer it was of. */
void xhprof_parked_release(xhprof_parked *parked);

#endif
