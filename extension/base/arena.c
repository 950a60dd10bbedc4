#include "arena.h"

#include <string.h>
#include <sys/mman.h>

#define FIRST_CHUNK ((size_t)256 * 1024)
#define LARGEST_CHUNK ((size_t)8 * 1024 * 1024)
#define HUGE_PAGE ((size_t)2 * 1024 * 1024)

struct xhprof_arena_chunk {
	xhprof_arena_chunk *older;
	size_t size;
	char padding[48]; /* keeps the first allocation on a cache line of its own */
};

void *xhprof_pages_map(size_t size)
{
	void *pages = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	return pages == MAP_FAILED ? NULL : pages;
}

void *xhprof_pages_reserve(size_t size)
{
	void *pages = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	return pages == MAP_FAILED ? NULL : pages;
}

void xhprof_pages_unmap(void *pages, size_t size)
{
	if (pages) {
		munmap(pages, size);
	}
}

bool xhprof_pages_double(void **items, size_t item_size, size_t *capacity, size_t first)
{
	size_t grown_capacity = *capacity ? *capacity * 2 : first;
	void *grown = xhprof_pages_map(grown_capacity * item_size);
	if (!grown) {
		return false;
	}
	if (*items) {
		memcpy(grown, *items, *capacity * item_size);
		xhprof_pages_unmap(*items, *capacity * item_size);
	}
	*items = grown;
	*capacity = grown_capacity;
	return true;
}

static int arena_grow(xhprof_arena *arena, size_t need)
{
	size_t size = arena->chunks ? arena->chunks->size * 2 : FIRST_CHUNK;
	if (size > LARGEST_CHUNK) {
		size = LARGEST_CHUNK;
	}
	need += sizeof(xhprof_arena_chunk) + 64;
	while (size < need) {
		size *= 2;
	}
	xhprof_arena_chunk *chunk = xhprof_pages_map(size);
	if (!chunk) {
		return 0;
	}
#ifdef MADV_HUGEPAGE
	if (size >= HUGE_PAGE) {
		madvise(chunk, size, MADV_HUGEPAGE); /* all of it will be touched now */
	}
#endif
	chunk->older = arena->chunks;
	chunk->size = size;
	arena->chunks = chunk;
	arena->next = (char *)(chunk + 1);
	arena->end = (char *)chunk + size;
	arena->mapped += size;
	return 1;
}

void *xhprof_arena_alloc(xhprof_arena *arena, size_t size, size_t align)
{
	char *start = (char *)(((uintptr_t)arena->next + align - 1) & ~(uintptr_t)(align - 1));
	if (!arena->next || (size_t)(arena->end - start) < size || start > arena->end) {
		if (!arena_grow(arena, size)) {
			return NULL;
		}
		start = (char *)(((uintptr_t)arena->next + align - 1) & ~(uintptr_t)(align - 1));
	}
	arena->next = start + size;
	return start;
}

void xhprof_arena_reset(xhprof_arena *arena)
{
	xhprof_arena_chunk *chunk = arena->chunks;
	if (!chunk) {
		return;
	}
	size_t used = (size_t)(arena->next - (char *)(chunk + 1));
	while (chunk->older) {
		xhprof_arena_chunk *older = chunk->older;
		arena->mapped -= chunk->size;
		xhprof_pages_unmap(chunk, chunk->size);
		chunk = older;
		used = chunk->size - sizeof(*chunk);
	}
	arena->chunks = chunk;
	arena->next = (char *)(chunk + 1);
	arena->end = (char *)chunk + chunk->size;
	memset(arena->next, 0, used);
}

void xhprof_arena_release(xhprof_arena *arena)
{
	xhprof_arena_chunk *chunk = arena->chunks;
	while (chunk) {
		xhprof_arena_chunk *older = chunk->older;
		xhprof_pages_unmap(chunk, chunk->size);
		chunk = older;
	}
	memset(arena, 0, sizeof(*arena));
}
