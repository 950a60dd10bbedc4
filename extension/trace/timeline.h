/* The timeline of a profile: the calls that lasted at least as long as a threshold (0: all), with their times, in the
 * order of their ends; the times in which each fiber ran; and marks.
 *
 * Times are ticks of the profile's own time, which stands still while the profiler itself works (tracer.h), so a call
 * lasts as long as its node's inclusive time grows by it. Calls that lasted less than the threshold are part of their
 * callers' time. When the log is full, the threshold is doubled and the calls that lasted less are dropped: the end of
 * a program is never lost. */
#ifndef XHPROF_TRACE_TIMELINE_H
#define XHPROF_TRACE_TIMELINE_H

#include "calltree.h"
#include "clock.h"
#include "shedding.h"

/* Value of `node` for an entry that is no call: a fiber ran from start to end. */
#define XHPROF_TIMELINE_FIBER UINT32_MAX

typedef struct xhprof_timeline_call {
	uint64_t start, duration; /* ticks */
	int64_t memory;           /* bytes in use at the call's end, with XHPROF_TRACE_MEMORY */
	uint32_t node;            /* id */
	uint32_t fiber; /* 0: the fiber that ran at the start of the profile; others are numbered as they are first seen */
} xhprof_timeline_call;

typedef enum xhprof_timeline_kind {
	XHPROF_TIMELINE_GC,         /* a run of the cycle collector; value: number of values that it has freed */
	XHPROF_TIMELINE_ALLOC_MARK, /* value: the number of the mark */
	XHPROF_TIMELINE_SPAN,       /* value: id of the symbol that is its name */
	XHPROF_TIMELINE_KINDS
} xhprof_timeline_kind;

/* Value of `end` for a mark that has not ended. */
#define XHPROF_TIMELINE_OPEN UINT64_MAX

typedef struct xhprof_timeline_mark {
	uint64_t start, end; /* ticks; equal for a moment */
	uint32_t kind;       /* xhprof_timeline_kind */
	uint32_t value;
} xhprof_timeline_mark;

/* Most marks of a timeline. */
#define XHPROF_TIMELINE_MARKS 65536u

typedef struct xhprof_timeline {
	uint64_t threshold;   /* ticks: calls that last at least as long are kept */
	uint64_t least;       /* ticks: the first threshold of a full log that kept every call */
	uint64_t start, end;  /* start and end of the profile, ticks */
	uint64_t fiber_since; /* ticks since which the running fiber has run */
	uint32_t fiber;       /* number of the running fiber */
	uint32_t fibers;      /* number of fibers seen, without the first */
	xhprof_timeline_call *calls;
	size_t used, capacity;
	uint64_t asked_ns; /* threshold at the start */
	uint32_t raised;   /* how often the threshold was doubled */
	uint64_t folded;   /* calls dropped, as their nodes were folded */
	xhprof_timeline_mark *marks;
	uint32_t mark_count;
	uint64_t marks_dropped;
} xhprof_timeline;

/* Makes room for so many calls. False without memory; then there is no timeline. */
bool xhprof_timeline_begin(xhprof_timeline *timeline, uint32_t max_calls);
void xhprof_timeline_release(xhprof_timeline *timeline);

static inline bool xhprof_timeline_recorded(const xhprof_timeline *timeline)
{
	return timeline->calls != NULL;
}

/* Starts the timeline at `now`, the first reading of a running clock. */
void xhprof_timeline_start(xhprof_timeline *timeline, const xhprof_clock *clock, uint64_t threshold_ns, uint64_t now);

/* Adds a call that has ended and lasted at least as long as the threshold. */
void xhprof_timeline_add(xhprof_timeline *timeline, const xhprof_timeline_call *call);

/* Follows nodes of the tree that have moved. Calls whose nodes were folded are dropped and counted. Their callees'
 * nodes were folded before, so no call stays without its caller. */
void xhprof_timeline_moved(xhprof_timeline *timeline, const xhprof_shedding *shedding);

/* Records that the running fiber has run until `now`, and that fiber `to` runs from then on. The caller numbers
 * fibers. */
void xhprof_timeline_switch(xhprof_timeline *timeline, uint32_t to, uint64_t now);

/* Adds a mark and returns its number, from 1, for xhprof_timeline_mark_end(); 0 if there was no room. */
uint32_t xhprof_timeline_mark_at(xhprof_timeline *timeline, xhprof_timeline_kind kind, uint32_t value, uint64_t start,
								 uint64_t end);

/* Ends the mark of this number. */
void xhprof_timeline_mark_end(xhprof_timeline *timeline, uint32_t mark, uint64_t end);

/* Returns indexes into `calls` in order of start, callers before callees. They are mapped pages of `*size` bytes, which
 * the caller unmaps; NULL without memory. */
uint32_t *xhprof_timeline_order(const xhprof_timeline *timeline, size_t *size);

#endif
