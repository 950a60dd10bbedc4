/* Reads the memory manager's chunks, free lists and huge blocks; see zmm.h. Queries of them are in zmm_blocks.c. */
#include "zmm.h"

#include "base/arena.h"

#include <string.h>

#define MAX_CHUNKS ((size_t)1 << 20) /* 2 TB */
#define MAX_HUGE ((size_t)1 << 24)
#define TRIES 10 /* to read a heap that is in use */
/* The most pending blocks: one for each time that memory_limit was met. */
#define MAX_PENDING ((uint64_t)16 * 3072)

#define ENGINE_SMALL UINT32_C(0x80000000) /* ZEND_MM_IS_SRUN; with both bits: not the first page of its run */
#define ENGINE_LARGE UINT32_C(0x40000000) /* ZEND_MM_IS_LRUN */

const char xhprof_zmm_not_here[] = "PHP has no Zend heap: it runs without its memory manager (USE_ZEND_ALLOC=0?)";
static const char unknown[] = "the Zend heap's structure is unknown";
static const char no_memory[] = "not enough memory for the map of the Zend heap";
static const char bad_chunks[] = "the Zend heap's list of chunks is damaged";
static const char bad_pages[] = "a chunk of the Zend heap has a damaged page map";
static const char bad_free[] = "a list of free blocks of the Zend heap is damaged";
static const char bad_huge[] = "the Zend heap's list of huge blocks is damaged";
static const char bad_sums[] = "the Zend heap's blocks do not add up to its size";

static const unsigned char *load_page(xhprof_zmm *zmm, xhprof_addr address, unsigned char *copy)
{
	return xhprof_reader_load(zmm->reader, address, copy, XHPROF_ZMM_PAGE_SIZE);
}

/* ---- By address --------------------------------------------------------------------------------------------------------- */

static uint64_t key_of(const char *items, size_t width, size_t at)
{
	uint64_t key;
	memcpy(&key, items + at * width, sizeof(key));
	return key;
}

static void swap_items(char *items, size_t width, size_t a, size_t b)
{
	char held[sizeof(xhprof_zmm_huge)];
	memcpy(held, items + a * width, width);
	memcpy(items + a * width, items + b * width, width);
	memcpy(items + b * width, held, width);
}

static void sift_down(char *items, size_t width, size_t at, size_t count)
{
	for (size_t child; (child = 2 * at + 1) < count; at = child) {
		if (child + 1 < count && key_of(items, width, child + 1) > key_of(items, width, child)) {
			child++;
		}
		if (key_of(items, width, at) >= key_of(items, width, child)) {
			return;
		}
		swap_items(items, width, at, child);
	}
}

/* Sorts by the address that the items begin with. No qsort(): it may ask malloc for memory, or call itself deeply. */
static void sort_items(void *array, size_t width, size_t count)
{
	char *items = array;
	for (size_t at = count / 2; at-- > 0;) {
		sift_down(items, width, at, count);
	}
	for (size_t end = count; end-- > 1;) {
		swap_items(items, width, 0, end);
		sift_down(items, width, 0, end);
	}
}

/* ---- Chunks ------------------------------------------------------------------------------------------------------------- */

/* Follows the ring of chunks. Each has to point back to the one before it, so no part of the ring can be a loop of its
 * own. */
static const char *list_chunks(xhprof_zmm *zmm, uint64_t main_chunk, bool changing, uint64_t **list, size_t *count,
							   size_t *capacity)
{
	unsigned char copy[XHPROF_ZMM_CHUNK_PREV + 8];
	uint64_t before = 0, first_before = 0;
	for (uint64_t chunk = main_chunk;;) {
		const unsigned char *head = xhprof_reader_load(zmm->reader, chunk, copy, sizeof(copy));
		bool good = chunk % XHPROF_ZMM_CHUNK_SIZE == 0 && head && *count < MAX_CHUNKS &&
					xhprof_zmm_word(head, XHPROF_ZMM_CHUNK_HEAP) == zmm->heap &&
					(!before || xhprof_zmm_word(head, XHPROF_ZMM_CHUNK_PREV) == before);
		if (!good) {
			return changing && *count ? NULL : bad_chunks;
		}
		first_before = before ? first_before : xhprof_zmm_word(head, XHPROF_ZMM_CHUNK_PREV);
		if (*count == *capacity && !xhprof_pages_double((void **)list, sizeof(**list), capacity, 512)) {
			return no_memory;
		}
		(*list)[(*count)++] = chunk;
		before = chunk;
		chunk = xhprof_zmm_word(head, XHPROF_ZMM_CHUNK_NEXT);
		if (chunk == main_chunk) {
			return before == first_before || changing ? NULL : bad_chunks;
		}
	}
}

