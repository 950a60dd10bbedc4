#include "alloc_types.h"

#include "base/hash.h"

#include <string.h>

#define FIRST_CAPACITY 256
#define OBJECT "object:"
#define OTHERS "object:(others)"

/* Adds a type and returns its id; XHPROF_TYPE_UNKNOWN without memory. */
static uint16_t types_add(xhprof_alloc_types *types, const char *prefix, size_t prefix_length, const char *name,
						  size_t length)
{
	if (types->count == types->capacity &&
		!xhprof_pages_double((void **)&types->types, sizeof(*types->types), &types->capacity, FIRST_CAPACITY)) {
		return XHPROF_TYPE_UNKNOWN;
	}
	char *copy = length < UINT32_MAX - 16 ? xhprof_arena_alloc(&types->arena, prefix_length + length + 1, 1) : NULL;
	if (!copy) {
		return XHPROF_TYPE_UNKNOWN;
	}
	memcpy(copy, prefix, prefix_length);
	memcpy(copy + prefix_length, name, length);
	types->types[types->count] = (xhprof_alloc_type){copy, (uint32_t)(prefix_length + length)};
	return (uint16_t)types->count++;
}

/* Returns the id of a name, and adds it if it is new. */
static uint16_t types_named(xhprof_alloc_types *types, const char *prefix, const char *name, size_t length)
{
	size_t prefix_length = strlen(prefix);
	uint64_t hash = xhprof_hash_append(xhprof_hash_append(0, prefix, prefix_length), name, length);
	uint16_t id = (uint16_t)(uintptr_t)xhprof_table_find(&types->names, hash);
	if (id) {
		const xhprof_alloc_type *type = &types->types[id];
		if (type->length == prefix_length + length && !memcmp(type->name, prefix, prefix_length) &&
			!memcmp(type->name + prefix_length, name, length)) {
			return id;
		}
	}
	if (types->count >= XHPROF_TYPES_MAX - 1) {
		bool full = types->count == XHPROF_TYPES_MAX;
		return full ? XHPROF_TYPES_MAX - 1 : types_add(types, "", 0, OTHERS, sizeof(OTHERS) - 1);
	}
	uint16_t added = types_add(types, prefix, prefix_length, name, length);
	if (added && !id) {
		xhprof_table_put(&types->names, hash, (void *)(uintptr_t)added);
	}
	return added;
}

bool xhprof_alloc_types_begin(xhprof_alloc_types *types)
{
	/* In the order of their ids. */
	static const char *const fixed[XHPROF_TYPE_OBJECTS] = {"(unknown)", "malloc", "string", "array", "reference"};
	memset(types, 0, sizeof(*types));
	for (uint32_t id = 0; id < XHPROF_TYPE_OBJECTS; id++) {
		types_add(types, "", 0, fixed[id], strlen(fixed[id]));
		if (types->count != id + 1) {
			xhprof_alloc_types_release(types);
			return false;
		}
	}
	return true;
}

void xhprof_alloc_types_release(xhprof_alloc_types *types)
{
	xhprof_arena_release(&types->arena);
	xhprof_table_release(&types->classes);
	xhprof_table_release(&types->names);
	xhprof_pages_unmap(types->types, types->capacity * sizeof(*types->types));
	memset(types, 0, sizeof(*types));
}

uint16_t xhprof_alloc_types_class(xhprof_alloc_types *types, const void *identity, const char *name, size_t length)
{
	uint16_t id = (uint16_t)(uintptr_t)xhprof_table_find(&types->classes, (uint64_t)(uintptr_t)identity);
	if (!id) {
		const char *end = memchr(name, 0, length);
		id = types_named(types, OBJECT, name, end ? (size_t)(end - name) : length);
		if (id) {
			xhprof_table_put(&types->classes, (uint64_t)(uintptr_t)identity, (void *)(uintptr_t)id);
		}
	}
	return id;
}

uint16_t xhprof_alloc_types_other(xhprof_alloc_types *types, const char *name)
{
	return types_named(types, "", name, strlen(name));
}
