/* The blocks of a heap that has been read: which one an address is in, who has claimed it, what has been seen. */
#ifndef XHPROF_HEAP_ZMM_BLOCKS_H
#define XHPROF_HEAP_ZMM_BLOCKS_H

#include "zmm.h"

typedef struct xhprof_zmm_block {
	xhprof_addr address;
	uint64_t size; /* what the allocator set aside */
} xhprof_zmm_block;

/* The live block around an address. False when there is none. */
bool xhprof_zmm_block_of(const xhprof_zmm *zmm, xhprof_addr address, xhprof_zmm_block *block);
/* The live block that begins at this very address. */
bool xhprof_zmm_block_at(const xhprof_zmm *zmm, xhprof_addr address, xhprof_zmm_block *block);

/* Takes the block that begins at `address` for whoever asks first: true then, with the block. */
bool xhprof_zmm_claim(xhprof_zmm *zmm, xhprof_addr address, xhprof_zmm_block *block);

/* The live block around an address, and whether it has been claimed. False when no live block is there. */
bool xhprof_zmm_look(const xhprof_zmm *zmm, xhprof_addr address, xhprof_zmm_block *block, bool *owned);

bool xhprof_zmm_see_outside(xhprof_zmm *zmm, xhprof_addr address);

/* True the first time that it is asked for this address, anywhere in memory. False too when there is no memory to note it:
 * counted in `unnoted`. */
static inline bool xhprof_zmm_see(xhprof_zmm *zmm, xhprof_addr address)
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
bool xhprof_zmm_seen(const xhprof_zmm *zmm, xhprof_addr address);

/* Notes that all references of the block that begins at `address` are known: nothing else in it need be looked at. For blocks
 * with nothing of its own 8 bytes from the start: the mark is that address's `seen`. */
void xhprof_zmm_settle(xhprof_zmm *zmm, xhprof_addr address);
bool xhprof_zmm_settled(const xhprof_zmm *zmm, const xhprof_zmm_block *block);

/* Where the chunk or huge block of the heap around an address ends; 0 when it is in none. Cached chunks count. */
xhprof_addr xhprof_zmm_end_of(const xhprof_zmm *zmm, xhprof_addr address);

/* Calls `each` for every live block that nobody claimed (or for all of them), by address. It may claim blocks. */
void xhprof_zmm_each(xhprof_zmm *zmm, bool unclaimed, void (*each)(void *context, const xhprof_zmm_block *block),
					 void *context);

#endif