static const char *take_chunks(xhprof_zmm *zmm, uint64_t *list, size_t count)
{
	uint32_t bits = 4;
	while (((size_t)1 << bits) < 2 * count) {
		bits++;
	}
	size_t index_size = sizeof(uint32_t) << bits;
	zmm->chunk_pages = (count * sizeof(xhprof_zmm_chunk) + 63) / 64 * 64 + index_size;
	char *pages = xhprof_pages_map(zmm->chunk_pages);
	if (!pages) {
		return no_memory;
	}
	zmm->chunks = (xhprof_zmm_chunk *)(void *)pages;
	zmm->index = (uint32_t *)(void *)(pages + zmm->chunk_pages - index_size);
	zmm->index_mask = ((uint32_t)1 << bits) - 1;
	zmm->index_shift = 64 - bits;
	sort_items(list, sizeof(*list), count);
	for (size_t i = 0; i < count; i++) {
		if (i && list[i] == list[i - 1]) {
			continue; /* the ring changed while it was followed */
		}
		zmm->chunks[zmm->chunk_count].address = list[i];
		uint32_t at = (uint32_t)(xhprof_hash_spread(list[i] / XHPROF_ZMM_CHUNK_SIZE) >> zmm->index_shift);
		while (zmm->index[at]) {
			at = (at + 1) & zmm->index_mask;
		}
		zmm->index[at] = (uint32_t)++zmm->chunk_count;
	}
	return NULL;
}

static bool in_use(const unsigned char *bits, uint32_t page, uint32_t count)
{
	for (; count; page++, count--) {
		if (!(bits[page / 8] & 1 << page % 8)) {
			return false;
		}
	}
	return true;
}

static void add_live(xhprof_zmm_chunk *chunk, uint32_t offset)
{
	chunk->live[offset >> 9] |= UINT64_C(1) << (offset >> 3 & 63);
}

/* Adds the run that begins at a page: every block in it counts as live until the free lists have been read. Returns its
 * pages, or 0. */
static uint32_t add_run(xhprof_zmm *zmm, xhprof_zmm_chunk *chunk, const unsigned char *page, uint32_t first)
{
	const unsigned char *bits = page + zmm->layout.map - XHPROF_ZMM_FREE_MAP;
	uint32_t info = xhprof_zmm_half(page, zmm->layout.map + first * 4);
	uint32_t kind = info & (ENGINE_SMALL | ENGINE_LARGE);
	if (kind == ENGINE_LARGE) {
		uint32_t count = info & 0x3ff;
		if (!count || count > XHPROF_ZMM_PAGES - first || !in_use(bits, first, count)) {
			return 0;
		}
		for (uint32_t i = 0; i < count; i++) {
			chunk->map[first + i] = XHPROF_ZMM_LARGE | i << 16 | count;
		}
		add_live(chunk, first * XHPROF_ZMM_PAGE_SIZE);
		zmm->large_blocks++;
		zmm->large_bytes += (uint64_t)count * XHPROF_ZMM_PAGE_SIZE;
		return count;
	}
	uint32_t number = info & 0x1f;
	if (kind != ENGINE_SMALL || number >= XHPROF_ZMM_BINS) {
		return 0;
	}
	const xhprof_zmm_bin *bin = &xhprof_zmm_bins[number];
	if (bin->pages > XHPROF_ZMM_PAGES - first || !in_use(bits, first, bin->pages)) {
		return 0;
	}
	for (uint32_t i = 1; i < bin->pages; i++) {
		info = xhprof_zmm_half(page, zmm->layout.map + (first + i) * 4);
		if ((info & (ENGINE_SMALL | ENGINE_LARGE)) != (ENGINE_SMALL | ENGINE_LARGE) || (info & 0x1f) != number ||
			(info >> 16 & 0x1ff) != i) {
			return 0;
		}
	}
	for (uint32_t i = 0; i < bin->pages; i++) {
		chunk->map[first + i] = XHPROF_ZMM_SMALL | i << 16 | number;
	}
	for (uint32_t i = 0, offset = first * XHPROF_ZMM_PAGE_SIZE; i < bin->count; i++, offset += bin->size) {
		add_live(chunk, offset);
	}
	zmm->small_blocks += bin->count;
	zmm->small_bytes += (uint64_t)bin->count * bin->size;
	return bin->pages;
}

