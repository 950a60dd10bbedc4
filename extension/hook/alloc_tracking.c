#include "alloc_tracking.h"

#include "block_types.h"
#include "hook_alloc.h"
#include "native_alloc.h"

#include <sys/time.h>
#include <unistd.h>

/* The bytes that are reserved for the moment when memory runs out, and released then. */
#define RESERVE ((size_t)4 * 1024 * 1024)

static void keep_reserve(void)
{
	XHPROF_G(tracking).reserve = xhprof_pages_map(RESERVE);
	if (XHPROF_G(tracking).reserve) {
		memset(XHPROF_G(tracking).reserve, 1, RESERVE); /* touched, so that it is really there */
	}
}

static void release_reserve(void)
{
	xhprof_pages_unmap(XHPROF_G(tracking).reserve, RESERVE);
	XHPROF_G(tracking).reserve = NULL;
}

bool xhprof_alloc_tracking_start(const xhprof_alloc_tracking_options *options)
{
	uint32_t max_records = (uint32_t)XHPROF_G(ini).alloc_max_records;
	xhprof_alloc_tracking_release();
	if (options->at_limit) {
		keep_reserve();
	}
	if (!xhprof_alloc_types_begin(&XHPROF_G(tracking).types) ||
		!xhprof_hook_alloc_start(max_records, (uint64_t)XHPROF_G(ini).alloc_sample_bytes, options->by_stack, false,
								 options->at_limit)) {
		return false;
	}
	XHPROF_G(tracking).running = true;
	XHPROF_G(tracking).native = options->native && xhprof_native_start(max_records);
	return true;
}

/* Gives the sums over all nodes. Heap bytes that no node accounts for predate the tracking or were not recorded. */
static void heap_sums(xhprof_alloc_sums *sums)
{
	const xhprof_calltree *tree = &XHPROF_G(tracer).tree;
	sums->tracked = true;
	sums->size = zend_memory_usage(false);
	sums->peak = xhprof_heap_peak();
	for (uint32_t id = 1; tree->blocks && id <= tree->nodes; id++) {
		const xhprof_node_blocks *blocks = &tree->blocks[id];
		sums->allocated_bytes += blocks->allocated_bytes;
		sums->allocated_blocks += blocks->allocated_blocks / tree->block_unit;
		sums->freed_bytes += blocks->freed_bytes;
		sums->freed_blocks += blocks->freed_blocks / tree->block_unit;
	}
	uint64_t live = sums->allocated_bytes - sums->freed_bytes;
	if (!XHPROF_G(alloc).ledger.sampling.mean && sums->size > live) {
		sums->before_bytes = sums->size - live;
	}
}

static void take_sums(xhprof_alloc_sums sums[XHPROF_ALLOCATORS])
{
	memset(sums, 0, XHPROF_ALLOCATORS * sizeof(*sums));
	heap_sums(&sums[XHPROF_ALLOCATOR_ZEND]);
	xhprof_native_sums(&sums[XHPROF_ALLOCATOR_MALLOC]);
}

void xhprof_alloc_tracking_stop(void)
{
	XHPROF_G(tracking).running = false;
	xhprof_native_stop(); /* first: later allocations are not the program's */
	xhprof_hook_alloc_stop();
	release_reserve();
}

void xhprof_alloc_tracking_freeze(void)
{
	take_sums(XHPROF_G(tracking).at_end);
	XHPROF_G(tracking).frozen = true;
	xhprof_block_types_resolve(&XHPROF_G(tracking).types, &XHPROF_G(alloc).ledger.map);
}

void xhprof_alloc_tracking_release(void)
{
	xhprof_alloc_tracking_stop();
	xhprof_native_release();
	xhprof_hook_alloc_release();
	xhprof_alloc_types_release(&XHPROF_G(tracking).types);
	xhprof_mark_log_release(&XHPROF_G(tracking).marks);
	XHPROF_G(tracking).frozen = false;
}

bool xhprof_alloc_tracking_any(void)
{
	return XHPROF_G(tracking).running || XHPROF_G(tracking).frozen;
}

uint32_t xhprof_alloc_tracking_mark(void)
{
	xhprof_tracer *tracer = &XHPROF_G(tracer);
	uint32_t mark = xhprof_alloc_ledger_mark(&XHPROF_G(alloc).ledger);
	xhprof_mark_log_add(&XHPROF_G(tracking).marks, mark, zend_memory_usage(false));
	if (xhprof_tracer_in_timeline(tracer)) {
		uint64_t now = xhprof_tracer_time(tracer);
		xhprof_timeline_mark_at(&tracer->timeline, XHPROF_TIMELINE_ALLOC_MARK, mark, now, now);
	}
	return mark;
}

void xhprof_alloc_tracking_name_mark(uint32_t mark, uint32_t job)
{
	xhprof_mark_log_name(&XHPROF_G(tracking).marks, mark, job);
}

bool xhprof_alloc_tracking_dump(xhprof_alloc_dump *dump, const xhprof_alloc_dump_options *options)
{
	const xhprof_alloc_ledger *ledger = &XHPROF_G(alloc).ledger;
	struct timeval now;
	memset(dump, 0, sizeof(*dump));
	release_reserve();
	if (!XHPROF_G(tracking).frozen && options->by_types) {
		xhprof_block_types_resolve(&XHPROF_G(tracking).types, &XHPROF_G(alloc).ledger.map);
	}
	gettimeofday(&now, NULL);
	dump->tracer = &XHPROF_G(tracer);
	dump->types = &XHPROF_G(tracking).types;
	dump->sample_bytes = ledger->sampling.mean;
	dump->marks = ledger->marks;
	dump->mark_log = &XHPROF_G(tracking).marks;
	dump->peak = ledger->peak.size ? &ledger->peak : NULL;
	dump->frozen = XHPROF_G(tracking).frozen;
	dump->dropped_blocks = ledger->dropped_blocks;
	dump->dropped_bytes = ledger->dropped_bytes;
	dump->time = (double)now.tv_sec + (double)now.tv_usec / 1e6;
	dump->pid = (long)getpid();
	if (XHPROF_G(tracking).frozen) {
		memcpy(dump->sums, XHPROF_G(tracking).at_end, sizeof(dump->sums));
	} else {
		take_sums(dump->sums);
	}
	xhprof_block_map *map[XHPROF_ALLOCATORS] = {(xhprof_block_map *)&ledger->map, xhprof_native_lock()};
	dump->map_bytes = xhprof_block_map_bytes(map[XHPROF_ALLOCATOR_ZEND]) +
					  (map[XHPROF_ALLOCATOR_MALLOC] ? xhprof_block_map_bytes(map[XHPROF_ALLOCATOR_MALLOC]) : 0);
	bool taken = xhprof_alloc_dump_take(dump, map, options);
	xhprof_native_unlock();
	return taken;
}
