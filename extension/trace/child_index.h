/* Finds the child of a node for a symbol: an open-addressing table of 8 bytes a slot, in pages of its own. */
#ifndef XHPROF_TRACE_CHILD_INDEX_H
#define XHPROF_TRACE_CHILD_INDEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct xhprof_child_slot {
	uint32_t hash; /* together with the child's symbol it stands for one parent: no other comparison is needed */
	int32_t place; /* of the child, as the caller counts; 0: empty */
} xhprof_child_slot;

typedef struct xhprof_child_index {
	xhprof_child_slot *slots;
	uint32_t used;
	uint32_t capacity;
} xhprof_child_index;

/* For one symbol different parents have different hashes: each step can be undone. */
static inline uint32_t xhprof_child_hash(uint32_t parent_id, uint32_t symbol)
{
	uint32_t hash = (parent_id ^ symbol * UINT32_C(0x9E3779B1)) * UINT32_C(0x85EBCA6B);
	hash ^= hash >> 15;
	return hash * UINT32_C(0xC2B2AE35);
}

/* The first slot for this hash, and the next; an empty one ends the search. The index has room, or is not empty. */
static inline xhprof_child_slot *xhprof_child_index_first(const xhprof_child_index *index, uint32_t hash)
{
	return &index->slots[(uint64_t)hash * index->capacity >> 32];
}

static inline xhprof_child_slot *xhprof_child_index_next(const xhprof_child_index *index, xhprof_child_slot *slot)
{
	return ++slot == index->slots + index->capacity ? index->slots : slot;
}

/* Makes room for one more child; false without memory. */
bool xhprof_child_index_reserve(xhprof_child_index *index);

/* Adds a child that is not in the index, after a reserve. */
void xhprof_child_index_add(xhprof_child_index *index, uint32_t hash, int32_t place);

/* Empties the index, which keeps its room. */
void xhprof_child_index_empty(xhprof_child_index *index);

/* Empties the index; its pages stay if `*budget` bytes go that far, and are taken off it. */
void xhprof_child_index_recycle(xhprof_child_index *index, size_t *budget);
void xhprof_child_index_release(xhprof_child_index *index);

#endif
