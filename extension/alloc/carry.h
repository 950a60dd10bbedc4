/* Sampled blocks that have outlived their request in a process that serves many of them, until they are freed. A
 * request is a turn here. A block that is still there after XHPROF_CARRY_TURNS further turns is kept: that is counted
 * once, and once more when it is freed later, so that what only changes hands, as in a full cache, adds up to nothing.
 *
 * A block that is reallocated goes on under its new address. What it grows by is sampled like an allocation of that size,
 * and counts for the path that allocated the block: a list that doubles from time to time, and a text that each request
 * adds to, keep what they grow by, and release nothing.
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
	uintptr_t address;           /* 0: it was freed after it was kept, which is not counted yet */
	xhprof_alloc_weight weight;  /* what it stands for */
	xhprof_alloc_weight counted; /* of that, what was counted as kept */
	uint32_t path; /* the number of who allocated it; of an open request the node of the running profile */
	uint32_t turn; /* its request's */
	uint32_t before, next;
	bool kept;
	bool resized;      /* after it was kept, which is not counted yet */
	bool lent;         /* `places` counts it for the running profile's ledger alone */
	const void *owner; /* its request, while that is open; else NULL */
} xhprof_carried;

/* A list of entries: of those that are not kept yet by age, of kept ones that were resized or freed, of those of open
 * requests, or of free places. */
typedef struct xhprof_carry_list {
	uint32_t first, last; /* 0: nothing */
} xhprof_carry_list;

typedef struct xhprof_carry {
	xhprof_carried *entries; /* from 1 on; NULL: there are none yet */
	uint32_t used;           /* entries that were ever in use */
	uint32_t count;          /* blocks in the table */
	xhprof_table by_address;
	xhprof_carry_list young, resized, released, free, open;
	const void *owner; /* of several open requests the one to which what is sampled belongs; or NULL */
	uint8_t *places;   /* see the ledger's `sampled`: of these blocks, and of those that the running profile samples */
	uint32_t turn;     /* turns so far */
	uint32_t thinning; /* how often half of the blocks went: a new one is taken with 2^-thinning */
	uint64_t random;
	uint64_t dropped; /* blocks that cannot be followed to their end */
} xhprof_carry;

/* What becomes of a block: so much more of it is kept now, or was freed after it had been kept. */
typedef void (*xhprof_carry_visit)(void *context, uint32_t path, xhprof_alloc_weight weight);

/* Makes the table, unless it is there. False without memory. */
bool xhprof_carry_begin(xhprof_carry *carry);
void xhprof_carry_release(xhprof_carry *carry);

/* Forgets all blocks, as their heap is emptied; or their frees were not seen, and they count as dropped. */
void xhprof_carry_forget(xhprof_carry *carry, bool dropped);

/* Adds a block of an open request, whose turn it is, as it is sampled. `node`: not 0. `lent`: the profile's ledger has
 * counted it in `places`. The request ends with xhprof_carry_close(). */
void xhprof_carry_add(xhprof_carry *carry, const void *owner, uintptr_t address, xhprof_alloc_weight weight,
					  uint32_t node, bool lent);

/* Adds to a block what was sampled of its growth; the same as above for one that is not here. */
void xhprof_carry_grow(xhprof_carry *carry, const void *owner, uintptr_t address, xhprof_alloc_weight weight,
					   uint32_t node, bool lent);

/* Follows a block that is reallocated: to another address or not, larger or smaller. Returns whether it is here. */
bool xhprof_carry_move(xhprof_carry *carry, uintptr_t from, uintptr_t to, size_t size_before, size_t size);

/* Makes the blocks of an open request another one's, and takes over the places that its profile's ledger has counted. */
void xhprof_carry_hand_over(xhprof_carry *carry, const void *from, const void *to);

/* Ends an open request, or all of them with `owner` NULL: its blocks get the path that `path_of` returns for their node,
 * and go on as those that are added; 0: they do not. `path_of` NULL: none of them does. */
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
