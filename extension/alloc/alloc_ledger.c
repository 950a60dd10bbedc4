#include "alloc_ledger.h"

#include "trace/clock.h"

#include <string.h>

static uint8_t none_sampled[XHPROF_LEDGER_PLACES]; /* never written: takes no memory */

/* Returns the entry of an address, in a map of its own that is made for the first sampled block: most requests have
 * none. NULL without memory. */
static uint8_t *sampled_entry(xhprof_alloc_ledger *ledger, uintptr_t address)
{
	if (ledger->sampled == none_sampled) {
		uint8_t *sampled = xhprof_pages_map(XHPROF_LEDGER_PLACES);
		if (!sampled) {
			return NULL;
		}
		ledger->sampled = sampled;
	}
	return &ledger->sampled[xhprof_alloc_ledger_entry(address)];
}

static void free_weight(xhprof_alloc_ledger *ledger, xhprof_record record, size_t size)
{
	xhprof_alloc_weight weight = xhprof_alloc_sampling_weight(&ledger->sampling, size);
	ledger->nodes[record.node].freed_bytes += weight.bytes;
	ledger->nodes[record.node].freed_blocks += weight.blocks;
}

/* Ends a block whose free was not seen, as another one has its place. Its address is no longer known, so it stays
 * counted in `sampled`, and blocks there are looked up in vain. */
static void ledger_displaced(void *context, xhprof_record record, size_t size)
{
	xhprof_alloc_ledger *ledger = context;
	if (ledger->sampling.mean) {
		free_weight(ledger, record, size);
	} else {
		ledger->nodes[record.node].freed_bytes += size;
		ledger->nodes[record.node].freed_blocks++;
	}
}

/* Makes a seed that differs each time, as the requests of one program should sample different blocks. The address
 * distinguishes processes. */
static uint64_t make_seed(const void *address)
{
	return (uint64_t)(uintptr_t)address ^ xhprof_clock_monotonic_ns();
}

bool xhprof_alloc_ledger_begin(xhprof_alloc_ledger *ledger, bool by_pages, uint32_t max_blocks, uint64_t sample_bytes,
							   xhprof_node_blocks *nodes)
{
	size_t all = SIZE_MAX;
	xhprof_alloc_ledger_recycle(ledger, &all);
	ledger->nodes = nodes;
	ledger->sampled = none_sampled;
	xhprof_alloc_sampling_begin(&ledger->sampling, sample_bytes, make_seed(nodes));
	return xhprof_block_map_begin(&ledger->map, by_pages, max_blocks, ledger_displaced, ledger);
}

void xhprof_alloc_ledger_share(xhprof_alloc_ledger *ledger, uint8_t *sampled)
{
	ledger->sampled = sampled;
	ledger->shared = true;
}

void xhprof_alloc_ledger_recycle(xhprof_alloc_ledger *ledger, size_t *budget)
{
	if (!ledger->nodes) { /* as in most requests, each of which asks */
		xhprof_arena_recycle(&ledger->map.arena, budget);
		return;
	}
	xhprof_block_map_recycle(&ledger->map, budget);
	xhprof_alloc_peak_release(&ledger->peak);
	if (ledger->sampled != none_sampled && !ledger->shared) {
		xhprof_pages_unmap(ledger->sampled, XHPROF_LEDGER_PLACES);
	}
	xhprof_arena arena = ledger->map.arena;
	memset(ledger, 0, sizeof(*ledger));
	ledger->map.arena = arena;
	ledger->sampled = none_sampled;
}

void xhprof_alloc_ledger_release(xhprof_alloc_ledger *ledger)
{
	size_t nothing = 0;
	xhprof_alloc_ledger_recycle(ledger, &nothing);
}

void xhprof_alloc_ledger_close(xhprof_alloc_ledger *ledger)
{
	xhprof_block_map_close(&ledger->map);
	ledger->quiet = INT64_MIN / 2;
}

void xhprof_alloc_ledger_settle(xhprof_alloc_ledger *ledger)
{
	ledger->sampling.until -= ledger->granted - ledger->quiet;
	ledger->granted = ledger->quiet = 0;
}

/* Sets how many bytes may be allocated before the next sample or the next peak. Frees make the heap smaller, so that it
 * cannot have grown by more than what was allocated. */
void xhprof_alloc_ledger_grant(xhprof_alloc_ledger *ledger, size_t heap_size)
{
	int64_t to_sample = ledger->sampling.until;
	size_t to_peak = ledger->peak.next > heap_size ? ledger->peak.next - heap_size : 0;
	ledger->granted = ledger->quiet = ((uint64_t)to_sample < to_peak ? to_sample : (int64_t)to_peak) - 1;
}

uint32_t xhprof_alloc_ledger_mark(xhprof_alloc_ledger *ledger)
{
	return __atomic_add_fetch(&ledger->marks, 1, __ATOMIC_RELAXED);
}

void xhprof_alloc_ledger_moved(xhprof_alloc_ledger *ledger, const xhprof_shedding *shedding)
{
	xhprof_block_map_moved(&ledger->map, shedding);
	xhprof_alloc_peak_moved(&ledger->peak, shedding);
}

void xhprof_alloc_ledger_drop(xhprof_alloc_ledger *ledger, size_t size)
{
	ledger->dropped_blocks++;
	ledger->dropped_bytes += size;
}

bool xhprof_alloc_ledger_add_sampled(xhprof_alloc_ledger *ledger, uintptr_t address, size_t size, uint32_t node)
{
	uint8_t *sampled = sampled_entry(ledger, address);
	if (!sampled || !xhprof_block_map_add(&ledger->map, address, size, (xhprof_record){node, ledger->marks})) {
		xhprof_alloc_ledger_drop(ledger, size);
		return false;
	}
	*sampled += *sampled < UINT8_MAX;
	xhprof_alloc_weight weight = xhprof_alloc_sampling_weight(&ledger->sampling, size);
	ledger->nodes[node].allocated_bytes += weight.bytes;
	ledger->nodes[node].allocated_blocks += weight.blocks;
	return true;
}

bool xhprof_alloc_ledger_free_sampled(xhprof_alloc_ledger *ledger, uintptr_t address)
{
	xhprof_record record;
	size_t size = xhprof_block_map_remove(&ledger->map, address, &record);
	if (size) {
		uint8_t *sampled = &ledger->sampled[xhprof_alloc_ledger_entry(address)];
		*sampled -= *sampled && *sampled < UINT8_MAX;
		free_weight(ledger, record, size);
	}
	return size != 0;
}
