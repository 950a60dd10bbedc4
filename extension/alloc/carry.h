/* Sampled blocks that have outlived their request in a process that serves many of them, until they are freed. A
 * request is a turn here. A block that is still there after XHPROF_CARRY_TURNS further turns is kept: that is counted
 * once, and once more when it is freed later, so that what only changes hands, as in a full cache, adds up to nothing.
 *
 * The table is bounded. When it is full a random half of its blocks goes, and the others stand for twice as much: sums
 * stay right in the mean, whatever it holds. */
#ifndef XHPROF_ALLOC_CARRY_H
#define XHPROF_ALLOC_CARRY_H

#include "alloc_ledger.h"

/* Requests after which a block that lives on is kept: longer than answers wait to be sent, or work for the next request.
 * What the first ones of a process allocate does not count: they fill caches that stay. */
#define XHPROF_CARRY_TURNS 16u

#define XHPROF_CARRY_MOST 16384u /* blocks */

typedef struct xhprof_carried {
	uintptr_t address; /* 0: it was freed after it was kept, which is not counted yet */
	uint64_t bytes;    /* that it stands for */
	uint64_t blocks;   /* the same, in parts */
	uint32_t path;     /* the number of who allocated it; of an open request the node of the running profile */
	uint32_t turn;     /* its request's */
	uint32_t before, next;
	bool kept;
	const void *owner; /* its request, while that is one of several that are open; else NULL */
} xhprof_carried;

/* A list of entries: of those that are not kept yet by age, of kept ones that were freed, or of free places. */
typedef struct xhprof_carry_list {
	uint32_t first, last; /* 0: nothing */
} xhprof_carry_list;

typedef struct xhprof_carry {
	xhprof_carried *entries; /* from 1 on; NULL: there are none yet */
	uint32_t used;           /* entries that were ever in use */
	uint32_t count;          /* blocks in the table */
	xhprof_table by_address;
	xhprof_carry_list young, released, free, open;
	const void *owner; /* the open request to which what is sampled belongs; or NULL */
	uint8_t *places;   /* see the ledger's `sampled`: of these blocks, and of those that the running profile samples */
	/* The blocks that the running profile has sampled so far. */
	uintptr_t *noted;
	size_t noted_capacity, noted_count;
	uint32_t turn;     /* turns so far */
	uint32_t thinning; /* how often half of the blocks went: a new one is taken with 2^-thinning */
	uint64_t random;
	uint64_t dropped; /* blocks that cannot be followed to their end */
} xhprof_carry;

/* What becomes of a block: it is kept now, or was freed after it had been kept. */
typedef void (*xhprof_carry_visit)(void *context, const xhprof_carried *block);

/* Makes the table, unless it is there. False without memory. */
bool xhprof_carry_begin(xhprof_carry *carry);
void xhprof_carry_release(xhprof_carry *carry);

/* Forgets all blocks, as their heap is emptied; or their frees were not seen, and they count as dropped. */
void xhprof_carry_forget(xhprof_carry *carry, bool dropped);

/* Begins to note blocks anew. */
void xhprof_carry_note_none(xhprof_carry *carry);

/* Notes a block that is sampled. */
void xhprof_carry_note(xhprof_carry *carry, uintptr_t address);

/* Adds a noted block that is not freed, whose entry in `places` stays. `path` is not 0. */
void xhprof_carry_add(xhprof_carry *carry, uintptr_t address, xhprof_alloc_weight weight, uint32_t path);

/* Adds a block of the open request whose turn it is, as it is sampled. `node`: not 0. */
void xhprof_carry_add_open(xhprof_carry *carry, uintptr_t address, xhprof_alloc_weight weight, uint32_t node);

/* Ends an open request, or all of them with `owner` NULL: its blocks get the path that `path_of` returns for their node,
 * and go on as those that are added; 0: they do not. */
void xhprof_carry_close(xhprof_carry *carry, const void *owner, uint32_t (*path_of)(void *context, uint32_t node),
						void *context);

/* Follows nodes of the running profile that have moved. */
void xhprof_carry_moved(xhprof_carry *carry, const xhprof_shedding *shedding);

/* Ends a turn. Calls `kept` and `released` for each block that has become so since the last one. */
void xhprof_carry_end_turn(xhprof_carry *carry, xhprof_carry_visit kept, xhprof_carry_visit released, void *context);

/* Counts `places` anew, while nothing is sampled: blocks whose free was not seen leave them too large. */
void xhprof_carry_count_places(xhprof_carry *carry);

/* Calls `renumber` for the path of each block, and takes its answer; blocks for which it is 0 are dropped. */
void xhprof_carry_renumber(xhprof_carry *carry, uint32_t (*renumber)(void *context, uint32_t path), void *context);

/* Ends a block that may be here, as it is freed. */
void xhprof_carry_free(xhprof_carry *carry, uintptr_t address);

/* Returns whether this block is certainly not here. */
static inline bool xhprof_carry_lacks(const xhprof_carry *carry, uintptr_t address)
{
	return !carry->places[xhprof_alloc_ledger_entry(address)];
}

#endif
