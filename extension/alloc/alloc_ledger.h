/* The ledger of the Zend heap: an allocation is credited to a node, and the same node is debited when it is freed. The
 * allocator's handlers call the inline functions. */
#ifndef XHPROF_ALLOC_LEDGER_H
#define XHPROF_ALLOC_LEDGER_H

#include "block_map.h"
#include "alloc_sampling.h"
#include "alloc_peak.h"

#include "trace/calltree.h"

typedef struct xhprof_alloc_ledger {
	xhprof_node_blocks *nodes; /* of the call tree, by id */
	uint32_t marks;            /* marks so far */
	xhprof_alloc_sampling sampling;
	xhprof_block_map map;
	uint64_t dropped_blocks, dropped_bytes;
	xhprof_alloc_peak peak; /* begun by those who know the size of the heap */
} xhprof_alloc_ledger;

/* `nodes`: of a tree that counts blocks, and lives as long as the ledger. False without memory. */
bool xhprof_alloc_ledger_begin(xhprof_alloc_ledger *ledger, bool by_pages, uint32_t max_blocks, uint64_t sample_bytes,
							   xhprof_node_blocks *nodes);
void xhprof_alloc_ledger_release(xhprof_alloc_ledger *ledger);

/* Later blocks are after one more mark; returns its number, from 1. Other threads read it. */
uint32_t xhprof_alloc_ledger_mark(xhprof_alloc_ledger *ledger);

/* Nodes of the tree have moved, with their numbers. */
void xhprof_alloc_ledger_moved(xhprof_alloc_ledger *ledger, const xhprof_shedding *shedding);

/* The slow paths. A sampled block is recorded with its weight; false: there was no room for it. */
bool xhprof_alloc_ledger_add_sampled(xhprof_alloc_ledger *ledger, uintptr_t address, size_t size, uint32_t node);
void xhprof_alloc_ledger_free_sampled(xhprof_alloc_ledger *ledger, xhprof_record record, size_t size);
void xhprof_alloc_ledger_drop(xhprof_alloc_ledger *ledger, size_t size);

/* All blocks are recorded: most of them by the first two, which call nothing; if they return false, by the others. */
static inline bool xhprof_alloc_ledger_add_fast(xhprof_alloc_ledger *ledger, uintptr_t address, size_t size,
												uint32_t node)
{
	if (__builtin_expect(!xhprof_block_map_add_fast(&ledger->map, address, size, (xhprof_record){node, ledger->marks}),
						 0)) {
		return false;
	}
	ledger->nodes[node].allocated_bytes += size;
	ledger->nodes[node].allocated_blocks++;
	return true;
}

static inline bool xhprof_alloc_ledger_free_fast(xhprof_alloc_ledger *ledger, uintptr_t address)
{
	if (__builtin_expect(!xhprof_block_window_has(&ledger->map.window, address), 0)) {
		return false;
	}
	const xhprof_block_page *page = xhprof_block_window_page(&ledger->map.window, address);
	if (__builtin_expect(!page->size, 0)) {
		return false;
	}
	xhprof_record *place = xhprof_block_map_record(page, address);
	uint32_t node = place->node;
	if (__builtin_expect(node != 0, 1)) {
		place->node = 0;
		ledger->map.room++;
		ledger->nodes[node].freed_bytes += page->size;
		ledger->nodes[node].freed_blocks++;
	}
	return true;
}

/* With sampling: whether this block is certainly not recorded. */
static inline bool xhprof_alloc_ledger_lacks_fast(const xhprof_alloc_ledger *ledger, uintptr_t address)
{
	return xhprof_block_window_has(&ledger->map.window, address) && address % XHPROF_ZMM_CHUNK_SIZE &&
		   !xhprof_block_window_page(&ledger->map.window, address)->size;
}

static inline void xhprof_alloc_ledger_add(xhprof_alloc_ledger *ledger, uintptr_t address, size_t size, uint32_t node)
{
	if (__builtin_expect(!xhprof_block_map_add(&ledger->map, address, size, (xhprof_record){node, ledger->marks}), 0)) {
		xhprof_alloc_ledger_drop(ledger, size);
		return;
	}
	ledger->nodes[node].allocated_bytes += size;
	ledger->nodes[node].allocated_blocks++;
}

static inline void xhprof_alloc_ledger_free(xhprof_alloc_ledger *ledger, uintptr_t address)
{
	xhprof_record record;
	size_t size = xhprof_block_map_remove(&ledger->map, address, &record);
	if (__builtin_expect(!size, 0)) {
		return; /* predates the tracking, or was not recorded */
	}
	if (__builtin_expect(ledger->sampling.mean != 0, 0)) {
		xhprof_alloc_ledger_free_sampled(ledger, record, size);
		return;
	}
	ledger->nodes[record.node].freed_bytes += size;
	ledger->nodes[record.node].freed_blocks++;
}

#endif
