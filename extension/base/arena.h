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
	char *end;                  /* end of the newest chunk's part that is ready for use */
	size_t mapped;              /* bytes of all chunks except the spare ones */
	bool small;                 /* set before the first use: chunks stay small, as the use may not grow on */
	bool unzeroed; /* set before the first use: memory is not zeroed, as its user writes every byte first */
	size_t reach;  /* set before the first use: largest distance in bytes of a chunk from the oldest one; 0: no bound */
} xhprof_arena;

/* Allocates zeroed memory, aligned to `align` (a power of two, at most 64), which lives until the next reset. NULL if
 * the system has none, or none within reach. */
void *xhprof_arena_alloc(xhprof_arena *arena, size_t size, size_t align);

/* Drops all allocations; the first chunk stays mapped (and is zeroed again) so that the next user starts warm. */
void xhprof_arena_reset(xhprof_arena *arena);

/* Drops all allocations. At most `*budget` bytes of chunks stay mapped for the next user, and are taken off the
 * budget. */
void xhprof_arena_recycle(xhprof_arena *arena, size_t *budget);

/* Gives everything back to the system. */
void xhprof_arena_release(xhprof_arena *arena);

/* Maps zeroed pages straight from the system (NULL if it has none), for tables that grow by copying. */
void *xhprof_pages_map(size_t size);
void xhprof_pages_unmap(void *pages, size_t size);

/* Maps zeroed pages that are all used soon: one system call makes them, instead of a page fault for each. */
void *xhprof_pages_populate(size_t size);

/* Maps zeroed pages of which few will be used: the system reserves no memory for them. */
void *xhprof_pages_reserve(size_t size);

/* Maps zeroed pages of which a few here and there will be used: the system makes no huge pages of them. */
void *xhprof_pages_scatter(size_t size);

/* Doubles the pages of an array of `*capacity` items, or maps the first pages, for `first` items. The contents are
 * kept. False, with nothing changed, without memory. */
bool xhprof_pages_double(void **items, size_t item_size, size_t *capacity, size_t first);

#endif
