#include "child_index.h"

#include "base/arena.h"

#include <string.h>

#define FIRST_CAPACITY 4096u  /* places of nodes are less than twice as many */
#define CAPACITY_STEP 512u    /* a page */
#define SMALL_CAPACITY 32768u /* empties faster than new pages come */

static size_t index_bytes(uint32_t capacity)
{
	return (size_t)capacity * sizeof(xhprof_child_slot);
}

void xhprof_child_index_add(xhprof_child_index *index, uint32_t key, int32_t place)
{
	xhprof_child_search search = xhprof_child_index_search(index, key);
	while (search.slot->place) {
		xhprof_child_index_next(index, key, &search);
	}
	xhprof_child_index_fill(index, search.slot, key, place);
}

/* Grows the index by half: a child takes 18 bytes at most. Most slots are in the order of their keys, so both tables
 * are passed through once. */
static bool index_grow(xhprof_child_index *index)
{
	uint64_t half = index->capacity / 2 / CAPACITY_STEP * CAPACITY_STEP;
	uint64_t capacity = index->capacity ? index->capacity + half : FIRST_CAPACITY;
	xhprof_child_index grown = {.capacity = (uint32_t)capacity};
	if (capacity > UINT32_MAX || !(grown.slots = xhprof_pages_populate(index_bytes(grown.capacity)))) {
		return false;
	}
	for (uint32_t i = 0; i < index->capacity; i++) {
		if (index->slots[i].place) {
			xhprof_child_index_add(&grown, index->slots[i].key, index->slots[i].place);
		}
	}
	xhprof_child_index_release(index);
	*index = grown;
	return true;
}

bool xhprof_child_index_reserve(xhprof_child_index *index)
{
	/* An index that cannot grow is used until one slot is left: the free slot ends every search. */
	return xhprof_child_index_has_room(index) || index_grow(index) ||
		   (index->capacity && index->used + 1 < index->capacity);
}

void xhprof_child_index_empty(xhprof_child_index *index)
{
	if (index->used) {
		memset(index->slots, 0, index_bytes(index->capacity));
		index->used = 0;
	}
}

void xhprof_child_index_recycle(xhprof_child_index *index, size_t *budget)
{
	size_t bytes = index_bytes(index->capacity);
	bool sparse = index->used && index->capacity > SMALL_CAPACITY && index->used < index->capacity / 16;
	if (bytes > *budget || sparse) {
		xhprof_child_index_release(index);
		return;
	}
	*budget -= bytes;
	xhprof_child_index_empty(index);
}

void xhprof_child_index_release(xhprof_child_index *index)
{
	xhprof_pages_unmap(index->slots, index_bytes(index->capacity));
	memset(index, 0, sizeof(*index));
}
