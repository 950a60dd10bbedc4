/* Blocks that are carried from one request to the next: against what has happened to each. */
#include "unit.h"

#include "alloc/carry.h"

#include <string.h>

typedef struct sums {
	uint64_t kept, kept_bytes, released, released_bytes, of_path[8];
} sums;

static void on_kept(void *context, uint32_t path, xhprof_alloc_weight weight)
{
	sums *all = context;
	all->kept++;
	all->kept_bytes += weight.bytes;
	all->of_path[path % 8] += weight.bytes;
}

static void on_released(void *context, uint32_t path, xhprof_alloc_weight weight)
{
	(void)path;
	sums *all = context;
	all->released++;
	all->released_bytes += weight.bytes;
}

static uint32_t same_path(void *context, uint32_t node)
{
	(void)context;
	return node;
}

static xhprof_alloc_weight bytes(uint64_t bytes)
{
	return (xhprof_alloc_weight){bytes, XHPROF_SAMPLING_UNIT};
}

static uintptr_t address_of(uint64_t number)
{
	return UINT64_C(0x7f0000000000) + number * 64;
}

static const int alone = 0;

/* A block of a request that ends at once. */
static void add(xhprof_carry *carry, uint64_t number, uint64_t size, uint32_t path)
{
	carry->places[xhprof_alloc_ledger_entry(address_of(number))]++; /* as the ledger does */
	xhprof_carry_add(carry, &alone, address_of(number), bytes(size), path, true);
	xhprof_carry_close(carry, &alone, same_path, NULL);
}

static void turns(xhprof_carry *carry, uint32_t count, sums *all)
{
	for (uint32_t i = 0; i < count; i++) {
		xhprof_carry_end_turn(carry, on_kept, on_released, all);
	}
}

static uint64_t places_in_use(const xhprof_carry *carry)
{
	uint64_t sum = 0;
	for (size_t i = 0; i < XHPROF_LEDGER_PLACES; i++) {
		sum += carry->places[i];
	}
	return sum;
}

static void blocks_are_kept_after_so_many_turns(void)
{
	xhprof_carry carry = {0};
	sums all = {0};
	CHECK(xhprof_carry_begin(&carry));
	add(&carry, 1, 100, 3);
	turns(&carry, XHPROF_CARRY_TURNS, &all);
	CHECK(all.kept == 0 && carry.count == 1);
	turns(&carry, 1, &all);
	CHECK(all.kept == 1 && all.kept_bytes == 100 && all.of_path[3] == 100);
	turns(&carry, 50, &all);
	CHECK(all.kept == 1 && all.released == 0 && carry.count == 1);
	CHECK(!xhprof_carry_lacks(&carry, address_of(1)));
	xhprof_carry_free(&carry, address_of(1));
	CHECK(xhprof_carry_lacks(&carry, address_of(1)));
	turns(&carry, 1, &all);
	CHECK(all.released == 1 && all.released_bytes == 100 && carry.count == 0);
	xhprof_carry_free(&carry, address_of(1)); /* it is gone */
	xhprof_carry_free(&carry, 0);
	turns(&carry, 1, &all);
	CHECK(all.released == 1);
	xhprof_carry_release(&carry);
}

static void blocks_that_are_freed_before_are_never_kept(void)
{
	xhprof_carry carry = {0};
	sums all = {0};
	CHECK(xhprof_carry_begin(&carry));
	for (uint32_t turn = 0; turn < 100; turn++) {
		for (uint32_t i = 0; i < 10; i++) {
			add(&carry, turn * 10 + i, 100, 1);
		}
		for (uint32_t i = 0; turn >= XHPROF_CARRY_TURNS && i < 10; i++) {
			xhprof_carry_free(&carry, address_of((turn - XHPROF_CARRY_TURNS) * 10 + i));
		}
		turns(&carry, 1, &all);
	}
	CHECK(all.kept == 0 && all.released == 0 && carry.count == XHPROF_CARRY_TURNS * 10);
	CHECK(places_in_use(&carry) == carry.count && carry.used <= (XHPROF_CARRY_TURNS + 1) * 10);
	xhprof_carry_release(&carry);
}