static const char *read_chunks(xhprof_zmm *zmm, bool changing)
{
	unsigned char copy[XHPROF_ZMM_PAGE_SIZE];
	for (size_t i = 0; i < zmm->chunk_count; i++) {
		xhprof_zmm_chunk *chunk = zmm->chunks + i;
		const unsigned char *page = load_page(zmm, chunk->address, copy);
		uint32_t used = 1;
		if (!page && changing) {
			continue;
		}
		if (!page || xhprof_zmm_half(page, zmm->layout.map) != (ENGINE_LARGE | 1)) {
			return bad_pages;
		}
		for (uint32_t at = 1; at < XHPROF_ZMM_PAGES;) {
			uint32_t count = 1;
			if (in_use(page + zmm->layout.map - XHPROF_ZMM_FREE_MAP, at, 1)) {
				count = add_run(zmm, chunk, page, at);
				if (!count && !changing) {
					return bad_pages;
				}
				used += count;
				count += !count;
			}
			at += count;
		}
		if (!changing && used + xhprof_zmm_half(page, zmm->layout.free_pages) != XHPROF_ZMM_PAGES) {
			return bad_pages;
		}
	}
	return NULL;
}

/* ---- Free blocks -------------------------------------------------------------------------------------------------------- */

/* Finds the live bit of a block that a list of this bin may hold: its word and mask. False for another one, or a block
 * already seen. */
static bool free_block(const xhprof_zmm *zmm, uint32_t number, xhprof_addr address, uint64_t **word, uint64_t *mask)
{
	xhprof_zmm_chunk *chunk = xhprof_zmm_chunk_of(zmm, address);
	if (!chunk || address % 8) {
		return false;
	}
	uint32_t offset = (uint32_t)(address - chunk->address);
	uint32_t info = chunk->map[offset / XHPROF_ZMM_PAGE_SIZE];
	if (!(info & XHPROF_ZMM_SMALL) || XHPROF_ZMM_BIN(info) != number) {
		return false;
	}
	/* Live bits are set only where blocks begin. */
	*word = &chunk->live[offset >> 9];
	*mask = UINT64_C(1) << (offset >> 3 & 63);
	return (**word & *mask) != 0;
}

/* Returns whether the free lists may begin there: their first entries lie in runs of their own bins. */
static bool slots_fit(const xhprof_zmm *zmm, const unsigned char *heap, uint32_t at)
{
	uint64_t *word, mask;
	for (uint32_t number = 0; number < XHPROF_ZMM_BINS; number++) {
		uint64_t slot = xhprof_zmm_word(heap, at + number * 8);
		if (slot && !free_block(zmm, number, slot, &word, &mask)) {
			return false;
		}
	}
	return true;
}

static const char *read_free(xhprof_zmm *zmm, const unsigned char *heap, bool changing)
{
	for (uint32_t number = 0; number < XHPROF_ZMM_BINS; number++) {
		uint64_t next = xhprof_zmm_word(heap, zmm->layout.free_slot + number * 8);
		while (next) {
			uint64_t *word, mask, copy;
			/* Every step clears a live bit, so a loop ends. */
			bool good = free_block(zmm, number, next, &word, &mask);
			const uint64_t *slot = good ? xhprof_reader_load(zmm->reader, next, &copy, sizeof(copy)) : NULL;
			if (!slot) {
				if (changing) {
					break;
				}
				return bad_free;
			}
			*word &= ~mask;
			zmm->small_blocks--;
			zmm->small_bytes -= xhprof_zmm_bins[number].size;
			next = *slot;
		}
	}
	return NULL;
}

/* ---- Huge blocks -------------------------------------------------------------------------------------------------------- */

static bool add_huge(xhprof_zmm *zmm, uint64_t entry, const uint64_t *link)
{
	if (zmm->huge_count == zmm->huge_capacity &&
		!xhprof_pages_double((void **)&zmm->huge, sizeof(*zmm->huge), &zmm->huge_capacity, 128)) {
		return false;
	}
	zmm->huge[zmm->huge_count++] = (xhprof_zmm_huge){.address = link[0], .size = link[1], .entry = entry};
	zmm->huge_bytes += link[1];
	return true;
}

/* Drops blocks that overlap others or chunks; true if there are none. */
static bool part_huge(xhprof_zmm *zmm)
{
	size_t kept = 0, chunk = 0;
	uint64_t end = 0;
	sort_items(zmm->huge, sizeof(*zmm->huge), zmm->huge_count);
	for (size_t i = 0; i < zmm->huge_count; i++) {
		const xhprof_zmm_huge huge = zmm->huge[i];
		while (chunk < zmm->chunk_count && zmm->chunks[chunk].address + XHPROF_ZMM_CHUNK_SIZE <= huge.address) {
			chunk++;
		}
		if (huge.address < end || (chunk < zmm->chunk_count && zmm->chunks[chunk].address < huge.address + huge.size)) {
			zmm->huge_bytes -= huge.size;
			continue;
		}
		end = huge.address + huge.size;
		zmm->huge[kept++] = huge;
	}
	bool all = kept == zmm->huge_count;
	zmm->huge_count = kept;
	return all;
}

