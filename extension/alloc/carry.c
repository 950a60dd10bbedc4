#include "carry.h"

#include "base/hash.h"
#include "trace/clock.h"

#include <string.h>

#define ENTRIES_BYTES ((XHPROF_CARRY_MOST + 1) * sizeof(xhprof_carried))
#define FIRST_NOTED 512u
#define MOST_NOTED 65536u

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
	xhprof_pages_unmap(carry->noted, carry->noted_capacity * sizeof(*carry->noted));
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
	carry->noted_count = 0;
	carry->young = carry->released = carry->free = carry->open = (xhprof_carry_list){0, 0};
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

void xhprof_carry_note_none(xhprof_carry *carry)
{
	carry->noted_count = 0;
}

void xhprof_carry_note(xhprof_carry *carry, uintptr_t address)
{
	if (carry->noted_count == carry->noted_capacity &&
		(carry->noted_capacity == MOST_NOTED ||
		 !xhprof_pages_double((void **)&carry->noted, sizeof(*carry->noted), &carry->noted_capacity, FIRST_NOTED))) {
		carry->dropped++;
		return;
	}
	carry->noted[carry->noted_count++] = address;
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

/* Takes a block out of the table, as if it had never been there. */
static void drop_entry(xhprof_carry *carry, uint32_t at)
{
	xhprof_carried *entry = &carry->entries[at];
	if (!entry->kept) {
		list_remove(carry, entry->owner ? &carry->open : &carry->young, at);
	} else if (!entry->address) {
		list_remove(carry, &carry->released, at);
	}
	if (entry->address) {
		xhprof_table_remove(&carry->by_address, entry->address);
		leave_place(carry, entry->address);
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
			entry->bytes *= 2;
			entry->blocks *= 2;
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

/* Adds a block whose place is counted. */
static void add(xhprof_carry *carry, uintptr_t address, xhprof_alloc_weight weight, uint32_t path, const void *owner)
{
	for (uint32_t i = 0; i < carry->thinning; i++) {
		if (!takes_half(carry)) {
			leave_place(carry, address);
			return;
		}
	}
	uint32_t at = take_place(carry);
	if (!at) {
		thin(carry);
		if (!takes_half(carry)) {
			leave_place(carry, address);
			return;
		}
		at = take_place(carry);
	}
	if (!at || !xhprof_table_put(&carry->by_address, address, (void *)(uintptr_t)at)) {
		if (at) {
			list_add(carry, &carry->free, at);
		}
		leave_place(carry, address);
		carry->dropped++;
		return;
	}
	carry->entries[at] = (xhprof_carried){.address = address,
										  .bytes = weight.bytes << carry->thinning,
										  .blocks = weight.blocks << carry->thinning,
										  .path = path,
										  .turn = carry->turn,
										  .owner = owner};
	list_add(carry, owner ? &carry->open : &carry->young, at);
	carry->count++;
}

void xhprof_carry_add(xhprof_carry *carry, uintptr_t address, xhprof_alloc_weight weight, uint32_t path)
{
	uint32_t known = (uint32_t)(uintptr_t)xhprof_table_find(&carry->by_address, address);
	const xhprof_carried *entry = known ? &carry->entries[known] : NULL;
	if (entry && entry->turn == carry->turn && !entry->kept && !entry->owner) {
		return; /* noted twice, as it was freed and allocated again */
	}
	if (known) { /* its free was not seen */
		xhprof_carry_free(carry, address);
	}
	add(carry, address, weight, path, NULL);
}

void xhprof_carry_add_open(xhprof_carry *carry, uintptr_t address, xhprof_alloc_weight weight, uint32_t node)
{
	xhprof_carry_free(carry, address); /* if it is here, its free was not seen */
	uint8_t *place = &carry->places[xhprof_alloc_ledger_entry(address)];
	*place += *place < UINT8_MAX;
	add(carry, address, weight, node, carry->owner);
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
		uint32_t path = path_of(context, entry->path);
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
	uint32_t at = address ? (uint32_t)(uintptr_t)xhprof_table_find(&carry->by_address, address) : 0;
	if (!at) {
		return;
	}
	xhprof_carried *entry = &carry->entries[at];
	if (!entry->kept) {
		drop_entry(carry, at);
		return;
	}
	xhprof_table_remove(&carry->by_address, address);
	leave_place(carry, address);
	entry->address = 0;
	list_add(carry, &carry->released, at);
}

void xhprof_carry_end_turn(xhprof_carry *carry, xhprof_carry_visit kept, xhprof_carry_visit released, void *context)
{
	carry->turn++;
	for (uint32_t at; (at = carry->released.first);) {
		released(context, &carry->entries[at]);
		drop_entry(carry, at);
	}
	for (uint32_t at; (at = carry->young.first) && carry->turn - carry->entries[at].turn > XHPROF_CARRY_TURNS;) {
		list_remove(carry, &carry->young, at);
		carry->entries[at].kept = true;
		kept(context, &carry->entries[at]);
	}
}

void xhprof_carry_count_places(xhprof_carry *carry)
{
	memset(carry->places, 0, XHPROF_LEDGER_PLACES);
	for (uint32_t at = 1; at <= carry->used; at++) {
		if (carry->entries[at].address) {
			uint8_t *place = &carry->places[xhprof_alloc_ledger_entry(carry->entries[at].address)];
			*place += *place < UINT8_MAX;
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