static void places_of_unseen_frees_are_taken_over(void)
{
	xhprof_carry carry = {0};
	sums all = {0};
	CHECK(xhprof_carry_begin(&carry));
	add(&carry, 1, 100, 1);
	turns(&carry, XHPROF_CARRY_TURNS + 1, &all);
	CHECK(all.kept == 1);
	add(&carry, 1, 300, 2); /* the kept one must have been freed */
	add(&carry, 1, 300, 2); /* and this one in the same request */
	turns(&carry, XHPROF_CARRY_TURNS + 1, &all);
	CHECK(all.released == 1 && all.released_bytes == 100 && all.kept == 2 && all.kept_bytes == 400);
	CHECK(carry.count == 1 && places_in_use(&carry) == 1);
	for (int i = 0; i < 2; i++) { /* of a request that goes on, which the ledger counts twice */
		carry.places[xhprof_alloc_ledger_entry(address_of(2))]++;
		xhprof_carry_add(&carry, &alone, address_of(2), bytes(100), 1, true);
	}
	xhprof_carry_close(&carry, &alone, same_path, NULL);
	CHECK(carry.count == 2 && places_in_use(&carry) == 3);
	xhprof_carry_count_places(&carry);
	CHECK(places_in_use(&carry) == 2);
	xhprof_carry_forget(&carry, true);
	CHECK(carry.dropped == 2 && carry.count == 0 && xhprof_carry_lacks(&carry, address_of(1)));
	xhprof_carry_release(&carry);
}

/* Ten times more blocks than fit: sums stay right in the mean, kept ones and those that are released later. */
static void full_table_stands_for_all(void)
{
	xhprof_carry carry = {0};
	sums all = {0};
	const uint64_t blocks = 10 * XHPROF_CARRY_MOST, per_turn = 1000;
	CHECK(xhprof_carry_begin(&carry));
	for (uint64_t i = 0; i < blocks; i++) {
		add(&carry, i, 100, 1 + i % 2);
		turns(&carry, i % per_turn == per_turn - 1, &all);
	}
	turns(&carry, XHPROF_CARRY_TURNS + 1, &all);
	double kept = (double)all.kept_bytes / (double)(blocks * 100);
	CHECK(carry.count <= XHPROF_CARRY_MOST && carry.used <= XHPROF_CARRY_MOST && carry.thinning > 0);
	CHECK(kept > 0.9 && kept < 1.1);
	CHECK(all.of_path[1] > all.of_path[2] * 9 / 10 && all.of_path[2] > all.of_path[1] * 9 / 10);
	for (uint64_t i = 0; i < blocks; i++) {
		xhprof_carry_free(&carry, address_of(i));
	}
	turns(&carry, 1, &all);
	double released = (double)all.released_bytes / (double)(blocks * 100);
	CHECK(released > 0.9 && released < 1.1 && carry.count == 0);
	printf("# kept %.3f, released %.3f of all\n", kept, released);
	CHECK(carry.dropped == 0);
	xhprof_carry_release(&carry);
}

static uint32_t odd_paths(void *context, uint32_t path)
{
	(void)context;
	return path % 2 ? path + 10 : 0;
}

static void paths_are_numbered_anew(void)
{
	xhprof_carry carry = {0};
	sums all = {0};
	CHECK(xhprof_carry_begin(&carry));
	for (uint32_t i = 1; i <= 6; i++) {
		add(&carry, i, i, i);
	}
	xhprof_carry_renumber(&carry, odd_paths, NULL);
	CHECK(carry.count == 3 && carry.dropped == 3);
	turns(&carry, XHPROF_CARRY_TURNS + 1, &all);
	CHECK(all.kept_bytes == 1 + 3 + 5 && all.of_path[11 % 8] == 1 && all.of_path[15 % 8] == 5);
	xhprof_carry_release(&carry);
}

