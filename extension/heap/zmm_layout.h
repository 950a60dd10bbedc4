/* The layout of the memory manager's private structures: the offsets of their members, found by their invariants. PHP's
 * version does not suffice, as patch releases have moved them (8.2.32 -> 8.2.35). */
#ifndef XHPROF_HEAP_ZMM_LAYOUT_H
#define XHPROF_HEAP_ZMM_LAYOUT_H

#include "compat/heap_geometry.h"

#include <stdbool.h>
#include <stddef.h>

/* Offsets in the heap's structure; `free_pages` and `map` are offsets in a chunk. */
typedef struct xhprof_zmm_layout {
	uint32_t free_pages, map, heap_size, size, peak, real_size, limit, free_slot, huge_list, main_chunk, cached_chunks,
		chunks_count, cached_chunks_count;
} xhprof_zmm_layout;

typedef struct xhprof_zmm_bin {
	uint16_t size, count, pages;
	uint32_t reciprocal; /* offset * reciprocal >> 32 == offset / size, for offsets in a run */
} xhprof_zmm_bin;

extern const xhprof_zmm_bin xhprof_zmm_bins[XHPROF_ZMM_BINS];

/* Finds the page map: page 0 is one page in use, and the bits before it show as many free pages as the chunk records.
 * `page`: the main chunk's first 4096 bytes. Sets `free_pages`, `map` and `heap_size`. */
bool xhprof_zmm_layout_map(xhprof_zmm_layout *layout, const unsigned char *page);

/* Finds the next offset from `from` on where the heap's structure, of which `heap` is a copy, may point to its main
 * chunk, and sets that and its neighbours: `huge_list` ... `cached_chunks_count`. False without one. */
bool xhprof_zmm_layout_chunks(xhprof_zmm_layout *layout, const unsigned char *heap, uint32_t from, uint64_t main_chunk,
							  size_t chunk_count);

/* Sets `free_slot`, `real_size` and `limit`, as the lists of free blocks begin at `at`. */
void xhprof_zmm_layout_slots(xhprof_zmm_layout *layout, uint32_t at);

static inline uint64_t xhprof_zmm_word(const unsigned char *bytes, uint32_t offset)
{
	uint64_t word;
	__builtin_memcpy(&word, bytes + offset, sizeof(word));
	return word;
}

static inline uint32_t xhprof_zmm_half(const unsigned char *bytes, uint32_t offset)
{
	uint32_t half;
	__builtin_memcpy(&half, bytes + offset, sizeof(half));
	return half;
}

#endif
