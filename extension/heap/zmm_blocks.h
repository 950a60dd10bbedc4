/* The blocks of a heap that has been read: the block around an address, whether it is claimed, and which addresses have
 * been seen. */
#ifndef XHPROF_HEAP_ZMM_BLOCKS_H
#define XHPROF_HEAP_ZMM_BLOCKS_H

#include "zmm.h"

typedef struct xhprof_zmm_block {
	xhprof_addr address;
	uint64_t size; /* bytes that the allocator set aside */
} xhprof_zmm_block;

/* Finds the live block around an address. False without one. */
bool xhprof_zmm_block_of(const xhprof_zmm *zmm, xhprof_addr address, xhprof_zmm_block *block);
/* Finds the live block that begins exactly at this address. False without one. */
bool xhprof_zmm_block_at(const xhprof_zmm *zmm, xhprof_addr address, xhprof_zmm_block *block);

/* Claims the block that begins at `address` and gives it. True only the first time. */
bool xhprof_zmm_claim(xhprof_zmm *zmm, xhprof_addr address, xhprof_zmm_block *block);

/* Finds the live block around an address, and whether it has been claimed. False without one. */
bool xhprof_zmm_look(const xhprof_zmm *zmm, xhprof_addr address, xhprof_zmm_block *block, bool *owned);

bool xhprof_zmm_mark_seen_outside(xhprof_zmm *zmm, xhprof_addr address);

/* Marks an address, anywhere in memory, as seen. True on the first call for it. False also without memory for the mark,
 * which `unrecorded` counts. */
static inline bool xhprof_zmm_mark_seen(xhprof_zmm *zmm, xhprof_addr address)
{
	xhprof_zmm_chunk *chunk = address % 8 ? NULL : xhprof_zmm_chunk_of(zmm, address);
	if (!chunk) {
		return xhprof_zmm_mark_seen_outside(zmm, address);
	}
	uint32_t offset = (uint32_t)(address - chunk->address);
	uint64_t mask = UINT64_C(1) << (offset >> 3 & 63);
	bool first = !(chunk->seen[offset >> 9] & mask);
	chunk->seen[offset >> 9] |= mask;
	return first;
}

/* Returns whether the address has been seen, without marking it. */
bool xhprof_zmm_is_seen(const xhprof_zmm *zmm, xhprof_addr address);

/* Marks that all references of the block that begins at `address` are known, so that nothing else in it needs a look.
 * Only for blocks without an object or part 8 bytes from the start, as the mark is the `seen` of that address. */
void xhprof_zmm_mark_resolved(xhprof_zmm *zmm, xhprof_addr address);
bool xhprof_zmm_is_resolved(const xhprof_zmm *zmm, const xhprof_zmm_block *block);

/* Returns the end of the heap's chunk or huge block around an address; 0 if it is in none. Cached chunks count, too. */
xhprof_addr xhprof_zmm_end_of(const xhprof_zmm *zmm, xhprof_addr address);

/* Calls `each` for every unclaimed live block (or for all of them), by address. It may claim blocks. */
void xhprof_zmm_each(xhprof_zmm *zmm, bool unclaimed, void (*each)(void *context, const xhprof_zmm_block *block),
					 void *context);

#endif
