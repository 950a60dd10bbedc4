#include "unit.h"

#include "base/arena.h"
#include "base/scratch.h"
#include "base/table.h"

#include <stdlib.h>

static void arena_aligns_and_zeroes(void)
{
	xhprof_arena arena = {0};
	char *odd = xhprof_arena_alloc(&arena, 3, 1);
	char *line = xhprof_arena_alloc(&arena, 96, 64);
	CHECK(odd && line && (uintptr_t)line % 64 == 0 && line >= odd + 3);
	memset(odd, 0xff, 3);
	memset(line, 0xff, 96);
	/* Over many chunks, and one larger than any chunk. */
	for (int i = 0; i < 20000; i++) {
		memset(xhprof_arena_alloc(&arena, 100, 8), 0xee, 100);
	}
	char *large = xhprof_arena_alloc(&arena, 20 * 1024 * 1024, 64);
	CHECK(large && large[0] == 0 && large[20 * 1024 * 1024 - 1] == 0);
	CHECK(arena.mapped > 22 * 1024 * 1024);

	xhprof_arena_reset(&arena);
	size_t kept = arena.mapped;
	CHECK(kept <= 256 * 1024);
	int dirty = 0;
	for (int i = 0; i < 2000; i++) {
		char *again = xhprof_arena_alloc(&arena, 100, 8);
		for (int j = 0; j < 100; j++) {
			dirty |= again[j];
		}
	}
	CHECK(!dirty && arena.mapped == kept);
	xhprof_arena_release(&arena);
	CHECK(arena.mapped == 0 && arena.chunks == NULL);
	CHECK(xhprof_arena_alloc(&arena, 10, 8) != NULL);
	xhprof_arena_release(&arena);
}

/* The next user finds zeroed memory, and none is asked for. */
static void arena_is_taken_over(void)
{
	xhprof_arena arena = {0};
	size_t budget = 16 * 1024 * 1024;
	for (int round = 0; round < 3; round++) {
		int dirty = 0;
		for (int i = 0; i < 20000 - round * 100; i++) {
			char *bytes = xhprof_arena_alloc(&arena, 100, 8);
			for (int j = 0; j < 100; j++) {
				dirty |= bytes[j];
			}
			memset(bytes, 0xee, 100);
		}
		CHECK(!dirty);
		size_t left = budget, mapped = arena.mapped;
		xhprof_arena_recycle(&arena, &left);
		CHECK(left == budget - mapped && arena.mapped == 0 && arena.spare);
		unit_mmaps = 0;
	}
	unit_mmaps = -1;
	size_t less = 300 * 1024;
	xhprof_arena_recycle(&arena, &less);
	CHECK(less == 44 * 1024);                                   /* the first chunk is kept */
	CHECK(xhprof_arena_alloc(&arena, 1024 * 1024, 64) != NULL); /* does not fit into it */
	xhprof_arena_release(&arena);
	CHECK(arena.mapped == 0 && !arena.chunks && !arena.spare);
}

/* The system puts new pages terabytes away: others are found, on both sides, as long as they are close enough. */
static void arena_stays_within_reach(void)
{
	enum { MB = 1024 * 1024 };
	xhprof_arena arena = {.reach = (size_t)256 * MB};
	char *first = xhprof_arena_alloc(&arena, MB, 64);
	unit_mmap_place = (void *)((uintptr_t)first / 2 & ~(uintptr_t)0xfffff);
	int far = 0, below = 0, above = 0;
	for (int i = 0; i < 8; i++) {
		char *bytes = xhprof_arena_alloc(&arena, 7 * MB, 64);
		bytes[0] = bytes[7 * MB - 1] = 1;
		far += bytes > first ? bytes + 7 * MB > first + 256 * MB : bytes < first - 256 * MB;
		below += bytes < first;
		above += bytes > first;
	}
	CHECK(far == 0 && below + above == 8);
	xhprof_arena_release(&arena);
	arena.reach = 4 * MB;
	CHECK(xhprof_arena_alloc(&arena, MB, 64) != NULL); /* nothing is there that it could be far from */
	char *near = NULL;
	for (int i = 0; i < 8; i++) {
		near = xhprof_arena_alloc(&arena, 2 * MB, 64);
	}
	CHECK(near == NULL);
	unit_mmap_place = NULL;
	xhprof_arena_release(&arena);
}

