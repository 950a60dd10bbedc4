#include "alloc_peak.h"

#include <string.h>

#define GROWTH 32 /* by one part in this many */
#define LEAST_GROWTH ((size_t)128 * 1024)
#define FIRST_ROOM 4096

static size_t next_size(size_t size)
{
	return size + (size / GROWTH > LEAST_GROWTH ? size / GROWTH : LEAST_GROWTH);
}

void xhprof_alloc_peak_begin(xhprof_alloc_peak *peak, size_t size)
{
	peak->next = next_size(size);
	peak->size = 0;
	peak->count = 0;
}

void xhprof_alloc_peak_release(xhprof_alloc_peak *peak)
{
	xhprof_pages_unmap(peak->live, peak->capacity * sizeof(*peak->live));
	memset(peak, 0, sizeof(*peak));
	peak->next = SIZE_MAX;
}

static bool peak_room(xhprof_alloc_peak *peak, size_t nodes)
{
	size_t capacity = peak->capacity ? peak->capacity : FIRST_ROOM;
	if (nodes < peak->capacity) {
		return true;
	}
	while (capacity <= nodes) {
		capacity *= 2;
	}
	uint64_t *live = xhprof_pages_map(capacity * sizeof(*live));
	if (!live) {
		return false;
	}
	xhprof_pages_unmap(peak->live, peak->capacity * sizeof(*live));
	peak->live = live;
	peak->capacity = capacity;
	peak->size = 0;
	peak->count = 0;
	return true;
}

void xhprof_alloc_peak_take(xhprof_alloc_peak *peak, size_t size, const xhprof_node_blocks *blocks, uint32_t nodes)
{
	peak->next = next_size(size);
	if (!peak_room(peak, nodes)) {
		return;
	}
	for (uint32_t id = 1; id <= nodes; id++) {
		int64_t live = (int64_t)(blocks[id].allocated_bytes - blocks[id].freed_bytes); /* either may have wrapped */
		peak->live[id] = live > 0 ? (uint64_t)live : 0;
	}
	peak->size = size;
	peak->count = nodes;
}

xhprof_peak_bytes xhprof_alloc_peak_bytes(const xhprof_alloc_peak *peak)
{
	return (xhprof_peak_bytes){peak->live, peak->count};
}

/* Moves the bytes of nodes to their new ids. An id never grows, so what is written has been read. */
void xhprof_alloc_peak_moved(xhprof_alloc_peak *peak, const xhprof_shedding *shedding)
{
	for (uint32_t id = 1; id <= peak->count; id++) {
		uint64_t live = peak->live[id];
		peak->live[id] = 0;
		peak->live[xhprof_shedding_id(shedding, id)] += live;
	}
	peak->count = peak->count < shedding->tree->nodes ? peak->count : shedding->tree->nodes;
}

void xhprof_alloc_peak_charge(const xhprof_alloc_peak *peak, const xhprof_calltree *tree)
{
	for (uint32_t id = 1; id <= peak->count; id++) {
		xhprof_calltree_node(tree, id)->self_peak = (int64_t)peak->live[id];
	}
}
