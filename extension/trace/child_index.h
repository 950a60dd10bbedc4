/* Finds the child of a node for a symbol: an open-addressing table of 8 bytes a slot, in pages of its own.
 *
 * The children of nodes that were made one after the other are close to each other: a program makes and finds new paths
 * below those that it has just made, so the slots are in the cache. Where a place is crowded, as a node has very many
 * children, they are spread over the whole table. */
#ifndef XHPROF_TRACE_CHILD_INDEX_H
#define XHPROF_TRACE_CHILD_INDEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct xhprof_child_slot {
	uint32_t key;  /* together with the child's symbol it stands for one parent: no other comparison is needed */
	int32_t place; /* of the child, as the caller counts; 0: empty */
} xhprof_child_slot;

typedef struct xhprof_child_index {
	xhprof_child_slot *slots;
	uint32_t used;
	uint32_t capacity;
} xhprof_child_index;

#define XHPROF_CHILD_KEY_BITS 5     /* of the symbol, below the parent's id plus a number that the symbol gives */
#define XHPROF_CHILD_SPREAD_BITS 10 /* of that number */
#define XHPROF_CHILD_NEAR 16u       /* slots close to the parent's place that are tried first */

/* `parent_id` has at most 27 bits. */
static inline uint32_t xhprof_child_key(uint32_t parent_id, uint32_t symbol)
{
	uint32_t hash = symbol * UINT32_C(0x9E3779B1);
	uint32_t spread = hash >> (32 - XHPROF_CHILD_SPREAD_BITS);
	uint32_t bits = hash >> (32 - XHPROF_CHILD_SPREAD_BITS - XHPROF_CHILD_KEY_BITS);
	return (parent_id + spread) << XHPROF_CHILD_KEY_BITS | (bits & ((1u << XHPROF_CHILD_KEY_BITS) - 1));
}

/* A search: the slots for a key one after the other, until one is empty. */
typedef struct xhprof_child_search {
	xhprof_child_slot *slot;
	uint32_t near; /* slots left close to the parent's place */
} xhprof_child_search;

/* The index has an empty slot. */
static inline xhprof_child_search xhprof_child_index_search(const xhprof_child_index *index, uint32_t key)
{
	/* A slot and a half for each node; one child in the mean. */
	uint64_t place = (uint64_t)(key >> XHPROF_CHILD_KEY_BITS) * 3 / 2;
	return (xhprof_child_search){&index->slots[place < index->capacity ? place : place - index->capacity],
								 XHPROF_CHILD_NEAR};
}

static inline void xhprof_child_index_next(const xhprof_child_index *index, uint32_t key, xhprof_child_search *search)
{
	if (search->near && !--search->near) {
		uint32_t hash = (key ^ key >> 15) * UINT32_C(0x85EBCA6B);
		search->slot = &index->slots[(uint64_t)(hash ^ hash >> 13) * index->capacity >> 32];
	} else if (++search->slot == index->slots + index->capacity) {
		search->slot = index->slots;
	}
}

/* Whether there is room for one more child: the load is at most 2/3. */
static inline bool xhprof_child_index_has_room(const xhprof_child_index *index)
{
	return (uint64_t)index->used * 3 < (uint64_t)index->capacity * 2;
}

/* Makes room for one more child; false without memory. */
bool xhprof_child_index_reserve(xhprof_child_index *index);

/* Adds a child that is not in the index, where a search has found an empty slot. There was room, and nothing was added
 * since. */
static inline void xhprof_child_index_fill(xhprof_child_index *index, xhprof_child_slot *slot, uint32_t key,
										   int32_t place)
{
	*slot = (xhprof_child_slot){key, place};
	index->used++;
}

/* Asks for the part of the index that the children of this node, and of those made next, are put into: it was emptied
 * long ago. */
static inline void xhprof_child_index_prefetch(const xhprof_child_index *index, uint32_t id)
{
	uint64_t place = ((uint64_t)id + (1u << XHPROF_CHILD_SPREAD_BITS)) * 3 / 2;
	if (place < index->capacity) {
		__builtin_prefetch(&index->slots[place], 1);
	}
}

/* Adds a child that is not in the index, after a reserve. */
void xhprof_child_index_add(xhprof_child_index *index, uint32_t key, int32_t place);

/* Empties the index, which keeps its room. */
void xhprof_child_index_empty(xhprof_child_index *index);

/* Empties the index; its pages stay if `*budget` bytes go that far, and are taken off it. */
void xhprof_child_index_recycle(xhprof_child_index *index, size_t *budget);
void xhprof_child_index_release(xhprof_child_index *index);

#endif
