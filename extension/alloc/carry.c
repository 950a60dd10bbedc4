#include "carry.h"

#include "base/hash.h"
#include "trace/clock.h"

#include <string.h>

#define ENTRIES_BYTES ((XHPROF_CARRY_MOST + 1) * sizeof(xhprof_carried))

bool xhprof_carry_begin(xhprof_carry *carry)
{
	if (carry->entries) {
		return true;
	}
	carry->entries = xhprof_pages_reserve(ENTRIES_BYTES);
	carry->places = xhprof_pages_map(XHPROF_LEDGER_PLACES);
	carry->random = xhprof_hash_mix((uint64_t)(uintptr_t)carry->entries ^ xhprof_clock_monotonic_ns()) | 1;
	if (!carry->entries || !carry->places) {
		xhprof_carry_release(carry);
		return false;
	}
	return true;
}

void xhprof_carry_release(xhprof_carry *carry)
{
	xhprof_pages_unmap(carry->entries, ENTRIES_BYTES);
	xhprof_pages_unmap(carry->places, XHPROF_LEDGER_PLACES);
	xhprof_table_release(&carry->by_address);
	memset(carry, 0, sizeof(*carry));
}

void xhprof_carry_forget(xhprof_carry *carry, bool dropped)
{
	if (!carry->entries) {
		return;
	}
	carry->dropped += dropped ? carry->count : 0;
	carry->used = carry->count = carry->thinning = carry->turn = 0;
	carry->young = carry->resized = carry->released = carry->free = carry->open = (xhprof_carry_list){0, 0};
	xhprof_table_clear(&carry->by_address);
	memset(carry->places, 0, XHPROF_LEDGER_PLACES);
}

static void list_add(xhprof_carry *carry, xhprof_carry_list *list, uint32_t at)
{
	carry->entries[at].before = list->last;
	carry->entries[at].next = 0;
	if (list->last) {
		carry->entries[list->last].next = at;
	} else {
		list->first = at;
	}
	list->last = at;
}

static void list_remove(xhprof_carry *carry, xhprof_carry_list *list, uint32_t at)
{
	const xhprof_carried *entry = &carry->entries[at];
	*(entry->before ? &carry->entries[entry->before].next : &list->first) = entry->next;
	*(entry->next ? &carry->entries[entry->next].before : &list->last) = entry->before;
}

static bool takes_half(xhprof_carry *carry)
{
	carry->random = xhprof_hash_mix(carry->random + UINT64_C(0x9E3779B97F4A7C15));
	return carry->random >> 63;
}

static void leave_place(xhprof_carry *carry, uintptr_t address)
{
	uint8_t *place = &carry->places[xhprof_alloc_ledger_entry(address)];
	*place -= *place && *place < UINT8_MAX;
}

/* Takes a block out of `places`, where the ledger does not do that. */
static void leave_own_place(xhprof_carry *carry, const xhprof_carried *entry)
{
	if (!entry->lent) {
		leave_place(carry, entry->address);
	}
}

static void enter_place(xhprof_carry *carry, uintptr_t address)
{
	uint8_t *place = &carry->places[xhprof_alloc_ledger_entry(address)];
	*place += *place < UINT8_MAX;
}

/* Takes a block out of the table, as if it had never been there. */
static void drop_entry(xhprof_carry *carry, uint32_t at)
{
	xhprof_carried *entry = &carry->entries[at];
	if (!entry->kept) {
		list_remove(carry, entry->owner ? &carry->open : &carry->young, at);
	} else if (!entry->address) {
		list_remove(carry, &carry->released, at);
	} else if (entry->resized) {
		list_remove(carry, &carry->resized, at);
	}
	if (entry->address) {
		xhprof_table_remove(&carry->by_address, entry->address);
		leave_own_place(carry, entry);
	}
	*entry = (xhprof_carried){.address = 0};
	list_add(carry, &carry->free, at);
	carry->count--;
}

/* Lets a random half of the blocks go. */
static void thin(xhprof_carry *carry)
{
	carry->thinning++;
	for (uint32_t at = 1; at <= carry->used; at++) {
		xhprof_carried *entry = &carry->entries[at];
		if (!entry->path) {
			continue;
		}
		if (takes_half(carry)) {
			entry->weight = (xhprof_alloc_weight){2 * entry->weight.bytes, 2 * entry->weight.blocks};
			entry->counted = (xhprof_alloc_weight){2 * entry->counted.bytes, 2 * entry->counted.blocks};
		} else {
			drop_entry(carry, at);
		}
	}
}

