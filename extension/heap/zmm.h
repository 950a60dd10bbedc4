/* The state of the Zend memory manager: every chunk, run and huge block, read from its own lists. Its structures are
 * private and change in patch releases; the places of their members are found by their invariants, and confirmed by the
 * sums. */
#ifndef XHPROF_HEAP_ZMM_H
#define XHPROF_HEAP_ZMM_H

#include "reader.h"
#include "zmm_layout.h"

#include "base/hash.h"
#include "base/table.h"

typedef struct xhprof_zmm_chunk {
	xhprof_addr address;
	uint32_t map[XHPROF_ZMM_PAGES]; /* state of every page, XHPROF_ZMM_SMALL ... */
	uint64_t live[4096];            /* one bit per 8 bytes of the chunk: a live block begins here */
	uint64_t owned[4096];           /* the live block that begins here has been claimed */
	uint64_t seen[4096];            /* something that begins here has been visited */
} xhprof_zmm_chunk;

/* Values of `map` for a page: 0 if it is free, or */
#define XHPROF_ZMM_SMALL UINT32_C(0x80000000) /* in a run of a bin; its number is in the low bits */
#define XHPROF_ZMM_LARGE UINT32_C(0x40000000) /* in a block of whole pages; their number is in the low bits */
/* In both cases: the number of pages of the run or block before this one. */
#define XHPROF_ZMM_BEFORE(info) ((info) >> 16 & 0x1ff)
#define XHPROF_ZMM_COUNT(info) ((info)&0x3ff)
#define XHPROF_ZMM_BIN(info) ((info)&0x1f)

typedef struct xhprof_zmm_huge {
	xhprof_addr address;
	uint64_t size;
	xhprof_addr entry; /* entry of the heap's list: a small block that belongs to the memory manager itself */
	bool owned, resolved;
} xhprof_zmm_huge;

typedef struct xhprof_zmm {
	xhprof_reader *reader;
	xhprof_addr heap; /* address of zend_mm_heap */
	xhprof_zmm_layout layout;
	xhprof_zmm_chunk *chunks; /* by address */
	size_t chunk_count;
	xhprof_zmm_huge *huge; /* by address */
	size_t huge_count;
	uint64_t size, peak, real_size, limit; /* from the heap's own counters */
	uint64_t cached_chunks;                /* empty ones that the heap keeps */
	/* Sums over the lists; live_bytes + pending == size, otherwise the heap is refused (unless it changes while it is
	 * read). */
	uint64_t small_blocks, small_bytes, large_blocks, large_bytes, huge_bytes, live_bytes;
	/* Bytes that the heap has counted but never handed out: it counts a small block before it exists, and memory_limit
	 * may end the request in between. Usually 0. */
	uint64_t pending;
	uint64_t mapped;     /* mapped bytes of all this */
	uint64_t unrecorded; /* marks that were lost, without memory */
	/* Private to the modules. */
	xhprof_table outside; /* addresses seen outside of chunks */
	uint32_t *index;      /* hash of a chunk's number -> its place in `chunks`, from 1 */
	uint32_t index_mask, index_shift;
	size_t chunk_pages, huge_capacity, cached_capacity;
	xhprof_addr *cached; /* by address */
	size_t cached_count;
} xhprof_zmm;

/* Reads the heap that has a chunk around `inside` (any address of a small or large block, e.g. EG(vm_stack)), or whose
 * structure is at `heap` if that is not 0. NULL, or one line that says why it cannot be read; then there is nothing to
 * close. With `changing`, sums may differ: the process runs on. */
const char *xhprof_zmm_open(xhprof_zmm *zmm, xhprof_reader *reader, xhprof_addr heap, xhprof_addr inside,
							bool changing);
void xhprof_zmm_close(xhprof_zmm *zmm);
/* The line that xhprof_zmm_open() returns for a process without the memory manager. With any other line another attempt
 * may succeed, as the process may have been within the allocator. */
extern const char xhprof_zmm_not_here[];

/* Build the state from blocks of another allocator, which the caller knows, instead of xhprof_zmm_open(). Add puts each
 * into a zmm that is all 0 at first; without memory the block is dropped. It may be closed without having been
 * opened. */
void xhprof_zmm_add(xhprof_zmm *zmm, xhprof_addr address, uint64_t size);
void xhprof_zmm_open_added(xhprof_zmm *zmm, xhprof_reader *reader);

/* Returns the chunk around an address, or NULL. */
static inline xhprof_zmm_chunk *xhprof_zmm_chunk_of(const xhprof_zmm *zmm, xhprof_addr address)
{
	uint64_t number = address / XHPROF_ZMM_CHUNK_SIZE;
	if (!zmm->index) {
		return NULL;
	}
	uint32_t at = (uint32_t)(xhprof_hash_spread(number) >> zmm->index_shift);
	for (uint32_t place; (place = zmm->index[at]) != 0; at = (at + 1) & zmm->index_mask) {
		xhprof_zmm_chunk *chunk = zmm->chunks + place - 1;
		if (chunk->address == number * XHPROF_ZMM_CHUNK_SIZE) {
			return chunk;
		}
	}
	return NULL;
}

#endif
