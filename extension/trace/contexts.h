/* The trace contexts of a profile: which spans of a distributed trace its samples and operations are of. Bounded: what
 * comes when the table is full has no context, and is counted. */
#ifndef XHPROF_TRACE_CONTEXTS_H
#define XHPROF_TRACE_CONTEXTS_H

#include "base/arena.h"
#include "base/table.h"
#include "base/trace_context.h"

#define XHPROF_CONTEXTS_MAX 65536u

/* Initially all zero. */
typedef struct xhprof_contexts {
	xhprof_trace_ids *all; /* in order of first use; pages */
	size_t capacity;
	uint32_t count;
	uint64_t dropped;       /* samples and operations whose context had no room */
	xhprof_table places;    /* hash of the ids -> the place + 1 of the last with that hash */
	xhprof_trace_ids outer; /* the outermost span that was seen first; or none */
} xhprof_contexts;

/* Returns the number of a context, from 1 on; 0 for none, or without room. */
uint32_t xhprof_contexts_number(xhprof_contexts *contexts, const xhprof_trace_ids *ids);

/* Notes the outermost span, unless one was noted before. */
void xhprof_contexts_note_outer(xhprof_contexts *contexts, const xhprof_trace_ids *ids);

/* Forgets all contexts, and frees their memory. */
void xhprof_contexts_release(xhprof_contexts *contexts);

#endif
