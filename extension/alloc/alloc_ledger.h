/* The ledger of the Zend heap: an allocation is credited to a node, and the same node is debited when it is freed. The
 * allocator's handlers call the inline functions. */
#ifndef XHPROF_ALLOC_LEDGER_H
#define XHPROF_ALLOC_LEDGER_H

#include "block_map.h"
#include "alloc_sampling.h"
#include "alloc_peak.h"

#include "trace/calltree.h"

/* Number of entries of `sampled`. Addresses that are 4 MB apart share an entry. */
#define XHPROF_LEDGER_PLACES 65536u

typedef struct xhprof_alloc_ledger {
	xhprof_node_blocks *nodes; /* blocks of the call tree's nodes, by id */
	uint32_t marks;            /* marks so far */
	xhprof_alloc_sampling sampling;
	/* With sampling: the bytes that can still be allocated before a sample is due or the heap may have reached a new
	 * peak, and how many were granted. Below 0 the ledger must be settled. */
	int64_t quiet, granted;
	/* With sampling: the number of recorded blocks by address in units of 64 bytes, in XHPROF_LEDGER_PLACES entries. An
	 * entry at its maximum stays there. Not NULL after the begin, as handlers may still read it when the tracking has
	 * ended. */
	uint8_t *sampled;
	bool shared; /* it is not the ledger's own */
	xhprof_block_map map;
	uint64_t dropped_blocks, dropped_bytes;
	xhprof_alloc_peak peak; /* begun by the caller, who knows the size of the heap */
} xhprof_alloc_ledger;

/* Begins an empty ledger. `nodes`: the blocks of a tree that counts them and lives as long as the ledger. False without
 * memory. */
bool xhprof_alloc_ledger_begin(xhprof_alloc_ledger *ledger, bool by_pages, uint32_t max_blocks, uint64_t sample_bytes,
							   xhprof_node_blocks *nodes);

/* Counts sampled blocks in entries that live longer than the ledger, as some of the blocks do (carry.h). */
void xhprof_alloc_ledger_share(xhprof_alloc_ledger *ledger, uint8_t *sampled);
void xhprof_alloc_ledger_release(xhprof_alloc_ledger *ledger);

/* Releases the ledger, but keeps at most `*budget` bytes of pages with records for the next begin. */
void xhprof_alloc_ledger_recycle(xhprof_alloc_ledger *ledger, size_t *budget);

/* Ends the recording. Handlers that are still called find no quiet bytes and no page, and take the slow path. */
void xhprof_alloc_ledger_close(xhprof_alloc_ledger *ledger);

/* With sampling, called when `quiet` is below 0. Settle brings `sampling` up to date, which may then be read and
 * changed. Grant takes a copy of the peak if `heap_size` is one, and sets the next quiet bytes. */
void xhprof_alloc_ledger_settle(xhprof_alloc_ledger *ledger);
void xhprof_alloc_ledger_grant(xhprof_alloc_ledger *ledger, size_t heap_size);

/* Makes a mark: blocks allocated from now on are after it. Returns its number, from 1, which other threads read. */
uint32_t xhprof_alloc_ledger_mark(xhprof_alloc_ledger *ledger);

/* Follows nodes of the tree that have moved and have new ids. */
void xhprof_alloc_ledger_moved(xhprof_alloc_ledger *ledger, const xhprof_shedding *shedding);

/* The slow paths of the functions below. A sampled block is recorded with its weight. Drop counts a block that had no
 * room. Add is false if there was none, and free if the block is not recorded. */
bool xhprof_alloc_ledger_add_sampled(xhprof_alloc_ledger *ledger, uintptr_t address, size_t size, uint32_t node);
bool xhprof_alloc_ledger_free_sampled(xhprof_alloc_ledger *ledger, uintptr_t address);
void xhprof_alloc_ledger_drop(xhprof_alloc_ledger *ledger, size_t size);

/* Record and free a block where all blocks are recorded. They call nothing and do most of the work; if one returns
 * false, the caller takes the function without "_fast". `*node` is read only when there is a place for the record: it
 * may be the node of a tracer that has ended. */
static inline bool xhprof_alloc_ledger_add_fast(xhprof_alloc_ledger *ledger, uintptr_t address, size_t size,
												xhprof_node *const *node)
{
	xhprof_record *place = xhprof_block_map_place(&ledger->map, address, size);
	if (__builtin_expect(!place, 0)) {
		return false;
	}
	uint32_t id = (*node)->id;
	*place = (xhprof_record){id, ledger->marks};
	ledger->nodes[id].allocated_bytes += size;
	ledger->nodes[id].allocated_blocks++;
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

static inline size_t xhprof_alloc_ledger_entry(uintptr_t address)
{
	return address / 64 % XHPROF_LEDGER_PLACES;
}

/* Returns, with sampling, whether this block is certainly not recorded. */
static inline bool xhprof_alloc_ledger_lacks(const xhprof_alloc_ledger *ledger, uintptr_t address)
{
	return !ledger->sampled[xhprof_alloc_ledger_entry(address)];
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
	if (ledger->sampling.mean) {
		if (!xhprof_alloc_ledger_lacks(ledger, address)) {
			xhprof_alloc_ledger_free_sampled(ledger, address);
		}
		return;
	}
	xhprof_record record;
	size_t size = xhprof_block_map_remove(&ledger->map, address, &record);
	if (__builtin_expect(!size, 0)) {
		return; /* predates the tracking, or was not recorded */
	}
	ledger->nodes[record.node].freed_bytes += size;
	ledger->nodes[record.node].freed_blocks++;
}

#endif
