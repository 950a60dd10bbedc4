#include "pool.h"

#include <string.h>

/* Returns the place of a size, or XHPROF_POOL_SIZES. */
static unsigned place_of(size_t size)
{
	unsigned place = 0;
	while (place < XHPROF_POOL_SIZES && (size_t)XHPROF_POOL_LEAST << place < size) {
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
		return xhprof_arena_alloc(&pool->arena, (size_t)XHPROF_POOL_LEAST << place, 8);
	}
	memcpy(&pool->free[place], piece, sizeof(piece));
	return memset(piece, 0, (size_t)XHPROF_POOL_LEAST << place);
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
