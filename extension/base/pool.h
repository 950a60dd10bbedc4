/* Small pieces of memory of the profiler itself, which are given back one by one: sizes are rounded up, small ones to
 * multiples of 32 bytes and others to powers of two, and a piece serves the next taker of its size. */
#ifndef XHPROF_BASE_POOL_H
#define XHPROF_BASE_POOL_H

#include "arena.h"

#define XHPROF_POOL_STEP 32u
#define XHPROF_POOL_STEPS 16u                       /* up to 512 bytes */
#define XHPROF_POOL_SIZES (XHPROF_POOL_STEPS + 11u) /* up to 1 MB */

/* All zero at first. */
typedef struct xhprof_pool {
	xhprof_arena arena;
	void *free[XHPROF_POOL_SIZES]; /* lists of pieces by size */
} xhprof_pool;

/* Returns zeroed memory of `size` bytes; NULL without memory, or where it is too much for a piece. */
void *xhprof_pool_take(xhprof_pool *pool, size_t size);

/* Gives a piece back (or NULL) that was taken with this size. */
void xhprof_pool_give(xhprof_pool *pool, void *piece, size_t size);

/* Frees all pieces. */
void xhprof_pool_release(xhprof_pool *pool);

#endif
