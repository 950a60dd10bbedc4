/* The index of the nodes' children: finds the child of a node for a symbol. It is an open-addressing table with slots
 * of 8 bytes, in pages of its own.
 *
 * The children of nodes that were made one after the other are close to each other in the table: a program makes and
 * finds new paths below those that it has just made, so their slots are in the cache. Where a place is crowded, as a
 * node has very many children, they are spread over the whole table. */
#ifndef XHPROF_TRACE_CHILD_INDEX_H
#define XHPROF_TRACE_CHILD_INDEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct xhprof_child_slot {
	uint32_t key;  /* with the child's symbol it identifies the parent: nothing else needs to be compared */
	int32_t place; /* the child, in units of the caller's; 0: the slot is empty */
} xhprof_child_slot;

typedef struct xhprof_child_index {
	xhprof_child_slot *slots;
	uint32_t used;
	uint32_t capacity;
} xhprof_child_index;

#define XHPROF_CHILD_KEY_BITS 5     /* bits of a key from the symbol; those above are the parent's id plus a spread */
#define XHPROF_CHILD_SPREAD_BITS 10 /* bits of that spread, which comes from the symbol too */
#define XHPROF_CHILD_NEAR 16u       /* slots close to the parent's place that are tried first */

/* Returns the key of a parent and a symbol. `parent_id` has at most 27 bits. */
static inline uint32_t xhprof_child_key(uint32_t parent_id, uint32_t symbol)
{
	uint32_t hash = symbol * UINT32_C(0x9E3779B1);
	uint32_t spread = hash >> (32 - XHPROF_CHILD_SPREAD_BITS);
	uint32_t bits = hash >> (32 - XHPROF_CHILD_SPREAD_BITS - XHPROF_CHILD_KEY_BITS);
	return (parent_id + spread) << XHPROF_CHILD_KEY_BITS | (bits & ((1u << XHPROF_CHILD_KEY_BITS) - 1));
}

/* A search through the slots that may have a key, until one is empty. */
typedef struct xhprof_child_search {
	xhprof_child_slot *slot;
	uint32_t near; /* slots left to try close to the parent's place */
} xhprof_child_search;

/* Begins a search. The index must have an empty slot. */
static inline xhprof_child_search xhprof_child_index_search(const xhprof_child_index *index, uint32_t key)
{
	/* A node has one child on average, and one and a half slots. */
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

/* Returns whether there is room for one more child: at most 2/3 of the slots are used. */
static inline bool xhprof_child_index_has_room(const xhprof_child_index *index)
{
	return (uint64_t)index->used * 3 < (uint64_t)index->capacity * 2;
}

/* Makes room for one more child; false without memory. */
bool xhprof_child_index_reserve(xhprof_child_index *index);

/* Adds a child that is not in the index at the empty slot that a search has found. The index had room, and nothing was
 * added since. */
static inline void xhprof_child_index_fill(xhprof_child_index *index, xhprof_child_slot *slot, uint32_t key,
										   int32_t place)
{
	*slot = (xhprof_child_slot){key, place};
	index->used++;
}

/* Prefetches the part of the index for the children of this node and of the next ones: it was emptied long ago and is
 * not in the cache. */
static inline void xhprof_child_index_prefetch(const xhprof_child_index *index, uint32_t id)
{
	uint64_t place = ((uint64_t)id + (1u << XHPROF_CHILD_SPREAD_BITS)) * 3 / 2;
	if (place < index->capacity) {
		__builtin_prefetch(&index->slots[place], 1);
	}
}

/* Adds a child that is not in the index, after xhprof_child_index_reserve(). */
void xhprof_child_index_add(xhprof_child_index *index, uint32_t key, int32_t place);

/* Empties the index, and keeps its slots. */
void xhprof_child_index_empty(xhprof_child_index *index);

/* Empties the index. Its pages stay if they are at most `*budget` bytes, and are taken off that. */
void xhprof_child_index_recycle(xhprof_child_index *index, size_t *budget);
void xhprof_child_index_release(xhprof_child_index *index);

#endif
