/* The Zend memory manager as it is in memory: every chunk, run and huge block, from its own lists. Its structures are private
 * and change in patch releases; where their members are is found out from what must be true of them, and proved by the sums. */
#ifndef XHPROF_HEAP_ZMM_H
#define XHPROF_HEAP_ZMM_H

#include "reader.h"

#define XHPROF_ZMM_CHUNK_SIZE ((uint64_t)2 * 1024 * 1024)
#define XHPROF_ZMM_PAGE_SIZE 4096
#define XHPROF_ZMM_PAGES 512

/* Where the members are: offsets into the heap's structure, and of the page map into a chunk. */
typedef struct xhprof_zmm_layout {
	uint32_t map, heap_size, size, peak, real_size, limit, free_slot, huge_list, main_chunk, cached_chunks,
		chunks_count;
} xhprof_zmm_layout;

typedef struct xhprof_zmm_chunk {
	uint64_t address;
	uint32_t map[XHPROF_ZMM_PAGES];
	uint64_t live[4096];  /* one bit per 8 bytes of the chunk: a live block begins here */
	uint64_t owned[4096]; /* the live block that begins here has been claimed */
	uint64_t seen[4096];  /* something that begins here has been visited */
} xhprof_zmm_chunk;

typedef struct xhprof_zmm_huge {
	uint64_t address, size;
	bool owned;
} xhprof_zmm_huge;

typedef struct xhprof_zmm {
	xhprof_reader *reader;
	uint64_t heap; /* address of zend_mm_heap */
	xhprof_zmm_layout layout;
	xhprof_zmm_chunk **chunks; /* by address */
	size_t chunk_count;
	xhprof_zmm_huge *huge; /* by address */
	size_t huge_count;
	uint64_t size, peak, real_size, limit; /* as the heap has them */
	uint64_t cached_chunks;
	/* Summed up from the lists; live_bytes == size, or the heap is refused (unless it changes while it is read). */
	uint64_t small_blocks, small_bytes, large_blocks, large_bytes, huge_bytes, live_bytes;
	uint64_t mapped; /* bytes of all this */
	/* What has been seen outside of chunks. */
	struct xhprof_table *outside;
	uint64_t unnoted; /* asked for, and no memory to note it */
} xhprof_zmm;

typedef struct xhprof_zmm_block {
	uint64_t address, size; /* size: what the allocator set aside */
} xhprof_zmm_block;

/* Reads the heap that has a chunk around `inside` (any address of a small or large block, e.g. EG(vm_stack)), or whose
 * structure is at `heap` when that is not 0. NULL, or one line why it cannot be read ("not a Zend heap", "its sums differ").
 * With `changing`, sums that differ are forgiven: the process goes on. */
const char *xhprof_zmm_open(xhprof_zmm *zmm, xhprof_reader *reader, uint64_t heap, uint64_t inside, bool changing);
void xhprof_zmm_close(xhprof_zmm *zmm);

/* The live block around an address. False when there is none. */
bool xhprof_zmm_block_of(const xhprof_zmm *zmm, uint64_t address, xhprof_zmm_block *block);

/* Takes the block around `address` for whoever asks first: true then, with the block. */
bool xhprof_zmm_claim(xhprof_zmm *zmm, uint64_t address, xhprof_zmm_block *block);

/* True the first time that it is asked for this address, anywhere in memory. False too when there is no memory to note it:
 * counted in `unnoted`. */
bool xhprof_zmm_see(xhprof_zmm *zmm, uint64_t address);

/* Calls `each` for every live block that nobody claimed (or for all of them), by address. */
void xhprof_zmm_each(xhprof_zmm *zmm, bool unclaimed, void (*each)(void *context, const xhprof_zmm_block *block),
					 void *context);

#endif
