#include "pool.h"

#include <string.h>

/* Returns the size of the pieces at a place. */
static size_t size_at(unsigned place)
{
	return place < XHPROF_POOL_STEPS ? (size_t)XHPROF_POOL_STEP * (place + 1)
									 : (size_t)XHPROF_POOL_STEP * XHPROF_POOL_STEPS << (place - XHPROF_POOL_STEPS + 1);
}

/* Returns the place of a size, or XHPROF_POOL_SIZES. */
static unsigned place_of(size_t size)
{
	unsigned place = size > XHPROF_POOL_STEP ? (unsigned)((size - 1) / XHPROF_POOL_STEP) : 0; /* of the small ones */
	place = place < XHPROF_POOL_STEPS ? place : XHPROF_POOL_STEPS;
	while (place < XHPROF_POOL_SIZES && size_at(place) < size) {
		place++;
	}
	return place;
}

void *xhprof_pool_take(xhprof_pool *pool, size_t size)
{
	unsigned place = place_of(size);
	if (place == XHPROF_POOL_SIZES) {
		return NULL;
	}
	void *piece = pool->free[place];
	if (!piece) {
		return xhprof_arena_alloc(&pool->arena, size_at(place), 8);
	}
	memcpy(&pool->free[place], piece, sizeof(piece));
	return memset(piece, 0, size_at(place));
}

void xhprof_pool_give(xhprof_pool *pool, void *piece, size_t size)
{
	unsigned place = place_of(size);
	if (piece && place < XHPROF_POOL_SIZES) {
		memcpy(piece, &pool->free[place], sizeof(piece));
		pool->free[place] = piece;
	}
}

void xhprof_pool_release(xhprof_pool *pool)
{
	xhprof_arena_release(&pool->arena);
	memset(pool, 0, sizeof(*pool));
}
