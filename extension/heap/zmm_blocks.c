#include "zmm_blocks.h"

/* Returns the start of the block around an offset into a chunk, and gives its size; 0 if there cannot be one. */
static uint32_t block_start(const xhprof_zmm_chunk *chunk, uint32_t offset, uint64_t *size)
{
	uint32_t page = offset / XHPROF_ZMM_PAGE_SIZE, info = chunk->map[page];
	if (!info) {
		return 0;
	}
	uint32_t start = (page - XHPROF_ZMM_BEFORE(info)) * XHPROF_ZMM_PAGE_SIZE;
	if (info & XHPROF_ZMM_LARGE) {
		*size = (uint64_t)XHPROF_ZMM_COUNT(info) * XHPROF_ZMM_PAGE_SIZE;
		return start;
	}
	const xhprof_zmm_bin *bin = &xhprof_zmm_bins[XHPROF_ZMM_BIN(info)];
	uint32_t number = (uint32_t)((uint64_t)(offset - start) * bin->reciprocal >> 32);
	*size = bin->size;
	return number < bin->count ? start + number * bin->size : 0;
}

static xhprof_zmm_huge *huge_of(const xhprof_zmm *zmm, xhprof_addr address)
{
	size_t low = 0, high = zmm->huge_count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		xhprof_zmm_huge *huge = zmm->huge + middle;
		if (address < huge->address) {
			high = middle;
		} else if (address - huge->address >= huge->size) {
			low = middle + 1;
		} else {
			return huge;
		}
	}
	return NULL;
}

/* Finds the block around an address, and the word of the owned bits with the block's bit, or the huge block. */
static bool find_block(const xhprof_zmm *zmm, xhprof_addr address, xhprof_zmm_block *block, uint64_t **owned,
					   uint64_t *mask, xhprof_zmm_huge **huge)
{
	xhprof_zmm_chunk *chunk = xhprof_zmm_chunk_of(zmm, address);
	if (!chunk) {
		*huge = huge_of(zmm, address);
		if (*huge) {
			*block = (xhprof_zmm_block){(*huge)->address, (*huge)->size};
		}
		return *huge != NULL;
	}
	uint32_t start = block_start(chunk, (uint32_t)(address - chunk->address), &block->size);
	*mask = UINT64_C(1) << (start >> 3 & 63);
	*owned = &chunk->owned[start >> 9];
	*huge = NULL;
	block->address = chunk->address + start;
	return start && (chunk->live[start >> 9] & *mask);
}

bool xhprof_zmm_block_of(const xhprof_zmm *zmm, xhprof_addr address, xhprof_zmm_block *block)
{
	xhprof_zmm_huge *huge;
	uint64_t *owned, mask;
	return find_block(zmm, address, block, &owned, &mask, &huge);
}

bool xhprof_zmm_block_at(const xhprof_zmm *zmm, xhprof_addr address, xhprof_zmm_block *block)
{
	return xhprof_zmm_block_of(zmm, address, block) && block->address == address;
}

bool xhprof_zmm_claim(xhprof_zmm *zmm, xhprof_addr address, xhprof_zmm_block *block)
{
	xhprof_zmm_chunk *chunk = address % 8 ? NULL : xhprof_zmm_chunk_of(zmm, address);
	if (!chunk) {
		xhprof_zmm_huge *huge = huge_of(zmm, address);
		if (!huge || huge->address != address || huge->owned) {
			return false;
		}
		huge->owned = true;
		*block = (xhprof_zmm_block){address, huge->size};
		return true;
	}
	uint32_t offset = (uint32_t)(address - chunk->address);
	uint64_t mask = UINT64_C(1) << (offset >> 3 & 63);
	if (!(chunk->live[offset >> 9] & ~chunk->owned[offset >> 9] & mask)) {
		return false;
	}
	chunk->owned[offset >> 9] |= mask;
	uint32_t info = chunk->map[offset / XHPROF_ZMM_PAGE_SIZE];
	block->size = info & XHPROF_ZMM_LARGE ? XHPROF_ZMM_COUNT(info) * (uint64_t)XHPROF_ZMM_PAGE_SIZE
										  : xhprof_zmm_bins[XHPROF_ZMM_BIN(info)].size;
	block->address = address;
	return true;
}

bool xhprof_zmm_look(const xhprof_zmm *zmm, xhprof_addr address, xhprof_zmm_block *block, bool *owned)
{
	xhprof_zmm_huge *huge;
	uint64_t *bits, mask;
	if (!find_block(zmm, address, block, &bits, &mask, &huge)) {
		return false;
	}
	*owned = huge ? huge->owned : (*bits & mask) != 0;
	return true;
}