static uint32_t take_place(xhprof_carry *carry)
{
	uint32_t at = carry->free.first;
	if (at) {
		list_remove(carry, &carry->free, at);
		return at;
	}
	return carry->used < XHPROF_CARRY_MOST ? ++carry->used : 0;
}

/* Returns a place for a new block; 0: it is one of those that others stand for. */
static uint32_t choose_place(xhprof_carry *carry)
{
	for (uint32_t i = 0; i < carry->thinning; i++) {
		if (!takes_half(carry)) {
			return 0;
		}
	}
	uint32_t at = take_place(carry);
	if (!at) {
		thin(carry);
		at = takes_half(carry) ? take_place(carry) : 0;
	}
	return at;
}

static uint32_t find(const xhprof_carry *carry, uintptr_t address)
{
	return address ? (uint32_t)(uintptr_t)xhprof_table_find(&carry->by_address, address) : 0;
}

void xhprof_carry_add(xhprof_carry *carry, const void *owner, uintptr_t address, xhprof_alloc_weight weight,
					  uint32_t node, bool lent)
{
	xhprof_carry_free(carry, address); /* if it is here, its free was not seen */
	uint32_t at = choose_place(carry);
	if (!at) {
		return;
	}
	if (!xhprof_table_put(&carry->by_address, address, (void *)(uintptr_t)at)) {
		list_add(carry, &carry->free, at);
		carry->dropped++;
		return;
	}
	weight = (xhprof_alloc_weight){weight.bytes << carry->thinning, weight.blocks << carry->thinning};
	carry->entries[at] = (xhprof_carried){
		.address = address, .weight = weight, .path = node, .turn = carry->turn, .owner = owner, .lent = lent};
	if (!lent) {
		enter_place(carry, address);
	}
	list_add(carry, &carry->open, at);
	carry->count++;
}

static void mark_resized(xhprof_carry *carry, uint32_t at)
{
	xhprof_carried *entry = &carry->entries[at];
	if (entry->kept && !entry->resized) {
		entry->resized = true;
		list_add(carry, &carry->resized, at);
	}
}

void xhprof_carry_grow(xhprof_carry *carry, const void *owner, uintptr_t address, xhprof_alloc_weight weight,
					   uint32_t node, bool lent)
{
	uint32_t at = find(carry, address);
	if (!at) {
		xhprof_carry_add(carry, owner, address, weight, node, lent);
		return;
	}
	/* It stands for no other block here: what those grow by is added above, with a weight for all of them. */
	carry->entries[at].weight.bytes += weight.bytes;
	carry->entries[at].weight.blocks += weight.blocks;
	mark_resized(carry, at);
}

bool xhprof_carry_move(xhprof_carry *carry, uintptr_t from, uintptr_t to, size_t size_before, size_t size)
{
	uint32_t at = find(carry, from);
	if (!at) {
		return false;
	}
	xhprof_carried *entry = &carry->entries[at];
	if (to != from) {
		xhprof_carry_free(carry, to); /* if it is here, its free was not seen */
		if (!xhprof_table_put(&carry->by_address, to, (void *)(uintptr_t)at)) {
			drop_entry(carry, at);
			carry->dropped++;
			return true;
		}
		xhprof_table_remove(&carry->by_address, from);
	}
	leave_own_place(carry, entry);
	enter_place(carry, to);
	entry->lent = false; /* the ledger has ended the block */
	entry->address = to;
	if (size < size_before) {
		entry->weight.bytes = (uint64_t)((double)entry->weight.bytes * (double)size / (double)size_before);
		mark_resized(carry, at);
	}
	return true;
}

void xhprof_carry_hand_over(xhprof_carry *carry, const void *from, const void *to)
{
	for (uint32_t at = carry->open.first; at; at = carry->entries[at].next) {
		xhprof_carried *entry = &carry->entries[at];
		if (entry->owner == from) {
			entry->owner = to;
			entry->lent = false;
		}
	}
}

