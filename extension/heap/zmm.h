/* The Zend memory manager as it is in memory: every chunk, run and huge block, from its own lists. Its structures are private
 * and change in patch releases; where their members are is found out from what must be true of them, and proved by the sums. */
#ifndef XHPROF_HEAP_ZMM_H
#define XHPROF_HEAP_ZMM_H

#include "reader.h"
#include "zmm_layout.h"

#include "base/table.h"

typedef struct xhprof_zmm_chunk {
	uint64_t address;
	uint32_t map[XHPROF_ZMM_PAGES]; /* of every page, XHPROF_ZMM_SMALL ... */
	uint64_t live[4096];            /* one bit per 8 bytes of the chunk: a live block begins here */
	uint64_t owned[4096];           /* the live block that begins here has been claimed */
	uint64_t seen[4096];            /* something that begins here has been visited */
} xhprof_zmm_chunk;

/* What `map` says of a page: 0 when it is free, or */
#define XHPROF_ZMM_SMALL UINT32_C(0x80000000) /* in a run of a bin; its number is in the low bits */
#define XHPROF_ZMM_LARGE UINT32_C(0x40000000) /* in a block of whole pages; their number is in the low bits */
/* and in both cases the pages of the run or block in front of this one. */
#define XHPROF_ZMM_BEFORE(info) ((info) >> 16 & 0x1ff)
#define XHPROF_ZMM_COUNT(info) ((info)&0x3ff)
#define XHPROF_ZMM_BIN(info) ((info)&0x1f)

typedef struct xhprof_zmm_huge {
	uint64_t address, size;
	uint64_t entry; /* of the heap's list: a small block that belongs to the memory manager itself */
	bool owned, settled;
} xhprof_zmm_huge;

typedef struct xhprof_zmm {
	xhprof_reader *reader;
	uint64_t heap; /* address of zend_mm_heap */
	xhprof_zmm_layout layout;
	xhprof_zmm_chunk *chunks; /* by address */
	size_t chunk_count;
	xhprof_zmm_huge *huge; /* by address */
	size_t huge_count;
	uint64_t size, peak, real_size, limit; /* as the heap has them */
	uint64_t cached_chunks;                /* empty ones that the heap keeps */
	/* Summed up from the lists; live_bytes + pending == size, or the heap is refused (unless it changes while it is read). */
	uint64_t small_blocks, small_bytes, large_blocks, large_bytes, huge_bytes, live_bytes;
	/* Counted by the heap and never handed out: a small block is counted before there is one, and memory_limit may end the
	 * request there. 0 as a rule. */
	uint64_t pending;
	uint64_t mapped;  /* bytes of all this */
	uint64_t unnoted; /* asked for, and no memory to note it */
	/* The modules' own. */
	xhprof_table outside; /* what has been seen outside of chunks */
	uint32_t *index;      /* hash of a chunk's number -> its place in `chunks`, from 1 */
	uint32_t index_mask, index_shift;
	size_t chunk_pages, huge_capacity, cached_capacity;
	uint64_t *cached; /* by address */
	size_t cached_count;
} xhprof_zmm;

typedef struct xhprof_zmm_block {
	uint64_t address, size; /* size: what the allocator set aside */
} xhprof_zmm_block;

/* Reads the heap that has a chunk around `inside` (any address of a small or large block, e.g. EG(vm_stack)), or whose
 * structure is at `heap` when that is not 0. NULL, or one line why it cannot be read; then there is nothing to close. With
 * `changing`, sums that differ are forgiven: the process goes on. */
const char *xhprof_zmm_open(xhprof_zmm *zmm, xhprof_reader *reader, uint64_t heap, uint64_t inside, bool changing);
void xhprof_zmm_close(xhprof_zmm *zmm);
/* The line for a process that runs without the memory manager. Any other may be of a moment within the allocator. */
extern const char xhprof_zmm_not_here[];

/* Instead: the blocks of another allocator, which the caller knows. Each is added to a zmm that is all 0; it may be closed
 * without having been opened. What there is no memory for is left out. */
void xhprof_zmm_add(xhprof_zmm *zmm, uint64_t address, uint64_t size);
void xhprof_zmm_open_added(xhprof_zmm *zmm, xhprof_reader *reader);

/* The chunk around an address, or NULL. */
static inline xhprof_zmm_chunk *xhprof_zmm_chunk_of(const xhprof_zmm *zmm, uint64_t address)
{
	uint64_t number = address / XHPROF_ZMM_CHUNK_SIZE;
	if (!zmm->index) {
		return NULL;
	}
	uint32_t at = (uint32_t)(number * UINT64_C(0x9E3779B97F4A7C15) >> zmm->index_shift);
	for (uint32_t place; (place = zmm->index[at]) != 0; at = (at + 1) & zmm->index_mask) {
		xhprof_zmm_chunk *chunk = zmm->chunks + place - 1;
		if (chunk->address == number * XHPROF_ZMM_CHUNK_SIZE) {
			return chunk;
		}
	}
	return NULL;
}

/* The live block around an address. False when there is none. */
bool xhprof_zmm_block_of(const xhprof_zmm *zmm, uint64_t address, xhprof_zmm_block *block);
/* The live block that begins at this very address. */
bool xhprof_zmm_block_at(const xhprof_zmm *zmm, uint64_t address, xhprof_zmm_block *block);

/* Takes the block that begins at `address` for whoever asks first: true then, with the block. */
bool xhprof_zmm_claim(xhprof_zmm *zmm, uint64_t address, xhprof_zmm_block *block);

/* The live block around an address, and whether it has been claimed. False when no live block is there. */
bool xhprof_zmm_look(const xhprof_zmm *zmm, uint64_t address, xhprof_zmm_block *block, bool *owned);

bool xhprof_zmm_see_outside(xhprof_zmm *zmm, uint64_t address);

/* True the first time that it is asked for this address, anywhere in memory. False too when there is no memory to note it:
 * counted in `unnoted`. */
static inline bool xhprof_zmm_see(xhprof_zmm *zmm, uint64_t address)
{
	xhprof_zmm_chunk *chunk = address % 8 ? NULL : xhprof_zmm_chunk_of(zmm, address);
	if (!chunk) {
		return xhprof_zmm_see_outside(zmm, address);
	}
	uint32_t offset = (uint32_t)(address - chunk->address);
	uint64_t mask = UINT64_C(1) << (offset >> 3 & 63);
	bool first = !(chunk->seen[offset >> 9] & mask);
	chunk->seen[offset >> 9] |= mask;
	return first;
}

/* The same without noting it: whether it has been asked for. */
bool xhprof_zmm_seen(const xhprof_zmm *zmm, uint64_t address);

/* Notes that all references of the block that begins at `address` are known: nothing else in it need be looked at. For blocks
 * with nothing of its own 8 bytes from the start: the mark is that address's `seen`. */
void xhprof_zmm_settle(xhprof_zmm *zmm, uint64_t address);
bool xhprof_zmm_settled(const xhprof_zmm *zmm, const xhprof_zmm_block *block);

/* Where the chunk or huge block of the heap around an address ends; 0 when it is in none. Cached chunks count. */
uint64_t xhprof_zmm_end_of(const xhprof_zmm *zmm, uint64_t address);

/* Calls `each` for every live block that nobody claimed (or for all of them), by address. It may claim blocks. */
void xhprof_zmm_each(xhprof_zmm *zmm, bool unclaimed, void (*each)(void *context, const xhprof_zmm_block *block),
					 void *context);

#endif