/* Requests that are open at once: each block goes on with its own, when that ends. */
static void blocks_of_open_requests_wait_for_their_end(void)
{
	xhprof_carry carry = {0};
	sums all = {0};
	const int one = 0, other = 0;
	CHECK(xhprof_carry_begin(&carry));
	for (uint32_t i = 0; i < 6; i++) {
		xhprof_carry_add(&carry, i % 2 ? &one : &other, address_of(i), bytes(100), i + 1, false);
	}
	xhprof_carry_free(&carry, address_of(1));
	CHECK(carry.count == 5 && places_in_use(&carry) == 5);
	turns(&carry, 100, &all); /* of others: an open request may last */
	CHECK(all.kept == 0 && carry.count == 5);
	xhprof_carry_close(&carry, &one, odd_paths, NULL); /* nodes 4 and 6: no path */
	CHECK(carry.count == 3 && xhprof_carry_lacks(&carry, address_of(3)));
	xhprof_carry_add(&carry, &one, address_of(0), bytes(100), 1, false); /* unseen free */
	CHECK(carry.count == 3 && places_in_use(&carry) == 3);
	xhprof_carry_add(&carry, &other, address_of(0), bytes(100), 1, false);
	xhprof_carry_close(&carry, &other, odd_paths, NULL);
	turns(&carry, XHPROF_CARRY_TURNS + 1, &all);
	CHECK(all.kept == 3 && all.of_path[11 % 8] == 100 && all.of_path[13 % 8] == 100 && all.of_path[15 % 8] == 100);
	xhprof_carry_free(&carry, address_of(2));
	turns(&carry, 1, &all);
	CHECK(all.released == 1 && carry.count == 2 && places_in_use(&carry) == 2);
	xhprof_carry_add(&carry, &one, address_of(9), bytes(100), 2, false);
	xhprof_carry_close(&carry, NULL, odd_paths, NULL);
	CHECK(carry.count == 2);
	xhprof_carry_release(&carry);
}

/* A list that doubles, and a text that grows with each request: what they grow by is kept, and nothing is released. */
static void blocks_that_grow_keep_what_they_grow_by(void)
{
	xhprof_carry carry = {0};
	sums all = {0};
	CHECK(xhprof_carry_begin(&carry));
	add(&carry, 1, 100, 3);
	add(&carry, 2, 100, 4);
	turns(&carry, XHPROF_CARRY_TURNS, &all);
	CHECK(xhprof_carry_move(&carry, address_of(1), address_of(5), 100, 250)); /* before it is kept */
	xhprof_carry_grow(&carry, &alone, address_of(5), bytes(150), 6, false);
	CHECK(xhprof_carry_lacks(&carry, address_of(1)) && !xhprof_carry_lacks(&carry, address_of(5)));
	CHECK(!xhprof_carry_move(&carry, address_of(1), address_of(9), 100, 200));
	turns(&carry, 1, &all);
	CHECK(all.kept == 2 && all.kept_bytes == 350 && all.of_path[3] == 250 && carry.count == 2);
	for (uint64_t size = 250; size < 350; size += 10) { /* in each request, in place and elsewhere */
		uintptr_t to = address_of(5 + (size - 240) / 10 % 2);
		CHECK(xhprof_carry_move(&carry, address_of(5 + (size - 250) / 10 % 2), to, size, size + 10));
		xhprof_carry_grow(&carry, &alone, to, bytes(6), 6, false);
		xhprof_carry_grow(&carry, &alone, to, bytes(4), 6, false);
		turns(&carry, 1, &all);
	}
	CHECK(all.kept_bytes == 450 && all.of_path[3] == 350 && all.released == 0 && places_in_use(&carry) == 2);
	CHECK(xhprof_carry_move(&carry, address_of(5), address_of(5), 350, 70)); /* it shrinks */
	turns(&carry, 1, &all);
	CHECK(all.released_bytes == 280);
	CHECK(xhprof_carry_move(&carry, address_of(5), address_of(5), 70, 700));
	xhprof_carry_grow(&carry, &alone, address_of(5), bytes(630), 6, false);
	xhprof_carry_free(&carry, address_of(5)); /* what it grew by in this request was never kept */
	xhprof_carry_free(&carry, address_of(2));
	turns(&carry, 1, &all);
	CHECK(all.released_bytes == 450 && all.kept_bytes == 450 && carry.count == 0 && places_in_use(&carry) == 0);
	/* Of a block that was not sampled before it grew, what it grows by is all that is known. */
	xhprof_carry_grow(&carry, &alone, address_of(8), bytes(40), 5, false);
	CHECK(xhprof_carry_move(&carry, address_of(8), address_of(7), 1000, 500));
	xhprof_carry_add(&carry, &alone, address_of(8), bytes(10), 5, false);
	CHECK(xhprof_carry_move(&carry, address_of(7), address_of(8), 500, 500)); /* the other one's free was not seen */
	xhprof_carry_close(&carry, &alone, same_path, NULL);
	turns(&carry, XHPROF_CARRY_TURNS + 1, &all);
	CHECK(all.kept_bytes == 470 && carry.count == 1 && places_in_use(&carry) == 1);
	xhprof_carry_release(&carry);
}

