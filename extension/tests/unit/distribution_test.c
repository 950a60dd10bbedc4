#include "unit.h"

#include "aggregate/distribution.h"

#include <stdlib.h>

/* The first value of a bucket, by the formula that readers use. */
static uint64_t begin_of(uint32_t bucket)
{
	return bucket < 32 ? bucket : (uint64_t)(32 + bucket % 32) << (bucket / 32 - 1);
}

static void buckets_are_fine_enough(void)
{
	unsigned bad = 0;
	for (uint32_t bucket = 0; bucket < XHPROF_DISTRIBUTION_BUCKETS; bucket++) {
		uint64_t first = begin_of(bucket), last = begin_of(bucket + 1) - 1;
		bad += xhprof_distribution_bucket_of(first) != bucket || xhprof_distribution_bucket_of(last) != bucket;
		bad += (double)(last - first) / 2 > (double)first / 50; /* the middle is at most 2 % off */
	}
	CHECK(bad == 0);
	CHECK(xhprof_distribution_bucket_of(XHPROF_DISTRIBUTION_LARGEST) == XHPROF_DISTRIBUTION_BUCKETS - 1);
	CHECK(xhprof_distribution_bucket_of(UINT64_MAX) == XHPROF_DISTRIBUTION_BUCKETS - 1);
}

static void counts_are_kept_in_order(void)
{
	xhprof_arena arena = {0};
	xhprof_distribution distribution = {0};
	static uint64_t expected[XHPROF_DISTRIBUTION_BUCKETS];
	unsigned bad = 0, used = 0;
	srand(1);
	for (int i = 0; i < 20000; i++) {
		uint32_t bucket = (uint32_t)rand() % 400 * 3;
		uint64_t count = (uint64_t)rand() % 5;
		expected[bucket] += count;
		bad += !xhprof_distribution_add(&distribution, bucket, count, &arena, SIZE_MAX);
	}
	for (uint32_t i = 0; i < distribution.used; i++) {
		bad += i && distribution.buckets[i].bucket <= distribution.buckets[i - 1].bucket;
		bad += distribution.buckets[i].count != expected[distribution.buckets[i].bucket];
		used += distribution.buckets[i].count != 0;
	}
	for (uint32_t i = 0; i < XHPROF_DISTRIBUTION_BUCKETS; i++) {
		used -= expected[i] != 0;
	}
	CHECK(bad == 0 && used == 0);
	CHECK(xhprof_distribution_add(&distribution, 3, XHPROF_DISTRIBUTION_LARGEST, &arena, SIZE_MAX));
	CHECK(xhprof_distribution_add(&distribution, 3, UINT64_MAX, &arena, SIZE_MAX));
	CHECK(distribution.buckets[1].bucket == 3 && distribution.buckets[1].count == XHPROF_DISTRIBUTION_LARGEST);
	xhprof_arena_release(&arena);
}

static void memory_is_bounded(void)
{
	xhprof_arena arena = {0};
	xhprof_distribution distribution = {0};
	CHECK(xhprof_distribution_add(&distribution, 1, 1, &arena, 1));
	unsigned refused = 0;
	for (uint32_t bucket = 0; bucket < 100; bucket++) {
		refused += !xhprof_distribution_add(&distribution, bucket, 1, &arena, 1);
	}
	/* What has a bucket is counted all the same. */
	CHECK(refused == 84 && distribution.used == 16 && distribution.buckets[1].count == 2);
	CHECK(xhprof_distribution_add(&distribution, 1, 1, &arena, 1) && distribution.buckets[1].count == 3);
	xhprof_arena_release(&arena);
	unit_mmaps = 0;
	distribution = (xhprof_distribution){0};
	CHECK(!xhprof_distribution_add(&distribution, 1, 1, &arena, SIZE_MAX) && distribution.used == 0);
	unit_mmaps = -1;
}

int main(void)
{
	buckets_are_fine_enough();
	counts_are_kept_in_order();
	memory_is_bounded();
	return unit_end();
}
