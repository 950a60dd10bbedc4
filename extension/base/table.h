/* Open-addressing map from a 64-bit key to a pointer, in pages of its own. Used for children of a call path, names,
 * fibers and folded edges. Key 0 is reserved for "empty". */
#ifndef XHPROF_BASE_TABLE_H
#define XHPROF_BASE_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct xhprof_table_slot {
	uint64_t key;
	void *value;
} xhprof_table_slot;

typedef struct xhprof_table {
	xhprof_table_slot *slots;
	uint32_t used;
	uint32_t capacity; /* slots, a power of two, or 0 */
	uint32_t shift;    /* 64 - log2(capacity) */
} xhprof_table;

/* Returns the number of bytes that the table's pages take. */
static inline size_t xhprof_table_size(const xhprof_table *table)
{
	return (size_t)table->capacity * sizeof(*table->slots);
}

/* Returns the value stored under `key`, or NULL. */
void *xhprof_table_find(const xhprof_table *table, uint64_t key);

/* Makes room for one more key; false without memory. */
bool xhprof_table_reserve(xhprof_table *table);

/* Stores `value` (not NULL) under `key`, replacing an older one. False without memory. */
bool xhprof_table_put(xhprof_table *table, uint64_t key, void *value);

/* Removes `key`; returns its value, or NULL. */
void *xhprof_table_remove(xhprof_table *table, uint64_t key);

/* Empties the table; a table that has grown large gives its pages back. */
void xhprof_table_clear(xhprof_table *table);
void xhprof_table_release(xhprof_table *table);

/* Empties the table. Its pages stay if they are at most `*budget` bytes, and are taken off that. */
void xhprof_table_recycle(xhprof_table *table, size_t *budget);

#endif
