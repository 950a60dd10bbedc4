/* The choice of the blocks to record, if not all are: each byte allocated is a sample with the same small probability,
 * so a large block is nearly always taken and a small one seldom, which then stands for many. Sums of these weights are
 * unbiased, whatever the blocks' sizes. */
#ifndef XHPROF_ALLOC_SAMPLING_H
#define XHPROF_ALLOC_SAMPLING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define XHPROF_SAMPLING_UNIT 1024u /* parts of a block in `blocks` below */

typedef struct xhprof_alloc_sampling {
	uint64_t mean; /* bytes from one sample to the next; 0: every block is taken */
	int64_t until; /* bytes to the next sample */
	uint64_t random;
} xhprof_alloc_sampling;

/* The weight of a recorded block of this size. */
typedef struct xhprof_alloc_weight {
	uint64_t bytes;
	uint64_t blocks; /* in parts of a block, XHPROF_SAMPLING_UNIT to each */
} xhprof_alloc_weight;

/* Begins sampling. Any value may serve as the seed. */
void xhprof_alloc_sampling_begin(xhprof_alloc_sampling *sampling, uint64_t mean, uint64_t seed);

/* Returns the weight of a sampled block of this size: the bytes and blocks that it stands for. */
xhprof_alloc_weight xhprof_alloc_sampling_weight(const xhprof_alloc_sampling *sampling, size_t size);

/* Draws the distance to the next sample, after one was taken. */
void xhprof_alloc_sampling_next(xhprof_alloc_sampling *sampling);

/* Returns whether this block is sampled; if so, advances to the next sample. */
static inline bool xhprof_alloc_sampling_takes(xhprof_alloc_sampling *sampling, size_t size)
{
	sampling->until -= (int64_t)size;
	if (__builtin_expect(sampling->until > 0, 1)) {
		return false;
	}
	xhprof_alloc_sampling_next(sampling); /* from the end of the block: the distances are memoryless */
	return true;
}

#endif
