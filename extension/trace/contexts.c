#include "contexts.h"

#include "base/hash.h"

#include <string.h>

#define FIRST_CONTEXTS 64

uint32_t xhprof_contexts_number(xhprof_contexts *contexts, const xhprof_trace_ids *ids)
{
	if (!xhprof_trace_ids_any(ids)) {
		return 0;
	}
	uint64_t hash = xhprof_hash_bytes(ids, sizeof(*ids), 1) | 1;
	uint32_t place = (uint32_t)(uintptr_t)xhprof_table_find(&contexts->places, hash);
	if (place && memcmp(&contexts->all[place - 1], ids, sizeof(*ids)) == 0) {
		return place;
	}
	/* Two with one hash replace each other: then one may have several numbers. */
	if (contexts->count == XHPROF_CONTEXTS_MAX ||
		(contexts->count == contexts->capacity &&
		 !xhprof_pages_double((void **)&contexts->all, sizeof(*contexts->all), &contexts->capacity, FIRST_CONTEXTS)) ||
		!xhprof_table_put(&contexts->places, hash, (void *)(uintptr_t)(contexts->count + 1))) {
		contexts->dropped++;
		return 0;
	}
	contexts->all[contexts->count++] = *ids;
	return contexts->count;
}

void xhprof_contexts_note_outer(xhprof_contexts *contexts, const xhprof_trace_ids *ids)
{
	if (!xhprof_trace_ids_any(&contexts->outer)) {
		contexts->outer = *ids;
	}
}

void xhprof_contexts_release(xhprof_contexts *contexts)
{
	xhprof_pages_unmap(contexts->all, contexts->capacity * sizeof(*contexts->all));
	xhprof_table_release(&contexts->places);
	memset(contexts, 0, sizeof(*contexts));
}