static const char *read_huge(xhprof_zmm *zmm, uint64_t entry, bool changing)
{
	uint64_t copy[3], turtle = 0;
	zmm->huge_count = 0;
	zmm->huge_bytes = 0;
	for (size_t steps = 1; entry; steps++) {
		const uint64_t *link = NULL; /* ptr, size, next */
		if (entry % 8 == 0 && entry != turtle && steps < MAX_HUGE) {
			link = xhprof_reader_load(zmm->reader, entry, copy, sizeof(copy));
		}
		if (!link || !link[0] || link[0] % XHPROF_ZMM_CHUNK_SIZE || !link[1] || link[1] % XHPROF_ZMM_PAGE_SIZE ||
			link[0] > UINT64_MAX / 2 || link[1] > UINT64_MAX / 2 - link[0]) {
			if (changing) {
				break;
			}
			return bad_huge;
		}
		if ((steps & (steps - 1)) == 0) {
			turtle = entry; /* a loop reaches it again after at most as many steps as already made */
		}
		uint64_t next = link[2];
		if (!add_huge(zmm, entry, link)) {
			return no_memory;
		}
		entry = next;
	}
	return part_huge(zmm) || changing ? NULL : bad_huge;
}

/* Reads the chunks that the heap keeps for later. Their contents belong to no block. */
static void read_cached(xhprof_zmm *zmm, uint64_t chunk)
{
	uint64_t copy;
	for (uint64_t count = 0; chunk && chunk % XHPROF_ZMM_CHUNK_SIZE == 0 && count < zmm->cached_chunks; count++) {
		const uint64_t *next = xhprof_reader_load(zmm->reader, chunk + XHPROF_ZMM_CHUNK_NEXT, &copy, sizeof(copy));
		if (!next || count >= MAX_CHUNKS ||
			(zmm->cached_count == zmm->cached_capacity &&
			 !xhprof_pages_double((void **)&zmm->cached, sizeof(*zmm->cached), &zmm->cached_capacity, 512))) {
			break;
		}
		zmm->cached[zmm->cached_count++] = chunk;
		chunk = *next;
	}
	sort_items(zmm->cached, sizeof(*zmm->cached), zmm->cached_count);
}

/* ---- The heap ----------------------------------------------------------------------------------------------------------- */

static bool real_size_fits(const xhprof_zmm *zmm, const unsigned char *heap, const xhprof_zmm_layout *layout)
{
	uint64_t chunks = zmm->chunk_count + xhprof_zmm_half(heap, layout->cached_chunks_count);
	return xhprof_zmm_word(heap, layout->real_size) == chunks * XHPROF_ZMM_CHUNK_SIZE + zmm->huge_bytes;
}

/* Tries the possible places of the members; right are those for which all sums match. */
static const char *find_members(xhprof_zmm *zmm, const unsigned char *heap, uint64_t main_chunk, bool changing)
{
	const char *error = unknown;
	xhprof_zmm_layout layout = zmm->layout;
	size_t count = changing ? 0 : zmm->chunk_count;
	for (uint32_t from = 0; xhprof_zmm_layout_chunks(&layout, heap, from, main_chunk, count);
		 from = layout.main_chunk + 8) {
		const char *huge_error = read_huge(zmm, xhprof_zmm_word(heap, layout.huge_list), changing);
		if (huge_error) {
			error = huge_error;
			continue;
		}
		for (uint32_t at = 32; at + XHPROF_ZMM_BINS * 8 + 24 <= layout.huge_list; at += 8) {
			if (!slots_fit(zmm, heap, at)) {
				continue;
			}
			xhprof_zmm_layout_slots(&layout, at);
			if (real_size_fits(zmm, heap, &layout)) {
				layout.size = XHPROF_ZMM_HEAP_SIZE;
				layout.peak = XHPROF_ZMM_HEAP_PEAK;
				zmm->layout = layout;
				return NULL;
			}
			error = bad_sums;
		}
	}
	return error;
}

