#include "sample_tally.h"

#include <string.h>

#define FIRST_ENTRIES 5u /* 160 of 256 bytes */

/* Makes room for one more entry. False without memory. */
static bool grow(xhprof_sample_tally *tally)
{
	uint32_t capacity = tally->capacity ? 2 * tally->capacity : FIRST_ENTRIES;
	xhprof_tally_entry *entries = xhprof_pool_take(tally->pool, capacity * sizeof(*entries));
	if (!entries) {
		return false;
	}
	if (tally->used) {
		memcpy(entries, tally->entries, tally->used * sizeof(*entries));
	}
	xhprof_pool_give(tally->pool, tally->entries, tally->capacity * sizeof(*entries));
	tally->entries = entries;
	tally->capacity = capacity;
	return true;
}

/* Returns the entry of a node, made if it is new; NULL without memory. The last ones are the likeliest. */
static xhprof_tally_entry *entry_of(xhprof_sample_tally *tally, uint32_t node)
{
	for (uint32_t i = tally->used; i-- > 0;) {
		if (tally->entries[i].node == node) {
			return &tally->entries[i];
		}
	}
	if (tally->used == tally->capacity && !grow(tally)) {
		return NULL;
	}
	xhprof_tally_entry *entry = &tally->entries[tally->used++];
	*entry = (xhprof_tally_entry){.node = node};
	return entry;
}

void xhprof_sample_tally_add(xhprof_sample_tally *tally, uint32_t node, uint64_t count)
{
	xhprof_tally_entry *entry = entry_of(tally, node);
	if (entry && count <= UINT32_MAX - entry->calls) {
		entry->calls += (uint32_t)count;
		tally->samples += count;
	} else {
		tally->dropped += count;
	}
}

void xhprof_sample_tally_allocate(xhprof_sample_tally *tally, uint32_t node, uint64_t bytes, uint64_t blocks)
{
	xhprof_tally_entry *entry = entry_of(tally, node);
	if (entry) {
		entry->allocated_bytes += bytes;
		entry->allocated_blocks += blocks;
	} else {
		tally->blocks_dropped++;
	}
}

void xhprof_sample_tally_clear(xhprof_sample_tally *tally)
{
	xhprof_pool_give(tally->pool, tally->entries, tally->capacity * sizeof(*tally->entries));
	*tally = (xhprof_sample_tally){.pool = tally->pool};
}
