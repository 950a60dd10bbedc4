#include "table.h"
#include "arena.h"
#include "hash.h"

#include <string.h>

#define FIRST_CAPACITY 256u  /* slots of one page, which a small profile empties at each request */
#define KEPT_CAPACITY 16384u /* xhprof_table_clear() keeps the pages of tables up to this size */

static uint32_t table_home(const xhprof_table *table, uint64_t key)
{
	return (uint32_t)(xhprof_hash_spread(key) >> table->shift);
}

static xhprof_table_slot *table_slot(const xhprof_table *table, uint64_t key)
{
	uint32_t mask = table->capacity - 1;
	uint32_t at = table_home(table, key);
	while (table->slots[at].key && table->slots[at].key != key) {
		at = (at + 1) & mask;
	}
	return &table->slots[at];
}

static bool table_grow(xhprof_table *table)
{
	xhprof_table grown = {0};
	grown.capacity = table->capacity ? table->capacity * 2 : FIRST_CAPACITY;
	grown.shift = table->capacity ? table->shift - 1 : 64 - 8;
	grown.used = table->used;
	if (!grown.capacity || !(grown.slots = xhprof_pages_map(xhprof_table_size(&grown)))) {
		return false;
	}
	for (uint32_t i = 0; i < table->capacity; i++) {
		if (table->slots[i].key) {
			*table_slot(&grown, table->slots[i].key) = table->slots[i];
		}
	}
	xhprof_table_release(table);
	*table = grown;
	return true;
}

void *xhprof_table_find(const xhprof_table *table, uint64_t key)
{
	return table->capacity ? table_slot(table, key)->value : NULL;
}

bool xhprof_table_reserve(xhprof_table *table)
{
	/* The table grows when 7/8 of its slots are used. One that cannot grow is used until one slot is left: the free slot
	 * ends every probe. */
	return (uint64_t)table->used * 8 < (uint64_t)table->capacity * 7 || table_grow(table) ||
		   (table->capacity && table->used + 1 < table->capacity);
}

bool xhprof_table_put(xhprof_table *table, uint64_t key, void *value)
{
	if (!xhprof_table_reserve(table)) {
		return false;
	}
	xhprof_table_slot *slot = table_slot(table, key);
	table->used += slot->key ? 0 : 1;
	slot->key = key;
	slot->value = value;
	return true;
}

void *xhprof_table_remove(xhprof_table *table, uint64_t key)
{
	if (!table->capacity) {
		return NULL;
	}
	xhprof_table_slot *slot = table_slot(table, key);
	void *value = slot->value;
	if (!slot->key) {
		return NULL;
	}
	/* Close the gap: move back every later entry of the run whose home is not after the gap. */
	uint32_t mask = table->capacity - 1;
	uint32_t gap = (uint32_t)(slot - table->slots);
	for (uint32_t at = (gap + 1) & mask; table->slots[at].key; at = (at + 1) & mask) {
		uint32_t home = table_home(table, table->slots[at].key);
		if (((at - home) & mask) >= ((at - gap) & mask)) {
			table->slots[gap] = table->slots[at];
			gap = at;
		}
	}
	table->slots[gap].key = 0;
	table->slots[gap].value = NULL;
	table->used--;
	return value;
}

static void table_empty(xhprof_table *table)
{
	memset(table->slots, 0, xhprof_table_size(table));
	table->used = 0;
}

void xhprof_table_clear(xhprof_table *table)
{
	if (!table->used) {
		return;
	}
	if (table->capacity > KEPT_CAPACITY) {
		xhprof_table_release(table);
	} else {
		table_empty(table);
	}
}

void xhprof_table_recycle(xhprof_table *table, size_t *budget)
{
	size_t bytes = xhprof_table_size(table);
	/* Emptying a large table with few entries costs more than mapping a new one. A table that is empty already is kept. */
	bool sparse = table->used && table->capacity > KEPT_CAPACITY && table->used < table->capacity / 16;
	if (bytes > *budget || sparse) {
		xhprof_table_release(table);
		return;
	}
	*budget -= bytes;
	if (table->used) {
		table_empty(table);
	}
}

void xhprof_table_release(xhprof_table *table)
{
	xhprof_pages_unmap(table->slots, xhprof_table_size(table));
	memset(table, 0, sizeof(*table));
}