static const char *read_heap(xhprof_zmm *zmm, uint64_t main_chunk, bool changing)
{
	unsigned char page[XHPROF_ZMM_PAGE_SIZE];
	/* A copy by the kernel: without the memory manager this memory may be anything, and must not be read in place. */
	if ((zmm->reader->in_place && !xhprof_reader_readable(zmm->reader, main_chunk, sizeof(page))) ||
		xhprof_reader_copy(zmm->reader, main_chunk, page, sizeof(page)) != sizeof(page) ||
		xhprof_zmm_word(page, XHPROF_ZMM_CHUNK_HEAP) != zmm->heap) {
		return xhprof_zmm_not_here;
	}
	if (!xhprof_zmm_layout_map(&zmm->layout, page)) {
		return unknown;
	}
	uint64_t *list = NULL;
	size_t count = 0, capacity = 0;
	const char *error = list_chunks(zmm, main_chunk, changing, &list, &count, &capacity);
	error = error ? error : take_chunks(zmm, list, count);
	xhprof_pages_unmap(list, capacity * sizeof(*list));
	error = error ? error : read_chunks(zmm, changing);
	const unsigned char *heap = page + XHPROF_ZMM_HEAP_SLOT;
	error = error ? error : find_members(zmm, heap, main_chunk, changing);
	error = error ? error : read_free(zmm, heap, changing);
	if (error) {
		return error;
	}
	zmm->size = xhprof_zmm_word(heap, zmm->layout.size);
	zmm->peak = xhprof_zmm_word(heap, zmm->layout.peak);
	zmm->real_size = xhprof_zmm_word(heap, zmm->layout.real_size);
	zmm->limit = xhprof_zmm_word(heap, zmm->layout.limit);
	zmm->cached_chunks = xhprof_zmm_half(heap, zmm->layout.cached_chunks_count);
	zmm->live_bytes = zmm->small_bytes + zmm->large_bytes + zmm->huge_bytes;
	read_cached(zmm, xhprof_zmm_word(heap, zmm->layout.cached_chunks));
	zmm->mapped =
		zmm->cached_capacity * sizeof(*zmm->cached) + zmm->chunk_pages + zmm->huge_capacity * sizeof(*zmm->huge);
	if (!changing) {
		zmm->pending = zmm->size - zmm->live_bytes;
		if (zmm->size < zmm->live_bytes || zmm->pending > MAX_PENDING || zmm->pending % 8 || zmm->peak < zmm->size) {
			return bad_sums;
		}
	}
	return NULL;
}

const char *xhprof_zmm_open(xhprof_zmm *zmm, xhprof_reader *reader, xhprof_addr heap, xhprof_addr inside, bool changing)
{
	const char *error = xhprof_zmm_not_here;
	for (int tries = changing ? TRIES : 1; tries > 0; tries--) {
		uint64_t copy, chunk = inside & ~(XHPROF_ZMM_CHUNK_SIZE - 1);
		memset(zmm, 0, sizeof(*zmm));
		zmm->reader = reader;
		zmm->heap = heap;
		if (!heap) {
			const uint64_t *at = xhprof_reader_load(reader, chunk, &copy, sizeof(copy));
			zmm->heap = at ? *at : 0;
		}
		/* Without the memory manager the structure is elsewhere, or missing. */
		if (zmm->heap % XHPROF_ZMM_CHUNK_SIZE != XHPROF_ZMM_HEAP_SLOT) {
			return xhprof_zmm_not_here;
		}
		error = read_heap(zmm, zmm->heap - XHPROF_ZMM_HEAP_SLOT, changing);
		if (!error) {
			return NULL;
		}
		xhprof_zmm_close(zmm);
	}
	return error;
}

void xhprof_zmm_add(xhprof_zmm *zmm, xhprof_addr address, uint64_t size)
{
	uint64_t link[] = {address, size ? size : 1};
	add_huge(zmm, 0, link);
}

void xhprof_zmm_open_added(xhprof_zmm *zmm, xhprof_reader *reader)
{
	zmm->reader = reader;
	part_huge(zmm);
	zmm->live_bytes = zmm->huge_bytes;
}

void xhprof_zmm_close(xhprof_zmm *zmm)
{
	xhprof_pages_unmap(zmm->chunks, zmm->chunk_pages);
	xhprof_pages_unmap(zmm->huge, zmm->huge_capacity * sizeof(*zmm->huge));
	xhprof_pages_unmap(zmm->cached, zmm->cached_capacity * sizeof(*zmm->cached));
	xhprof_table_release(&zmm->outside);
	zmm->cached = NULL;
	zmm->chunks = NULL;
	zmm->index = NULL;
	zmm->huge = NULL;
	zmm->chunk_count = zmm->huge_count = zmm->huge_capacity = zmm->cached_count = zmm->cached_capacity = 0;
}
