#include "names.h"

#include "base/hash.h"

#include <string.h>

#define MAX_NAMES 500000
#define MAX_BYTES ((size_t)128 << 20)

static xhprof_name *add_name(xhprof_names *names, const char *text, size_t length, xhprof_name *next, uint64_t key)
{
	if (names->count >= names->capacity &&
		!xhprof_pages_double((void **)&names->list, sizeof(*names->list), &names->capacity, 1024)) {
		return NULL;
	}
	xhprof_name *name = xhprof_arena_alloc(&names->arena, sizeof(*name) + length + 1, 8);
	if (!name || !xhprof_table_put(&names->table, key, name)) {
		return NULL;
	}
	memcpy(name->text, text, length);
	name->length = (uint32_t)length;
	name->next = next;
	name->id = (uint32_t)names->count;
	names->list[names->count++] = name;
	return name;
}

xhprof_name *xhprof_names_intern(xhprof_names *names, const char *text, size_t length)
{
	length = length < XHPROF_NAME_LENGTH ? length : XHPROF_NAME_LENGTH;
	if (names->count == 0) {
		static const char truncated[] = "(truncated)";
		if (!add_name(names, truncated, sizeof(truncated) - 1, NULL,
					  xhprof_hash_bytes(truncated, sizeof(truncated) - 1, 0))) {
			return NULL;
		}
	}
	uint64_t key = xhprof_hash_bytes(text, length, 0);
	xhprof_name *first = xhprof_table_find(&names->table, key);
	for (xhprof_name *name = first; name; name = name->next) {
		if (name->length == length && memcmp(name->text, text, length) == 0) {
			return name;
		}
	}
	xhprof_name *added =
		names->count < MAX_NAMES && names->arena.mapped < MAX_BYTES ? add_name(names, text, length, first, key) : NULL;
	return added ? added : names->list[0];
}

void xhprof_names_release(xhprof_names *names)
{
	xhprof_arena_release(&names->arena);
	xhprof_table_release(&names->table);
	xhprof_pages_unmap(names->list, names->capacity * sizeof(*names->list));
	memset(names, 0, sizeof(*names));
}