void xhprof_carry_close(xhprof_carry *carry, const void *owner, uint32_t (*path_of)(void *context, uint32_t node),
						void *context)
{
	for (uint32_t at = carry->open.first, next; at; at = next) {
		xhprof_carried *entry = &carry->entries[at];
		next = entry->next;
		if (owner && entry->owner != owner) {
			continue;
		}
		entry->lent = false; /* the ledger ends without its blocks */
		uint32_t path = path_of ? path_of(context, entry->path) : 0;
		if (!path) {
			drop_entry(carry, at);
			continue;
		}
		list_remove(carry, &carry->open, at);
		entry->owner = NULL;
		entry->path = path;
		entry->turn = carry->turn;
		list_add(carry, &carry->young, at);
	}
}

void xhprof_carry_moved(xhprof_carry *carry, const xhprof_shedding *shedding)
{
	for (uint32_t at = carry->open.first; at; at = carry->entries[at].next) {
		carry->entries[at].path = xhprof_shedding_id(shedding, carry->entries[at].path);
	}
}

void xhprof_carry_free(xhprof_carry *carry, uintptr_t address)
{
	uint32_t at = find(carry, address);
	if (!at) {
		return;
	}
	xhprof_carried *entry = &carry->entries[at];
	if (!entry->kept) {
		drop_entry(carry, at);
		return;
	}
	if (entry->resized) {
		list_remove(carry, &carry->resized, at);
		entry->resized = false;
	}
	xhprof_table_remove(&carry->by_address, address);
	leave_own_place(carry, entry);
	entry->address = 0;
	list_add(carry, &carry->released, at);
}

static xhprof_alloc_weight less(xhprof_alloc_weight a, xhprof_alloc_weight b)
{
	return (xhprof_alloc_weight){a.bytes > b.bytes ? a.bytes - b.bytes : 0,
								 a.blocks > b.blocks ? a.blocks - b.blocks : 0};
}

static bool is_nothing(xhprof_alloc_weight weight)
{
	return !weight.bytes && !weight.blocks;
}

/* Counts what has changed of a kept block. */
static void count_kept(xhprof_carried *entry, xhprof_carry_visit kept, xhprof_carry_visit released, void *context)
{
	xhprof_alloc_weight more = less(entry->weight, entry->counted), gone = less(entry->counted, entry->weight);
	if (!is_nothing(more)) {
		kept(context, entry->path, more);
	}
	if (!is_nothing(gone)) {
		released(context, entry->path, gone);
	}
	entry->counted = entry->weight;
}

void xhprof_carry_end_turn(xhprof_carry *carry, xhprof_carry_visit kept, xhprof_carry_visit released, void *context)
{
	carry->turn++;
	for (uint32_t at; (at = carry->released.first);) {
		released(context, carry->entries[at].path, carry->entries[at].counted);
		drop_entry(carry, at);
	}
	for (uint32_t at; (at = carry->resized.first);) {
		list_remove(carry, &carry->resized, at);
		carry->entries[at].resized = false;
		count_kept(&carry->entries[at], kept, released, context);
	}
	for (uint32_t at; (at = carry->young.first) && carry->turn - carry->entries[at].turn > XHPROF_CARRY_TURNS;) {
		list_remove(carry, &carry->young, at);
		carry->entries[at].kept = true;
		count_kept(&carry->entries[at], kept, released, context);
	}
}

void xhprof_carry_count_places(xhprof_carry *carry)
{
	memset(carry->places, 0, XHPROF_LEDGER_PLACES);
	for (uint32_t at = 1; at <= carry->used; at++) {
		if (carry->entries[at].address) {
			enter_place(carry, carry->entries[at].address);
		}
	}
}

void xhprof_carry_renumber(xhprof_carry *carry, uint32_t (*renumber)(void *context, uint32_t path), void *context)
{
	for (uint32_t at = 1; at <= carry->used; at++) {
		xhprof_carried *entry = &carry->entries[at];
		if (entry->owner) {
			continue;
		}
		uint32_t path = entry->path ? renumber(context, entry->path) : 0;
		if (path) {
			entry->path = path;
		} else if (entry->path) {
			drop_entry(carry, at);
			carry->dropped++;
		}
	}
}