/* Places that the ledger counts go over to the blocks, however the request ends. */
static void places_of_the_ledger_are_taken_over(void)
{
	xhprof_carry carry = {0};
	const int job = 0;
	CHECK(xhprof_carry_begin(&carry));
	for (uint64_t i = 1; i <= 4; i++) {
		carry.places[xhprof_alloc_ledger_entry(address_of(i))]++;
		xhprof_carry_add(&carry, &alone, address_of(i), bytes(100), (uint32_t)i, true);
	}
	CHECK(places_in_use(&carry) == 4);
	carry.places[xhprof_alloc_ledger_entry(address_of(1))]--; /* the ledger, as it is freed */
	xhprof_carry_free(&carry, address_of(1));
	carry.places[xhprof_alloc_ledger_entry(address_of(2))]--; /* and as it is reallocated */
	CHECK(xhprof_carry_move(&carry, address_of(2), address_of(6), 100, 200));
	CHECK(places_in_use(&carry) == 3 && carry.count == 3);
	xhprof_carry_hand_over(&carry, &alone, &job);
	xhprof_carry_free(&carry, address_of(3));
	xhprof_carry_close(&carry, &alone, same_path, NULL);
	CHECK(places_in_use(&carry) == 2 && carry.count == 2);
	xhprof_carry_close(&carry, &job, odd_paths, NULL); /* nodes 2 and 4: no path */
	CHECK(places_in_use(&carry) == 0 && carry.count == 0);
	xhprof_carry_release(&carry);
}

/* A full table, of which a part grows: the sum stays right in the mean. */
static void full_table_grows_by_all(void)
{
	xhprof_carry carry = {0};
	sums all = {0};
	const uint64_t blocks = 4 * XHPROF_CARRY_MOST;
	CHECK(xhprof_carry_begin(&carry));
	for (uint64_t i = 0; i < blocks; i++) {
		add(&carry, i, 100, 1);
	}
	turns(&carry, XHPROF_CARRY_TURNS + 1, &all);
	for (uint64_t i = 0; i < blocks; i++) {
		xhprof_carry_move(&carry, address_of(i), address_of(i), 100, 150);
		xhprof_carry_grow(&carry, &alone, address_of(i), bytes(50), 1, false);
	}
	xhprof_carry_close(&carry, &alone, same_path, NULL);
	turns(&carry, XHPROF_CARRY_TURNS + 1, &all);
	double kept = (double)(all.kept_bytes - all.released_bytes) / (double)(blocks * 150);
	CHECK(kept > 0.95 && kept < 1.05);
	printf("# kept %.3f of all\n", kept);
	xhprof_carry_release(&carry);
}

static void nothing_is_carried_without_memory(void)
{
	xhprof_carry carry = {0};
	for (int i = 0; i < 2; i++) {
		unit_mmaps = i;
		CHECK(!xhprof_carry_begin(&carry) && !carry.entries && !carry.places);
	}
	unit_mmaps = -1;
	sums all = {0};
	CHECK(xhprof_carry_begin(&carry));
	unit_mmaps = 0;
	add(&carry, 1, 100, 1);
	unit_mmaps = -1;
	CHECK(carry.count == 0 && carry.dropped == 1);
	turns(&carry, 20, &all);
	CHECK(all.kept == 0);
	xhprof_carry_release(&carry);
}

int main(void)
{
	blocks_are_kept_after_so_many_turns();
	blocks_that_are_freed_before_are_never_kept();
	places_of_unseen_frees_are_taken_over();
	full_table_stands_for_all();
	paths_are_numbered_anew();
	blocks_of_open_requests_wait_for_their_end();
	blocks_that_grow_keep_what_they_grow_by();
	places_of_the_ledger_are_taken_over();
	full_table_grows_by_all();
	nothing_is_carried_without_memory();
	return unit_end();
}
