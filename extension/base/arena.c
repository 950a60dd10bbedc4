#include "arena.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>

#define FIRST_CHUNK ((size_t)256 * 1024)
#define LARGEST_CHUNK ((size_t)8 * 1024 * 1024)
#define HUGE_PAGE ((size_t)2 * 1024 * 1024)
#define UNPOPULATED ((size_t)64 * 1024) /* of the first chunk: small profiles take only the pages that they touch */
#define POPULATED_STEP ((size_t)128 * 1024)

struct xhprof_arena_chunk {
	xhprof_arena_chunk *older; /* the one mapped before; of a spare one: the next spare one */
	size_t size;
	size_t ready;     /* bytes from the start that pages were asked for; the rest is untouched */
	size_t dirty;     /* bytes from the start that were in use before, and may not be zero */
	char padding[32]; /* keeps the first allocation on a cache line of its own */
};

/* Maps pages at this address or, where that is not free, at another one. */
static void *pages_map_at(void *address, size_t size)
{
	void *pages = mmap(address, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	return pages == MAP_FAILED ? NULL : pages;
}

void *xhprof_pages_map(size_t size)
{
	return pages_map_at(NULL, size);
}

/* Asks for huge pages, as all of the memory will be touched. */
static void pages_join(void *pages, size_t size)
{
	if (size >= HUGE_PAGE) {
		int error = errno; /* the program's */
		madvise(pages, size, MADV_HUGEPAGE);
		errno = error;
	}
}

/* Populates mapped pages. Where the system cannot, page faults do it later. */
static void pages_touch(void *pages, size_t size)
{
#ifdef MADV_POPULATE_WRITE
	int error = errno; /* the program's */
	madvise(pages, size, MADV_POPULATE_WRITE);
	errno = error;
#endif
}

void *xhprof_pages_populate(size_t size)
{
	void *pages = xhprof_pages_map(size);
	if (pages) {
		pages_join(pages, size);
		pages_touch(pages, size);
	}
	return pages;
}

void *xhprof_pages_reserve(size_t size)
{
	void *pages = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	return pages == MAP_FAILED ? NULL : pages;
}

void *xhprof_pages_scatter(size_t size)
{
	void *pages = xhprof_pages_reserve(size);
	if (pages) {
		int error = errno; /* the program's */
		madvise(pages, size, MADV_NOHUGEPAGE);
		errno = error;
	}
	return pages;
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

static bool arena_reaches(const xhprof_arena *arena, const void *pages, size_t size)
{
	const xhprof_arena_chunk *oldest = arena->chunks;
	if (!arena->reach || !oldest) {
		return true;
	}
	while (oldest->older) {
		oldest = oldest->older;
	}
	uintptr_t from = (uintptr_t)pages, base = (uintptr_t)oldest;
	return from > base ? from + size - base <= arena->reach : base + oldest->size - from <= arena->reach;
}

/* Maps a chunk within reach. The system puts new pages below all others, and below what a library has reserved, which
 * can be terabytes away: then places on both sides of the newest chunk are tried. */
static void *arena_map(const xhprof_arena *arena, size_t size)
{
	void *pages = xhprof_pages_map(size);
	if (!pages || arena_reaches(arena, pages, size)) {
		return pages;
	}
	xhprof_pages_unmap(pages, size);
	for (size_t away = arena->reach / 2; away >= LARGEST_CHUNK; away /= 2) {
		for (int side = 0; side < 2; side++) {
			uintptr_t newest = (uintptr_t)arena->chunks, wanted = side ? newest - away : newest + away;
			pages = pages_map_at((void *)(wanted & ~(uintptr_t)(HUGE_PAGE - 1)), size);
			if (pages && arena_reaches(arena, pages, size)) {
				return pages;
			}
			xhprof_pages_unmap(pages, size);
		}
	}
	return NULL;
}

/* Returns a chunk of at least this size, spare or new. */
static xhprof_arena_chunk *arena_chunk(xhprof_arena *arena, size_t need)
{
	xhprof_arena_chunk *spare = arena->spare;
	if (spare && spare->size >= need && arena_reaches(arena, spare, spare->size)) {
		arena->spare = spare->older;
		if (!arena->unzeroed && spare->dirty > sizeof(*spare)) {
			memset(spare + 1, 0, spare->dirty - sizeof(*spare));
		}
		return spare;
	}
	size_t size = arena->chunks ? arena->chunks->size * 2 : FIRST_CHUNK;
	size_t largest = arena->small ? FIRST_CHUNK : LARGEST_CHUNK;
	if (size > largest) {
		size = largest;
	}
	while (size < need) {
		size *= 2;
	}
	xhprof_arena_chunk *chunk = arena_map(arena, size);
	if (!chunk) {
		return NULL;
	}
	pages_join(chunk, size);
	chunk->size = size;
	chunk->ready = arena->chunks ? 0 : UNPOPULATED;
	return chunk;
}

/* Makes the pages of the newest chunk for this many bytes more, some at a time. The chunk has the room. */
static void arena_ready(xhprof_arena *arena, size_t need)
{
	xhprof_arena_chunk *chunk = arena->chunks;
	size_t wanted = (size_t)(arena->next - (char *)chunk) + need;
	if (wanted > chunk->ready) {
		size_t ready = (wanted + POPULATED_STEP - 1) & ~(POPULATED_STEP - 1);
		ready = ready < chunk->size ? ready : chunk->size;
		pages_touch((char *)chunk + chunk->ready, ready - chunk->ready);
		chunk->ready = ready;
	}
	arena->end = (char *)chunk + chunk->ready;
}

static bool arena_grow(xhprof_arena *arena, size_t need)
{
	xhprof_arena_chunk *chunk = arena_chunk(arena, need + sizeof(*chunk));
	if (!chunk) {
		return false;
	}
	if (arena->chunks) {
		arena->chunks->dirty = (size_t)(arena->next - (char *)arena->chunks);
	}
	chunk->older = arena->chunks;
	arena->chunks = chunk;
	arena->next = (char *)(chunk + 1);
	arena->mapped += chunk->size;
	arena_ready(arena, need);
	return true;
}

static bool arena_room(xhprof_arena *arena, size_t need)
{
	xhprof_arena_chunk *chunk = arena->chunks;
	if (chunk && (size_t)((char *)chunk + chunk->size - arena->next) >= need) {
		arena_ready(arena, need);
		return true;
	}
	return arena_grow(arena, need);
}

static char *arena_align(const xhprof_arena *arena, size_t align)
{
	return (char *)(((uintptr_t)arena->next + align - 1) & ~(uintptr_t)(align - 1));
}

void *xhprof_arena_alloc(xhprof_arena *arena, size_t size, size_t align)
{
	char *start = arena_align(arena, align);
	if (!arena->next || start > arena->end || (size_t)(arena->end - start) < size) {
		if (!arena_room(arena, size + align)) {
			return NULL;
		}
		start = arena_align(arena, align);
	}
	arena->next = start + size;
	return start;
}

/* Empties the arena and returns all of its chunks in order of use: those that were in use, oldest first, then the spare
 * ones. */
static xhprof_arena_chunk *arena_empty(xhprof_arena *arena)
{
	xhprof_arena_chunk *chunk = arena->chunks, *all = arena->spare;
	if (chunk) {
		chunk->dirty = (size_t)(arena->next - (char *)chunk);
	}
	while (chunk) {
		xhprof_arena_chunk *older = chunk->older;
		chunk->older = all;
		all = chunk;
		chunk = older;
	}
	arena->chunks = arena->spare = NULL;
	arena->next = arena->end = NULL;
	arena->mapped = 0;
	return all;
}

void xhprof_arena_recycle(xhprof_arena *arena, size_t *budget)
{
	xhprof_arena_chunk *chunk = arena_empty(arena), **last = &arena->spare;
	while (chunk) {
		xhprof_arena_chunk *next = chunk->older;
		if (chunk->size <= *budget) {
			*budget -= chunk->size;
			chunk->older = NULL;
			*last = chunk;
			last = &chunk->older;
		} else {
			xhprof_pages_unmap(chunk, chunk->size);
		}
		chunk = next;
	}
}

void xhprof_arena_reset(xhprof_arena *arena)
{
	xhprof_arena_chunk *chunk = arena->chunks;
	if (!chunk) {
		return;
	}
	while (chunk->older) {
		chunk = chunk->older;
	}
	size_t first = chunk->size;
	xhprof_arena_recycle(arena, &first);
	arena_grow(arena, 0); /* with the spare one */
}

void xhprof_arena_release(xhprof_arena *arena)
{
	size_t nothing = 0;
	xhprof_arena_recycle(arena, &nothing);
	memset(arena, 0, sizeof(*arena));
}
