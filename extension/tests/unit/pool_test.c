/* Small pieces of memory that are given back one by one: each has its size, zeroed, and serves the next taker. */
#include "unit.h"

#include "base/pool.h"

#include <stdlib.h>

enum { PIECES = 2000, ROUNDS = 40000 };

static xhprof_pool pool; /* zeroed, as the module's globals are */

static bool is_filled(const unsigned char *piece, size_t size, unsigned char with)
{
	for (size_t i = 0; i < size; i++) {
		if (piece[i] != with) {
			return false;
		}
	}
	return true;
}

static void pieces_of_a_size_are_used_again(void)
{
	static const size_t sizes[] = {0, 1, 8, 31, 32, 33, 64, 511, 512, 513, 1024, 1025, 4096, 100000, 1u << 20};
	for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
		unsigned char *first = xhprof_pool_take(&pool, sizes[i]), *second = xhprof_pool_take(&pool, sizes[i]);
		CHECK(first && second && first != second && (uintptr_t)first % 8 == 0);
		CHECK(is_filled(first, sizes[i], 0) && is_filled(second, sizes[i], 0));
		memset(first, 0xA5, sizes[i]);
		memset(second, 0x5A, sizes[i]);
		CHECK(is_filled(first, sizes[i], 0xA5));
		xhprof_pool_give(&pool, first, sizes[i]);
		CHECK(is_filled(second, sizes[i], 0x5A));
		CHECK(xhprof_pool_take(&pool, sizes[i]) == first && is_filled(first, sizes[i], 0));
		xhprof_pool_give(&pool, second, sizes[i]);
		xhprof_pool_give(&pool, first, sizes[i]);
		CHECK(xhprof_pool_take(&pool, sizes[i]) == first && xhprof_pool_take(&pool, sizes[i]) == second);
		CHECK(is_filled(first, sizes[i], 0) && is_filled(second, sizes[i], 0));
	}
	xhprof_pool_release(&pool);
}

static void too_much_for_a_piece_is_refused(void)
{
	CHECK(!xhprof_pool_take(&pool, (1u << 20) + 1) && !xhprof_pool_take(&pool, SIZE_MAX));
	xhprof_pool_give(&pool, NULL, 0);
	xhprof_pool_give(&pool, NULL, 100);
	unit_mmaps = 0;
	CHECK(!xhprof_pool_take(&pool, 100));
	unit_mmaps = -1;
	unsigned char *piece = xhprof_pool_take(&pool, 100);
	CHECK(piece != NULL);
	xhprof_pool_release(&pool);
}

/* Pieces of random sizes, of which none may change while others come and go. */
static void pieces_do_not_overlap(void)
{
	static struct {
		unsigned char *piece, with;
		size_t size;
	} taken[PIECES];
	unsigned wrong = 0, missing = 0;
	srand(3);
	for (int round = 0; round < ROUNDS; round++) {
		int i = rand() % PIECES;
		if (taken[i].piece) {
			wrong += !is_filled(taken[i].piece, taken[i].size, taken[i].with);
			xhprof_pool_give(&pool, taken[i].piece, taken[i].size);
			taken[i].piece = NULL;
			continue;
		}
		taken[i].size = (size_t)rand() % (round % 10 ? 300 : 5000);
		taken[i].with = (unsigned char)(rand() % 255 + 1);
		taken[i].piece = xhprof_pool_take(&pool, taken[i].size);
		missing += !taken[i].piece;
		if (taken[i].piece) {
			wrong += !is_filled(taken[i].piece, taken[i].size, 0);
			memset(taken[i].piece, taken[i].with, taken[i].size);
		}
	}
	CHECK(wrong == 0 && missing == 0);
	size_t mapped = pool.arena.mapped;
	for (int i = 0; i < PIECES; i++) {
		xhprof_pool_give(&pool, taken[i].piece, taken[i].size);
	}
	for (int i = 0; i < PIECES; i++) { /* as many as there were of each size need nothing more */
		taken[i].piece = taken[i].piece ? xhprof_pool_take(&pool, taken[i].size) : NULL;
	}
	CHECK(pool.arena.mapped == mapped);
	xhprof_pool_release(&pool);
	CHECK(pool.arena.mapped == 0);
}

int main(void)
{
	pieces_of_a_size_are_used_again();
	too_much_for_a_piece_is_refused();
	pieces_do_not_overlap();
	return unit_end();
}
