#include "alloc_ledger.h"

#include <string.h>
#include <time.h>

/* A block whose free was not seen has ended all the same: another one has its place. */
static void ledger_displaced(void *context, xhprof_record record, size_t size)
{
	xhprof_alloc_ledger *ledger = context;
	if (ledger->sampling.mean) {
		xhprof_alloc_ledger_free_sampled(ledger, record, size);
	} else {
		ledger->nodes[record.node].freed_bytes += size;
		ledger->nodes[record.node].freed_blocks++;
	}
}

/* Different each time: the many requests of one program should sample different blocks. The address distinguishes
 * processes. */
static uint64_t make_seed(const void *address)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)(uintptr_t)address ^ ((uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec);
}

bool xhprof_alloc_ledger_begin(xhprof_alloc_ledger *ledger, bool by_pages, uint32_t max_blocks, uint64_t sample_bytes,
							   xhprof_node_blocks *nodes)
{
	xhprof_alloc_ledger_release(ledger);
	ledger->nodes = nodes;
	xhprof_alloc_sampling_begin(&ledger->sampling, sample_bytes, make_seed(nodes));
	return xhprof_block_map_begin(&ledger->map, by_pages, max_blocks, ledger_displaced, ledger);
}

void xhprof_alloc_ledger_release(xhprof_alloc_ledger *ledger)
{
	if (!ledger->nodes) { /* as in most requests, each of which asks */
		return;
	}
	xhprof_block_map_release(&ledger->map);
	xhprof_alloc_peak_release(&ledger->peak);
	memset(ledger, 0, sizeof(*ledger));
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
	if (!xhprof_block_map_add(&ledger->map, address, size, (xhprof_record){node, ledger->marks})) {
		xhprof_alloc_ledger_drop(ledger, size);
		return false;
	}
	xhprof_alloc_weight weight = xhprof_alloc_sampling_weight(&ledger->sampling, size);
	ledger->nodes[node].allocated_bytes += weight.bytes;
	ledger->nodes[node].allocated_blocks += weight.blocks;
	return true;
}

void xhprof_alloc_ledger_free_sampled(xhprof_alloc_ledger *ledger, xhprof_record record, size_t size)
{
	xhprof_alloc_weight weight = xhprof_alloc_sampling_weight(&ledger->sampling, size);
	ledger->nodes[record.node].freed_bytes += weight.bytes;
	ledger->nodes[record.node].freed_blocks += weight.blocks;
}