/* Random puts, finds and removals against a plain array; the keys collide often. */
static void table_equals_a_plain_map(void)
{
	enum { KEYS = 4096, STEPS = 400000 };
	static void *model[KEYS];
	xhprof_table table = {0};
	int wrong = 0;
	unsigned used = 0;
	srand(42);
	for (int step = 0; step < STEPS; step++) {
		unsigned index = (unsigned)rand() % KEYS;
		uint64_t key = ((uint64_t)index + 1) << (index % 3 * 16); /* spread over the word, like ids in its halves */
		void *value = (void *)(uintptr_t)(step + 1);
		switch (rand() % 3) {
			case 0:
				wrong += !xhprof_table_put(&table, key, value);
				used += model[index] == NULL;
				model[index] = value;
				break;
			case 1:
				wrong += xhprof_table_remove(&table, key) != model[index];
				used -= model[index] != NULL;
				model[index] = NULL;
				break;
			default:
				wrong += xhprof_table_find(&table, key) != model[index];
		}
	}
	for (unsigned index = 0; index < KEYS; index++) {
		uint64_t key = ((uint64_t)index + 1) << (index % 3 * 16);
		wrong += xhprof_table_find(&table, key) != model[index];
	}
	CHECK(wrong == 0);
	CHECK(table.used == used);
	xhprof_table_clear(&table);
	CHECK(table.used == 0 && table.capacity > 0 && xhprof_table_find(&table, 1) == NULL);
	for (uint64_t key = 1; key <= 100000; key++) {
		xhprof_table_put(&table, key, &table);
	}
	xhprof_table_clear(&table);
	CHECK(table.capacity == 0);
	xhprof_table_release(&table);
}

static bool is_zero(const char *bytes, size_t size)
{
	for (size_t i = 0; i < size; i++) {
		if (bytes[i]) {
			return false;
		}
	}
	return true;
}

/* Takes pieces of these sizes, fills and gives them back; the number of pages that the system was asked for. */
static int take_all(xhprof_scratch *scratch, const size_t *sizes, size_t count)
{
	char *pieces[8];
	bool zeroed = true, aligned = true, apart = true;
	unit_mmaps = 1000;
	for (size_t i = 0; i < count; i++) {
		pieces[i] = xhprof_scratch_take(scratch, sizes[i]);
		zeroed = zeroed && pieces[i] && is_zero(pieces[i], sizes[i]);
		aligned = aligned && (uintptr_t)pieces[i] % 64 == 0;
		memset(pieces[i], (int)i + 1, sizes[i]);
	}
	for (size_t i = 0; i < count; i++) {
		apart = apart && pieces[i][0] == (char)(i + 1) && pieces[i][sizes[i] - 1] == (char)(i + 1);
		xhprof_scratch_give(scratch, pieces[i], sizes[i]);
	}
	int asked = 1000 - unit_mmaps;
	unit_mmaps = -1;
	CHECK(zeroed && aligned && apart);
	return asked;
}

