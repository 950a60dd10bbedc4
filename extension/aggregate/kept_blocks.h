/* What the requests of a process keep alive, by route and call path: sampled blocks that outlive their span by
 * XHPROF_CARRY_TURNS others. They are added up here and go to the window's data from time to time. */
#ifndef XHPROF_AGGREGATE_KEPT_BLOCKS_H
#define XHPROF_AGGREGATE_KEPT_BLOCKS_H

#include "aggregate_slot.h"

#include "alloc/carry.h"

/* The state of a process. All zero at first. */
typedef struct xhprof_kept_blocks {
	xhprof_merged *paths;         /* route ==> path of all carried blocks, which have its nodes' ids; or NULL */
	xhprof_merged *changes;       /* what was kept and released since the last time; or NULL */
	xhprof_aggregate_place place; /* that they belong to */
	uint32_t routes[XHPROF_CARRY_TURNS + 1]; /* by turn: ids of the routes' nodes in `paths`; 0: not followed */
	uint32_t turns;                          /* since the changes went to a window */
	bool changed;
} xhprof_kept_blocks;

/* Takes over the sampled blocks of a span whose samples end with this profile, and goes on under its route. */
void xhprof_kept_blocks_take(xhprof_kept_blocks *kept, const xhprof_counting *counting, const xhprof_tracer *profile);

/* The same for a span that is one of several in the running profile: its blocks have this owner (alloc/carry.h). */
void xhprof_kept_blocks_close(xhprof_kept_blocks *kept, const xhprof_counting *counting, const void *owner);

/* Forgets those of such a span, which is not counted. */
void xhprof_kept_blocks_drop(const void *owner);

/* Ends the turn of a span, which is counted for this place. */
void xhprof_kept_blocks_end(xhprof_kept_blocks *kept, const xhprof_counting *counting,
							const xhprof_aggregate_place *place);

/* Returns whether there are changes, and they belong to this slot's place. */
bool xhprof_kept_blocks_are_of(const xhprof_kept_blocks *kept, const xhprof_aggregate_slot *slot);

/* Returns whether the changes should go to a window now. */
bool xhprof_kept_blocks_due(const xhprof_kept_blocks *kept);

/* Adds the changes to the data of a window, which are not empty, if they are of its place; and to its journal, whose errno
 * is returned. */
int xhprof_kept_blocks_bring(xhprof_kept_blocks *kept, xhprof_aggregate_slot *slot);

/* Forgets all blocks, when PHP begins a request: the heap of the last one is empty. */
void xhprof_kept_blocks_rinit(xhprof_kept_blocks *kept);

/* Begins anew in a forked child. */
void xhprof_kept_blocks_forked(xhprof_kept_blocks *kept);
void xhprof_kept_blocks_release(xhprof_kept_blocks *kept);

#endif
