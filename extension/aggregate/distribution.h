/* A distribution of values: buckets of at most 1/32 of their value, so the middle of one is at most 1.6 % off. Two
 * distributions are added exactly. A usual route's durations take some fifty buckets. */
#ifndef XHPROF_AGGREGATE_DISTRIBUTION_H
#define XHPROF_AGGREGATE_DISTRIBUTION_H

#include "base/arena.h"

/* One more than the bucket of the largest value, 2^53 - 1. */
#define XHPROF_DISTRIBUTION_BUCKETS 1568u
#define XHPROF_DISTRIBUTION_LARGEST ((UINT64_C(1) << 53) - 1)

typedef struct xhprof_distribution_bucket {
	uint64_t bucket : 11;
	uint64_t count : 53; /* saturates */
} xhprof_distribution_bucket;

/* Returns the sum, which saturates at the largest number that JSON and PHP hold: numbers from files may be anything. */
uint64_t xhprof_distribution_sum(uint64_t a, uint64_t b);

/* Initially all zero. Ordered by bucket; their memory is the arena's. */
typedef struct xhprof_distribution {
	xhprof_distribution_bucket *buckets;
	uint32_t used, room;
} xhprof_distribution;

/* Returns the bucket of a value. Values below 32 have a bucket each; above, each power of two has 32. Larger values
 * than the largest count as that. Bucket b from 32 on begins at (32 + b % 32) << (b / 32 - 1) and holds 1 << (b / 32 -
 * 1) values: readers outside of the extension (XHProf\Stats\Buckets) know the same. */
uint32_t xhprof_distribution_bucket_of(uint64_t value);

/* Adds `count` values to a bucket below XHPROF_DISTRIBUTION_BUCKETS. False, and nothing counted, if the arena has no
 * memory or has mapped `most` bytes. */
bool xhprof_distribution_add(xhprof_distribution *distribution, uint32_t bucket, uint64_t count, xhprof_arena *arena,
							 size_t most);

#endif
