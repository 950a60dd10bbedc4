#include "distribution.h"

#include <string.h>

#define FINE_BITS 5
#define FINE (1u << FINE_BITS)
#define FIRST_ROOM 16u

uint64_t xhprof_distribution_sum(uint64_t a, uint64_t b)
{
	uint64_t sum;
	bool over = __builtin_add_overflow(a, b, &sum) || sum > XHPROF_DISTRIBUTION_LARGEST;
	return over ? XHPROF_DISTRIBUTION_LARGEST : sum;
}

uint32_t xhprof_distribution_bucket_of(uint64_t value)
{
	value = value < XHPROF_DISTRIBUTION_LARGEST ? value : XHPROF_DISTRIBUTION_LARGEST;
	if (value < FINE) {
		return (uint32_t)value;
	}
	uint32_t shift = 63u - (uint32_t)__builtin_clzll(value) - FINE_BITS;
	return (shift + 1) * FINE + ((uint32_t)(value >> shift) & (FINE - 1));
}

static uint32_t distribution_place(const xhprof_distribution *distribution, uint32_t bucket)
{
	uint32_t low = 0, high = distribution->used;
	while (low < high) {
		uint32_t middle = (low + high) / 2;
		if (distribution->buckets[middle].bucket < bucket) {
			low = middle + 1;
		} else {
			high = middle;
		}
	}
	return low;
}

/* Makes room for more buckets. The old memory stays in the arena: together at most as much as the new. */
static bool distribution_grow(xhprof_distribution *distribution, xhprof_arena *arena, size_t most)
{
	uint32_t room = distribution->room ? distribution->room * 2 : FIRST_ROOM;
	size_t size = room * sizeof(xhprof_distribution_bucket);
	xhprof_distribution_bucket *buckets = arena->mapped < most ? xhprof_arena_alloc(arena, size, 8) : NULL;
	if (!buckets) {
		return false;
	}
	if (distribution->used) {
		memcpy(buckets, distribution->buckets, distribution->used * sizeof(*buckets));
	}
	distribution->buckets = buckets;
	distribution->room = room;
	return true;
}

bool xhprof_distribution_add(xhprof_distribution *distribution, uint32_t bucket, uint64_t count, xhprof_arena *arena,
							 size_t most)
{
	uint32_t at = distribution_place(distribution, bucket);
	xhprof_distribution_bucket *buckets = distribution->buckets;
	if (at == distribution->used || buckets[at].bucket != bucket) {
		if (distribution->used == distribution->room && !distribution_grow(distribution, arena, most)) {
			return false;
		}
		buckets = distribution->buckets;
		memmove(buckets + at + 1, buckets + at, (distribution->used - at) * sizeof(*buckets));
		distribution->used++;
		buckets[at] = (xhprof_distribution_bucket){.bucket = bucket, .count = 0};
	}
	buckets[at].count = xhprof_distribution_sum(buckets[at].count, count);
	return true;
}