bool xhprof_zmm_is_seen(const xhprof_zmm *zmm, xhprof_addr address)
{
	const xhprof_zmm_chunk *chunk = address % 8 ? NULL : xhprof_zmm_chunk_of(zmm, address);
	if (!chunk) {
		return address && xhprof_table_find(&zmm->outside, address);
	}
	uint32_t offset = (uint32_t)(address - chunk->address);
	return chunk->seen[offset >> 9] >> (offset >> 3 & 63) & 1;
}

void xhprof_zmm_mark_resolved(xhprof_zmm *zmm, xhprof_addr address)
{
	xhprof_zmm_huge *huge;
	if (xhprof_zmm_chunk_of(zmm, address)) {
		xhprof_zmm_mark_seen(zmm, address + 8);
	} else if ((huge = huge_of(zmm, address)) != NULL) {
		huge->resolved = true;
	}
}

bool xhprof_zmm_is_resolved(const xhprof_zmm *zmm, const xhprof_zmm_block *block)
{
	if (xhprof_zmm_chunk_of(zmm, block->address)) {
		/* An object behind 8 bytes has been seen there, too. */
		return block->size > 8 && xhprof_zmm_is_seen(zmm, block->address) &&
			   xhprof_zmm_is_seen(zmm, block->address + 8);
	}
	const xhprof_zmm_huge *huge = huge_of(zmm, block->address);
	return huge && huge->resolved;
}

xhprof_addr xhprof_zmm_end_of(const xhprof_zmm *zmm, xhprof_addr address)
{
	uint64_t chunk = address & ~(XHPROF_ZMM_CHUNK_SIZE - 1);
	if (xhprof_zmm_chunk_of(zmm, address)) {
		return chunk + XHPROF_ZMM_CHUNK_SIZE;
	}
	const xhprof_zmm_huge *huge = huge_of(zmm, address);
	if (huge) {
		return huge->address + huge->size;
	}
	size_t low = 0, high = zmm->cached_count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (zmm->cached[middle] == chunk) {
			return chunk + XHPROF_ZMM_CHUNK_SIZE;
		}
		low = zmm->cached[middle] < chunk ? middle + 1 : low;
		high = zmm->cached[middle] < chunk ? high : middle;
	}
	return 0;
}

bool xhprof_zmm_mark_seen_outside(xhprof_zmm *zmm, xhprof_addr address)
{
	if (!address || xhprof_table_find(&zmm->outside, address)) {
		return false;
	}
	uint32_t capacity = zmm->outside.capacity;
	bool noted = xhprof_table_put(&zmm->outside, address, zmm);
	zmm->mapped += (uint64_t)(zmm->outside.capacity - capacity) * sizeof(*zmm->outside.slots);
	zmm->unrecorded += !noted;
	return noted;
}

static void each_huge(const xhprof_zmm *zmm, size_t *next, uint64_t until, bool unclaimed,
					  void (*each)(void *context, const xhprof_zmm_block *block), void *context)
{
	for (; *next < zmm->huge_count && zmm->huge[*next].address < until; ++*next) {
		const xhprof_zmm_huge *huge = zmm->huge + *next;
		if (!unclaimed || !huge->owned) {
			xhprof_zmm_block block = {huge->address, huge->size};
			each(context, &block);
		}
	}
}

void xhprof_zmm_each(xhprof_zmm *zmm, bool unclaimed, void (*each)(void *context, const xhprof_zmm_block *block),
					 void *context)
{
	size_t huge = 0;
	for (size_t i = 0; i < zmm->chunk_count; i++) {
		xhprof_zmm_chunk *chunk = zmm->chunks + i;
		each_huge(zmm, &huge, chunk->address, unclaimed, each, context);
		for (uint32_t word = 0; word < sizeof(chunk->live) / sizeof(*chunk->live); word++) {
			uint64_t bits;
			for (uint64_t below = 0; (bits = chunk->live[word] & ~below) != 0;) {
				bits &= unclaimed ? ~chunk->owned[word] : bits;
				if (!bits) {
					break;
				}
				int bit = __builtin_ctzll(bits);
				below = (UINT64_C(2) << bit) - 1;
				uint32_t offset = word << 9 | (uint32_t)bit << 3;
				xhprof_zmm_block block = {chunk->address + offset, 0};
				block_start(chunk, offset, &block.size);
				each(context, &block);
			}
		}
	}
	each_huge(zmm, &huge, UINT64_MAX, unclaimed, each, context);
}
