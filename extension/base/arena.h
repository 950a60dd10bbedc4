/* Memory of the profiler itself: a bump allocator over mmap. Nothing here ever touches the Zend memory manager, so the
 * profiled program's memory figures stay its own. */
#ifndef XHPROF_BASE_ARENA_H
#define XHPROF_BASE_ARENA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct xhprof_arena_chunk xhprof_arena_chunk;

typedef struct xhprof_arena {
	xhprof_arena_chunk *chunks; /* newest first */
	xhprof_arena_chunk *spare;  /* empty ones that are mapped already, in order of use */
	char *next;                 /* first free byte of the newest chunk */
	char *end;                  /* of what is ready of it */
	size_t mapped;              /* bytes of all chunks but the spare ones */
	bool unzeroed;              /* set before the first use: its user writes every byte first */
	size_t reach;               /* the same: bytes of any chunk from the oldest one; 0: no bound */
} xhprof_arena;

/* Zeroed memory, aligned to `align` (a power of two, at most 64); NULL if the system has none, or none within reach. Lives
 * until reset. */
void *xhprof_arena_alloc(xhprof_arena *arena, size_t size, size_t align);

/* Drops all allocations; the first chunk stays mapped (and is zeroed again) so that the next user starts warm. */
void xhprof_arena_reset(xhprof_arena *arena);

/* Drops all allocations. Chunks stay mapped as far as `*budget` bytes go, and are taken off it. */
void xhprof_arena_recycle(xhprof_arena *arena, size_t *budget);

/* Gives everything back to the system. */
void xhprof_arena_release(xhprof_arena *arena);

/* Maps zeroed pages of the system (NULL if it has none), for tables that grow by copying. */
void *xhprof_pages_map(size_t size);
void xhprof_pages_unmap(void *pages, size_t size);

/* Maps zeroed pages that are all used soon: one call makes them, not a fault for each. */
void *xhprof_pages_populate(size_t size);

/* Maps zeroed pages of which most stay empty: the system reserves no memory for them. */
void *xhprof_pages_reserve(size_t size);

/* Maps zeroed pages of which a few here and there will be used: the system makes no large page of them. */
void *xhprof_pages_scatter(size_t size);

/* Pages twice as large for an array of `*capacity` items (or the first `first` items), old contents kept. False, and
 * nothing changed, without memory. */
bool xhprof_pages_double(void **items, size_t item_size, size_t *capacity, size_t first);

#endif