static void scratch_stays(void)
{
	static const size_t sizes[] = {5, 56000, 4096, 1, 70000},
						large[] = {XHPROF_SCRATCH_MOST, 100, 2 * XHPROF_SCRATCH_MOST};
	xhprof_scratch scratch = {0};
	CHECK(take_all(NULL, sizes, 5) == 5);
	CHECK(take_all(&scratch, sizes, 5) == 5 && !scratch.size);
	CHECK(take_all(&scratch, sizes, 5) == 1); /* as many bytes as were needed at once */
	CHECK(take_all(&scratch, sizes, 5) == 0 && take_all(&scratch, sizes, 2) == 0);
	size_t size = scratch.size;
	CHECK(size >= 130000 && size < 140000);
	CHECK(take_all(&scratch, large, 3) ==
		  2); /* pages of their own: what does not fit, and what is larger than all that stays */
	CHECK(take_all(&scratch, large, 3) == 3 && scratch.size == XHPROF_SCRATCH_MOST);
	CHECK(take_all(&scratch, sizes, 5) == 0);
	CHECK(xhprof_scratch_trim(&scratch, XHPROF_SCRATCH_MOST) == XHPROF_SCRATCH_MOST && scratch.pages);
	CHECK(xhprof_scratch_trim(&scratch, XHPROF_SCRATCH_MOST - 1) == 0 && !scratch.pages);
	CHECK(take_all(&scratch, sizes, 5) == 5); /* from the start */
	xhprof_scratch_trim(&scratch, 0);
}

static bool scratch_stays_for(xhprof_scratch *scratch, int trims)
{
	for (int i = 0; i < trims; i++) {
		if (!xhprof_scratch_trim(scratch, XHPROF_SCRATCH_MOST)) {
			return false;
		}
	}
	return true;
}

/* A large run is rare in most workers: what only that needed does not stay for good. */
static void scratch_that_is_no_longer_needed_goes(void)
{
	static const size_t small[] = {100}, large[] = {XHPROF_SCRATCH_MOST / 2, XHPROF_SCRATCH_MOST / 8};
	xhprof_scratch scratch = {0};
	take_all(&scratch, large, 2);
	CHECK(take_all(&scratch, large, 2) == 1 && take_all(&scratch, large, 2) == 0);
	CHECK(scratch.size > XHPROF_SCRATCH_USUAL && scratch_stays_for(&scratch, XHPROF_SCRATCH_IDLE));
	CHECK(take_all(&scratch, large, 2) == 0); /* in time */
	CHECK(scratch_stays_for(&scratch, XHPROF_SCRATCH_IDLE));
	take_all(&scratch, small, 1);
	CHECK(!scratch_stays_for(&scratch, 1) && !scratch.pages);
	take_all(&scratch, small, 1);
	take_all(&scratch, small, 1);
	CHECK(scratch_stays_for(&scratch, 3 * XHPROF_SCRATCH_IDLE)); /* as few as these stay */
	xhprof_scratch_trim(&scratch, 0);
}

static void scratch_does_without_memory(void)
{
	xhprof_scratch scratch = {0};
	uint32_t *items = NULL;
	size_t capacity = 0;
	unit_mmaps = 0;
	CHECK(!xhprof_scratch_take(&scratch, 10) && !scratch.out);
	unit_mmaps = -1;
	for (int round = 0; round < 3; round++) {
		CHECK(xhprof_scratch_double(&scratch, (void **)&items, sizeof(*items), &capacity, 100) && capacity == 100);
		items[99] = 7;
		CHECK(xhprof_scratch_double(&scratch, (void **)&items, sizeof(*items), &capacity, 100) && capacity == 200);
		CHECK(items[99] == 7);
		items[199] = 7;
		xhprof_scratch_give(&scratch, items, capacity * sizeof(*items));
		xhprof_scratch_give(&scratch, NULL, 10);
		items = NULL;
		capacity = 0;
		CHECK(!scratch.out);
	}
	char *first = xhprof_scratch_take(&scratch, 100);
	unit_mmaps = 0;
	CHECK(first && !xhprof_scratch_take(&scratch, 100000) && scratch.out == 1); /* it does not fit, and no pages come */
	unit_mmaps = -1;
	xhprof_scratch_give(&scratch, first, 100);
	CHECK(!scratch.out);
	xhprof_scratch_trim(&scratch, 0);
}

int main(void)
{
	scratch_stays();
	scratch_that_is_no_longer_needed_goes();
	scratch_does_without_memory();
	arena_aligns_and_zeroes();
	arena_is_taken_over();
	arena_stays_within_reach();
	table_equals_a_plain_map();
	return unit_end();
}
