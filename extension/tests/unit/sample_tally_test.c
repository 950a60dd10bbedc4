/* The samples of a job: a count for each node, whatever their order; what has no room is counted as dropped. */
#include "unit.h"

#include "trace/sample_tally.h"

enum { NODES = 700 };

static xhprof_pool pool;
static xhprof_sample_tally tally = {.pool = &pool};

static const xhprof_tally_entry *entry_of(uint32_t node)
{
	const xhprof_tally_entry *found = NULL;
	for (uint32_t i = 0; i < tally.used; i++) {
		if (tally.entries[i].node == node) {
			if (found) {
				return NULL; /* twice */
			}
			found = &tally.entries[i];
		}
	}
	return found;
}

static void each_node_has_its_count(void)
{
	CHECK(!xhprof_sample_tally_any(&tally));
	uint64_t sum = 0;
	for (uint32_t round = 0; round < 3; round++) {
		for (uint32_t node = 1; node <= NODES; node++) {
			xhprof_sample_tally_add(&tally, node, node % 5 + 1);
			sum += node % 5 + 1;
		}
		for (uint32_t node = NODES; node; node -= 7) {
			xhprof_sample_tally_allocate(&tally, node, node * 100, 3);
		}
	}
	unsigned wrong = 0;
	for (uint32_t node = 1; node <= NODES; node++) {
		const xhprof_tally_entry *entry = entry_of(node);
		bool allocates = (NODES - node) % 7 == 0;
		wrong += !entry || entry->calls != 3 * (node % 5 + 1) ||
				 entry->allocated_bytes != (allocates ? node * 300 : 0) ||
				 entry->allocated_blocks != (allocates ? 9 : 0);
	}
	CHECK(wrong == 0 && tally.used == NODES && tally.samples == sum && tally.dropped == 0);
	CHECK(xhprof_sample_tally_any(&tally));
	CHECK(tally.entries[0].node == 1 && tally.entries[NODES - 1].node == NODES);
	tally.taken = tally.delayed = 4;
	xhprof_sample_tally_clear(&tally);
	CHECK(tally.pool == &pool && !tally.entries && !tally.used && !tally.samples && !tally.taken && !tally.delayed);
	CHECK(!xhprof_sample_tally_any(&tally));
}

static void memory_is_used_again(void)
{
	for (uint32_t node = 1; node <= NODES; node++) {
		xhprof_sample_tally_add(&tally, node, 1);
	}
	size_t mapped = pool.arena.mapped;
	for (int round = 0; round < 1000; round++) {
		xhprof_sample_tally_clear(&tally);
		for (uint32_t node = 1; node <= NODES; node++) {
			xhprof_sample_tally_add(&tally, node * 3, 1);
		}
	}
	CHECK(pool.arena.mapped == mapped && tally.samples == NODES);
	xhprof_sample_tally_clear(&tally);
}

static void a_job_is_small(void)
{
	for (uint32_t node = 1; node <= 5; node++) {
		xhprof_sample_tally_add(&tally, node, 1);
	}
	CHECK(tally.capacity * sizeof(*tally.entries) <= 256);
	xhprof_sample_tally_clear(&tally);
}

static void what_has_no_room_is_dropped(void)
{
	xhprof_sample_tally_add(&tally, 1, UINT32_MAX - 1);
	xhprof_sample_tally_add(&tally, 1, 2);
	CHECK(tally.samples == UINT32_MAX - 1 && tally.dropped == 2 && entry_of(1)->calls == UINT32_MAX - 1);
	xhprof_sample_tally_add(&tally, 1, 1);
	CHECK(tally.samples == UINT32_MAX && tally.dropped == 2);
	xhprof_sample_tally_add(&tally, 2, UINT64_MAX);
	CHECK(tally.samples == UINT32_MAX && tally.dropped == 1); /* modulo 2^64 */
	xhprof_sample_tally_clear(&tally);
	xhprof_pool_release(&pool);
	unit_mmaps = 0;
	xhprof_sample_tally_add(&tally, 1, 3);
	xhprof_sample_tally_allocate(&tally, 1, 1000, 1);
	CHECK(tally.used == 0 && tally.samples == 0 && tally.dropped == 3 && tally.blocks_dropped == 1);
	CHECK(xhprof_sample_tally_any(&tally));
	unit_mmaps = -1;
	xhprof_sample_tally_add(&tally, 1, 3);
	CHECK(tally.samples == 3 && tally.dropped == 3);
	/* A tally that cannot grow keeps what it has. */
	xhprof_sample_tally_clear(&tally);
	uint32_t node = 0;
	unit_mmaps = 0;
	while (!tally.dropped) {
		xhprof_sample_tally_add(&tally, ++node, 1);
	}
	unit_mmaps = -1;
	CHECK(node > 5 && tally.used == node - 1 && tally.samples == node - 1 && !entry_of(node));
	unsigned wrong = 0;
	for (uint32_t i = 1; i < node; i++) {
		wrong += !entry_of(i) || entry_of(i)->calls != 1;
	}
	CHECK(wrong == 0);
	xhprof_sample_tally_clear(&tally);
	xhprof_pool_release(&pool);
}

int main(void)
{
	each_node_has_its_count();
	memory_is_used_again();
	a_job_is_small();
	what_has_no_room_is_dropped();
	return unit_end();
}
