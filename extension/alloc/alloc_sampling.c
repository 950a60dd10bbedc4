#include "alloc_sampling.h"

#include "base/hash.h"

#include <math.h>

void xhprof_alloc_sampling_begin(xhprof_alloc_sampling *sampling, uint64_t mean, uint64_t seed)
{
	sampling->mean = mean;
	sampling->random = xhprof_hash_mix(seed) | 1; /* similar seeds start far apart */
	if (mean) {
		xhprof_alloc_sampling_next(sampling);
	}
}

/* Returns the next random number, by xorshift64* of Marsaglia and Vigna: two lines, and better than needed here. */
static uint64_t next_random(xhprof_alloc_sampling *sampling)
{
	sampling->random ^= sampling->random >> 12;
	sampling->random ^= sampling->random << 25;
	sampling->random ^= sampling->random >> 27;
	return sampling->random * UINT64_C(0x2545F4914F6CDD1D);
}

void xhprof_alloc_sampling_next(xhprof_alloc_sampling *sampling)
{
	double uniform = ((double)(next_random(sampling) >> 11) + 1) / 9007199254740992.0; /* (0, 1] */
	double distance = -log(uniform) * (double)sampling->mean;
	sampling->until = distance < 1e18 ? (int64_t)distance + 1 : INT64_MAX / 4;
}

xhprof_alloc_weight xhprof_alloc_sampling_weight(const xhprof_alloc_sampling *sampling, size_t size)
{
	/* The probability that at least one of the block's bytes is a sample. */
	double taken = -expm1(-(double)size / (double)sampling->mean);
	return (xhprof_alloc_weight){(uint64_t)((double)size / taken + 0.5),
								 (uint64_t)(XHPROF_SAMPLING_UNIT / taken + 0.5)};
}
