/* Zend heaps made by hand, whole and damaged, read as another process's memory. */
#include "unit.h"

#include "base/arena.h"
#include "heap/zmm_blocks.h"

#include <stdlib.h>

#define CHUNKS 4
#define CHUNK XHPROF_ZMM_CHUNK_SIZE
#define PAGE XHPROF_ZMM_PAGE_SIZE
#define HUGE_AT UINT64_C(0x7f5500000000)

/* Offsets of members in versions of PHP. */
typedef struct known {
	uint32_t map, free_slot, huge_list;
} known;

static const known known_layouts[] = {
	{520, 32, 304}, /* 8.2.32 */
	{544, 32, 320}, /* 8.2.35 */
	{608, 40, 312}, /* 8.4 */
};

/* Not in the order of the ring. */
static const uint64_t chunk_at[CHUNKS] = {UINT64_C(0x7f0000600000), UINT64_C(0x7f0000200000), UINT64_C(0x7f0000400000),
										  UINT64_C(0x7e1200000000)};

/* Cached chunks; only their links to the next one are read. */
static const uint64_t cached_at[2] = {UINT64_C(0x7f1100000000), UINT64_C(0x7f1000000000)};
static uint64_t cached_words[2][3] = {{0, UINT64_C(0x7f1000000000), 0}, {0, 0, 0}};

typedef struct fake {
	xhprof_reader reader; /* first: the reader's functions receive it */
	const known *known;
	unsigned char *chunks[CHUNKS];
	uint64_t size, huge, entry;
	unsigned reads, tear; /* every `tear`-th read returns a changed word */
} fake;

static unsigned char *fake_at(fake *heap, uint64_t address, size_t size)
{
	for (int i = 0; i < CHUNKS; i++) {
		if (address >= chunk_at[i] && address - chunk_at[i] <= CHUNK - size) {
			return heap->chunks[i] + (address - chunk_at[i]);
		}
	}
	for (int i = 0; i < 2; i++) {
		if (address >= cached_at[i] && address - cached_at[i] <= sizeof(cached_words[i]) - size) {
			return (unsigned char *)cached_words[i] + (address - cached_at[i]);
		}
	}
	return NULL;
}

static bool fake_copy(xhprof_reader *reader, uint64_t address, void *to, size_t size)
{
	fake *heap = (fake *)reader;
	const unsigned char *from = fake_at(heap, address, size);
	if (from) {
		memcpy(to, from, size);
		if (heap->tear && ++heap->reads % heap->tear == 0) {
			((unsigned char *)to)[(size_t)rand() % size] ^= (unsigned char)(1 + rand() % 255);
		}
	}
	return from != NULL;
}

static uint64_t *word_at(fake *heap, uint64_t address)
{
	return (uint64_t *)(void *)fake_at(heap, address, 8);
}

static uint32_t *half_at(fake *heap, uint64_t address)
{
	return (uint32_t *)(void *)fake_at(heap, address, 4);
}

static uint64_t *member(fake *heap, uint32_t offset)
{
	return word_at(heap, chunk_at[0] + 64 + offset);
}

static uint32_t *page_info(fake *heap, int chunk, uint32_t page)
{
	return half_at(heap, chunk_at[chunk] + heap->known->map + page * 4);
}

static void take_pages(fake *heap, int chunk, uint32_t page, uint32_t count)
{
	uint32_t *free_pages = half_at(heap, chunk_at[chunk] + 24), *free_tail = free_pages + 1;
	*free_pages -= count;
	*free_tail = *free_tail > page + count ? *free_tail : page + count;
	for (; count; page++, count--) {
		heap->chunks[chunk][heap->known->map - 64 + page / 8] |= (unsigned char)(1 << page % 8);
	}
}

static void fake_large(fake *heap, int chunk, uint32_t page, uint32_t count)
{
	take_pages(heap, chunk, page, count);
	*page_info(heap, chunk, page) = 0x40000000 | count;
	heap->size += (uint64_t)count * PAGE;
}

/* A run of a bin; its first `live` blocks are in use, the others in the free list, odd ones first. */
static uint64_t fake_run(fake *heap, int chunk, uint32_t page, uint32_t number, uint32_t live)
{
	const xhprof_zmm_bin *bin = &xhprof_zmm_bins[number];
	uint64_t start = chunk_at[chunk] + page * PAGE;
	take_pages(heap, chunk, page, bin->pages);
	*page_info(heap, chunk, page) = 0x80000000 | number | 3 << 16; /* with a counter of gc's */
	for (uint32_t i = 1; i < bin->pages; i++) {
		*page_info(heap, chunk, page + i) = 0xc0000000 | number | i << 16;
	}
	uint64_t *head = member(heap, heap->known->free_slot + number * 8);
	for (uint32_t odd = 0; odd < 2; odd++) {
		for (uint32_t i = live; i < bin->count; i++) {
			if (i % 2 == odd) {
				*word_at(heap, start + i * bin->size) = *head;
				*head = start + i * bin->size;
			}
		}
	}
	heap->size += (uint64_t)live * bin->size;
	return start;
}

static void fake_sums(fake *heap)
{
	uint32_t real = heap->known->free_slot + 240;
	*member(heap, 16) = heap->size;
	*member(heap, 24) = heap->size + 100000;
	*member(heap, real) = (CHUNKS + 2) * CHUNK + heap->huge;
	*member(heap, real + 8) = (CHUNKS + 9) * CHUNK;
	*member(heap, real + 16) = 128 << 20;
	uint64_t *list = member(heap, heap->known->huge_list);
	list[0] = heap->entry;
	list[1] = chunk_at[0];
	list[2] = cached_at[0];
	list[3] = CHUNKS | UINT64_C(9) << 32;
	list[4] = 2;
}

static void fake_huge(fake *heap, uint64_t entry, uint64_t address, uint64_t size)
{
	uint64_t *link = word_at(heap, entry);
	link[0] = address;
	link[1] = size;
	link[2] = heap->entry;
	heap->entry = entry;
	heap->huge += size;
	heap->size += size;
}

/* Fills the memory with chunks of some blocks of every bin. */
static void fake_fill(fake *heap, const known *known)
{
	heap->reader.copy = fake_copy;
	heap->known = known;
	heap->size = heap->huge = heap->entry = 0;
	heap->reads = heap->tear = 0;
	for (int i = 0; i < CHUNKS; i++) {
		unsigned char *chunk = heap->chunks[i];
		memset(chunk, 0, PAGE);
		*(uint64_t *)(void *)chunk = chunk_at[0] + 64;
		*(uint64_t *)(void *)(chunk + 8) = chunk_at[(i + 1) % CHUNKS];
		*(uint64_t *)(void *)(chunk + 16) = chunk_at[(i + CHUNKS - 1) % CHUNKS];
		*half_at(heap, chunk_at[i] + 24) = 512;
		take_pages(heap, i, 0, 1);
		*page_info(heap, i, 0) = 0x40000001;
	}
	if (known->free_slot == 40) {
		*member(heap, 32) = UINT64_C(0x1234567890abcdef); /* shadow_key */
	}
	uint32_t page = 1;
	for (uint32_t number = known->free_slot == 40; number < XHPROF_ZMM_BINS; number++) {
		fake_run(heap, (int)number % 2, page, number, number % (xhprof_zmm_bins[number].count + 1u));
		page += 8;
	}
	fake_run(heap, 3, 504, 26, 16);                /* to the page before the last */
	uint64_t entries = fake_run(heap, 3, 1, 2, 3); /* of 24 bytes */
	fake_large(heap, 3, 511, 1);
	fake_large(heap, 2, 1, 511); /* the whole chunk */
	fake_huge(heap, entries, HUGE_AT, 3 << 20);
	fake_huge(heap, entries + 24, HUGE_AT + 2 * CHUNK, CHUNK);
	fake_huge(heap, entries + 48, UINT64_C(0x7d0000000000), CHUNK + PAGE);
	/* A free page keeps its old contents. */
	*page_info(heap, 3, 100) = 0x40000005;
	*page_info(heap, 2, 7) = 0x8000001f;
	fake_sums(heap);
}

typedef struct sums {
	uint64_t blocks, bytes, last, disorder;
	xhprof_zmm *claim; /* to claim the given blocks */
} sums;

static void add_block(void *context, const xhprof_zmm_block *block)
{
	sums *sum = context;
	xhprof_zmm_block same;
	sum->blocks++;
	sum->bytes += block->size;
	sum->disorder += block->address < sum->last;
	sum->last = block->address + block->size;
	if (sum->claim) {
		sum->disorder += !xhprof_zmm_claim(sum->claim, block->address, &same) || same.size != block->size;
	}
}

static void layouts_are_found(fake *heap)
{
	for (size_t i = 0; i < sizeof(known_layouts) / sizeof(*known_layouts); i++) {
		xhprof_zmm zmm;
		sums all = {0}, unclaimed = {0};
		fake_fill(heap, known_layouts + i);
		const char *error = xhprof_zmm_open(&zmm, &heap->reader, chunk_at[0] + 64, 0, false);
		CHECK(!error);
		CHECK(zmm.layout.map == heap->known->map && zmm.layout.free_slot == heap->known->free_slot);
		CHECK(zmm.layout.huge_list == heap->known->huge_list && zmm.layout.main_chunk == heap->known->huge_list + 8);
		CHECK(zmm.live_bytes == heap->size && zmm.size == heap->size && zmm.pending == 0);
		CHECK(zmm.peak == heap->size + 100000 && zmm.limit == 128 << 20 && zmm.cached_chunks == 2);
		CHECK(zmm.real_size == (CHUNKS + 2) * CHUNK + heap->huge && zmm.huge_bytes == heap->huge);
		CHECK(zmm.chunk_count == CHUNKS && zmm.huge_count == 3 && zmm.large_blocks == 2);
		CHECK(zmm.mapped < 5 * CHUNKS * CHUNK / 100);
		xhprof_zmm_each(&zmm, false, add_block, &all);
		CHECK(all.bytes == heap->size && !all.disorder);
		CHECK(all.blocks == zmm.small_blocks + zmm.large_blocks + zmm.huge_count);
		unclaimed.claim = &zmm;
		xhprof_zmm_each(&zmm, true, add_block, &unclaimed);
		CHECK(unclaimed.blocks == all.blocks && !unclaimed.disorder);
		xhprof_zmm_each(&zmm, true, add_block, &unclaimed);
		CHECK(unclaimed.blocks == all.blocks);
		xhprof_zmm_close(&zmm);
		/* From any address in any chunk. */
		CHECK(!xhprof_zmm_open(&zmm, &heap->reader, 0, chunk_at[3] + 77777, false));
		CHECK(zmm.heap == chunk_at[0] + 64 && zmm.live_bytes == heap->size);
		xhprof_zmm_close(&zmm);
	}
}

static uint64_t block_at(const xhprof_zmm *zmm, uint64_t address, uint64_t size)
{
	xhprof_zmm_block block;
	return xhprof_zmm_block_of(zmm, address, &block) && block.size == size ? block.address : 0;
}

static bool owned(const xhprof_zmm *zmm, uint64_t address)
{
	xhprof_zmm_block block;
	bool claimed;
	return xhprof_zmm_look(zmm, address, &block, &claimed) && claimed;
}

static void all_blocks_are_found(fake *heap)
{
	xhprof_zmm zmm;
	xhprof_zmm_block block;
	fake_fill(heap, known_layouts);
	CHECK(!xhprof_zmm_open(&zmm, &heap->reader, chunk_at[0] + 64, 0, false));
	uint64_t run = chunk_at[3] + 504 * PAGE; /* 16 blocks of 1792 bytes, all live: exactly 7 pages */
	CHECK(block_at(&zmm, run, 1792) == run && block_at(&zmm, run + 1791, 1792) == run);
	CHECK(block_at(&zmm, run + 1792, 1792) == run + 1792);
	CHECK(block_at(&zmm, run + 7 * PAGE - 1, 1792) == run + 15 * 1792);
	CHECK(block_at(&zmm, run + 7 * PAGE, PAGE) == run + 7 * PAGE);
	CHECK(!xhprof_zmm_block_of(&zmm, chunk_at[3] + CHUNK, &block));
	uint64_t entries = chunk_at[3] + PAGE; /* 170 of 24 bytes, 3 live; a rest of 16 bytes */
	CHECK(block_at(&zmm, entries + 71, 24) == entries + 48);
	CHECK(!xhprof_zmm_block_of(&zmm, entries + 72, &block) && !xhprof_zmm_block_of(&zmm, entries + 4095, &block));
	CHECK(!xhprof_zmm_block_of(&zmm, chunk_at[3] + 100, &block));        /* header */
	CHECK(!xhprof_zmm_block_of(&zmm, chunk_at[3] + 100 * PAGE, &block)); /* free */
	CHECK(block_at(&zmm, chunk_at[2] + CHUNK - 1, 511 * PAGE) == chunk_at[2] + PAGE);
	CHECK(block_at(&zmm, HUGE_AT + (3 << 20) - 1, 3 << 20) == HUGE_AT);
	CHECK(!xhprof_zmm_block_of(&zmm, HUGE_AT + (3 << 20), &block));
	CHECK(block_at(&zmm, HUGE_AT + 2 * CHUNK, CHUNK) == HUGE_AT + 2 * CHUNK);
	CHECK(!xhprof_zmm_block_of(&zmm, 0, &block) && !xhprof_zmm_block_of(&zmm, UINT64_MAX, &block));
	CHECK(zmm.huge[1].address == HUGE_AT && zmm.huge[1].entry == entries);

	CHECK(!owned(&zmm, run));
	CHECK(!xhprof_zmm_claim(&zmm, run + 5, &block) && !xhprof_zmm_claim(&zmm, run + 8, &block) && !owned(&zmm, run));
	CHECK(xhprof_zmm_claim(&zmm, run, &block) && block.address == run && block.size == 1792);
	CHECK(!xhprof_zmm_claim(&zmm, run, &block) && owned(&zmm, run));
	CHECK(owned(&zmm, run + 8) && !owned(&zmm, run + 1792));
	CHECK(!xhprof_zmm_claim(&zmm, HUGE_AT + 9, &block) && !xhprof_zmm_claim(&zmm, HUGE_AT + 8, &block));
	CHECK(xhprof_zmm_claim(&zmm, HUGE_AT, &block) && block.address == HUGE_AT && block.size == 3 << 20);
	CHECK(!xhprof_zmm_claim(&zmm, HUGE_AT, &block) && owned(&zmm, HUGE_AT));
	CHECK(!xhprof_zmm_claim(&zmm, entries + 72, &block) && !xhprof_zmm_claim(&zmm, 12345, &block));

	CHECK(!xhprof_zmm_is_seen(&zmm, run) && !xhprof_zmm_is_seen(&zmm, 4096) && !xhprof_zmm_is_seen(&zmm, 0));
	CHECK(xhprof_zmm_mark_seen(&zmm, run) && !xhprof_zmm_mark_seen(&zmm, run) && xhprof_zmm_is_seen(&zmm, run));
	CHECK(xhprof_zmm_mark_seen(&zmm, run + 8) && xhprof_zmm_mark_seen(&zmm, run + 4) &&
		  !xhprof_zmm_mark_seen(&zmm, run + 4));
	CHECK(xhprof_zmm_mark_seen(&zmm, 4096) && !xhprof_zmm_mark_seen(&zmm, 4096) && !xhprof_zmm_mark_seen(&zmm, 0));
	CHECK(xhprof_zmm_is_seen(&zmm, 4096) && xhprof_zmm_is_seen(&zmm, run + 4) && !xhprof_zmm_is_seen(&zmm, run + 16));
	CHECK(xhprof_zmm_end_of(&zmm, run) == chunk_at[3] + CHUNK && !xhprof_zmm_end_of(&zmm, chunk_at[3] + CHUNK));
	CHECK(xhprof_zmm_end_of(&zmm, HUGE_AT + 9) == HUGE_AT + (3 << 20));
	CHECK(zmm.cached_count == 2 && xhprof_zmm_end_of(&zmm, cached_at[0]) == cached_at[0] + CHUNK);
	CHECK(xhprof_zmm_end_of(&zmm, cached_at[1] + 77) == cached_at[1] + CHUNK);
	CHECK(!xhprof_zmm_end_of(&zmm, cached_at[1] - 1) && !xhprof_zmm_end_of(&zmm, cached_at[0] + CHUNK));
	xhprof_zmm_block first = {run + 1792, 1792}, second = {run + 2 * 1792, 1792}, huge = {HUGE_AT, 3 << 20};
	CHECK(xhprof_zmm_mark_seen(&zmm, first.address) && !xhprof_zmm_is_resolved(&zmm, &first));
	xhprof_zmm_mark_resolved(&zmm, first.address);
	CHECK(xhprof_zmm_is_resolved(&zmm, &first) && !xhprof_zmm_is_resolved(&zmm, &second));
	CHECK(xhprof_zmm_mark_seen(&zmm, second.address + 8) && !xhprof_zmm_is_resolved(&zmm, &second));
	CHECK(!xhprof_zmm_is_resolved(&zmm, &huge));
	xhprof_zmm_mark_resolved(&zmm, huge.address);
	xhprof_zmm_mark_resolved(&zmm, 16);
	CHECK(xhprof_zmm_is_resolved(&zmm, &huge));
	uint64_t mapped = zmm.mapped;
	unit_mmaps = 0;
	for (uint64_t i = 1; i <= 2000; i++) {
		xhprof_zmm_mark_seen(&zmm, UINT64_C(0x10000000) + i);
	}
	unit_mmaps = -1;
	CHECK(zmm.unrecorded > 0 && zmm.unrecorded < 2000 && zmm.mapped == mapped);
	CHECK(xhprof_zmm_mark_seen(&zmm, UINT64_C(0x20000000)) && zmm.mapped > mapped);
	xhprof_zmm_close(&zmm);
	/* Nothing is readable any more: no answers, no crash. */
	CHECK(!xhprof_zmm_block_of(&zmm, run, &block) && !xhprof_zmm_claim(&zmm, HUGE_AT, &block));
}

/* Whether the reader refuses the current heap with this word in the reason, and survives reading it while it changes. */
static bool refused(fake *heap, const char *word)
{
	xhprof_zmm zmm;
	sums all = {0};
	const char *error = xhprof_zmm_open(&zmm, &heap->reader, chunk_at[0] + 64, 0, false);
	bool as_expected = error && strstr(error, word) && !strchr(error, '\n');
	if (!as_expected) {
		printf("# %s: %s\n", word, error ? error : "accepted");
	}
	if (!error) {
		xhprof_zmm_close(&zmm);
	}
	if (!xhprof_zmm_open(&zmm, &heap->reader, chunk_at[0] + 64, 0, true)) {
		xhprof_zmm_each(&zmm, false, add_block, &all);
		as_expected &= all.bytes == zmm.live_bytes;
		xhprof_zmm_close(&zmm);
	}
	fake_fill(heap, heap->known);
	return as_expected;
}

#define REFUSED(change, word)       \
	do {                            \
		change;                     \
		CHECK(refused(heap, word)); \
	} while (0)

static void damaged_heaps_are_refused(fake *heap)
{
	xhprof_zmm zmm;
	uint64_t entries = chunk_at[3] + PAGE;
	for (size_t i = 0; i < sizeof(known_layouts) / sizeof(*known_layouts); i++) {
		fake_fill(heap, known_layouts + i);
		uint32_t slots = heap->known->free_slot, map = heap->known->map;
		uint64_t *next = word_at(heap, chunk_at[1] + 8), *slot = member(heap, slots + 2 * 8);
		/* The ring of chunks. */
		REFUSED(*next = chunk_at[1], "list of chunks");
		REFUSED(*next = chunk_at[3], "list of chunks");
		REFUSED(*next = chunk_at[0], "list of chunks");
		REFUSED(*next = 0, "list of chunks");
		REFUSED(*next = chunk_at[2] + 8, "list of chunks");
		REFUSED(*next = UINT64_C(0x7fffffe00000), "list of chunks");
		REFUSED(*word_at(heap, chunk_at[2]) = chunk_at[1] + 64, "list of chunks");
		REFUSED(*word_at(heap, chunk_at[2] + 16) = chunk_at[0], "list of chunks");
		/* Its main chunk. */
		REFUSED(*word_at(heap, chunk_at[0]) = 5, "no Zend heap");
		REFUSED(*page_info(heap, 0, 0) = 0x40000002, "unknown");
		REFUSED(*half_at(heap, chunk_at[0] + 24) = 3, "unknown");
		REFUSED(*member(heap, heap->known->huge_list + 8) = 0, "unknown");
		REFUSED(*member(heap, heap->known->huge_list + 24) = CHUNKS + 1, "unknown");
		/* Page maps. */
		REFUSED(*page_info(heap, 2, 0) = 0, "page map");
		REFUSED(*page_info(heap, 2, 1) = 0x40000000, "page map");
		REFUSED(*page_info(heap, 2, 1) = 0x400003ff, "page map");
		REFUSED(*page_info(heap, 2, 1) = 0, "page map");
		REFUSED(*page_info(heap, 2, 1) = 0xc0000000, "page map");
		REFUSED(*page_info(heap, 3, 504) = 0x8000001f, "page map");
		REFUSED(*page_info(heap, 3, 505) = 0xc000001a, "page map");
		REFUSED(*page_info(heap, 3, 511) = 0x8000001d, "page map");
		REFUSED(heap->chunks[3][map - 64 + 20] = 1, "page map");
		REFUSED(heap->chunks[3][map - 64 + 63] = 0x40, "page map");
		REFUSED(*half_at(heap, chunk_at[3] + 24) = 1, "page map");
		/* Free lists: a loop, a block in use, of another bin, between blocks, in a header, nowhere. */
		REFUSED(*word_at(heap, *slot) = *slot, "free blocks");
		REFUSED(*word_at(heap, *word_at(heap, *slot)) = *slot, "free blocks");
		REFUSED(*word_at(heap, *slot) = chunk_at[3] + 504 * PAGE, "free blocks");
		REFUSED(*word_at(heap, *slot) = *slot + 8, "free blocks");
		REFUSED(*word_at(heap, *slot) = *slot + 1, "free blocks");
		REFUSED(*word_at(heap, *slot) = chunk_at[0] + 64, "free blocks");
		REFUSED(*word_at(heap, *slot) = 24, "free blocks");
		REFUSED(*word_at(heap, *slot) = entries + 170 * 24, "free blocks");
		REFUSED(*word_at(heap, *slot) = 0, "add up");
		REFUSED(*slot = entries + 1, "unknown");
		/* Huge blocks. */
		REFUSED(word_at(heap, entries)[2] = entries + 48, "huge blocks");
		REFUSED(word_at(heap, entries)[2] = entries, "huge blocks");
		REFUSED(word_at(heap, entries)[2] = 8, "huge blocks");
		REFUSED(word_at(heap, entries)[2] = entries + 1, "huge blocks");
		REFUSED(word_at(heap, entries)[0] += PAGE, "huge blocks");
		REFUSED(word_at(heap, entries)[0] = 0, "huge blocks");
		REFUSED(word_at(heap, entries)[0] = HUGE_AT + 2 * CHUNK, "huge blocks");
		REFUSED(word_at(heap, entries)[0] = chunk_at[1], "huge blocks");
		REFUSED(word_at(heap, entries)[1] = 0, "huge blocks");
		REFUSED(word_at(heap, entries)[1] = 100, "huge blocks");
		REFUSED(word_at(heap, entries)[1] = UINT64_MAX - PAGE + 1, "huge blocks");
		REFUSED(word_at(heap, entries)[1] += PAGE, "add up");
		/* Sums. */
		REFUSED(*member(heap, 16) -= 8, "add up");
		REFUSED(*member(heap, 16) += 8 * PAGE * 4, "add up");
		REFUSED(*member(heap, 16) += 4, "add up");
		REFUSED(*member(heap, 24) = 5, "add up");
		REFUSED(*member(heap, slots + 240) += CHUNK, "add up");
	}
	/* Memory that memory_limit refused stays counted. */
	*member(heap, 16) += 3072 + 56;
	CHECK(!xhprof_zmm_open(&zmm, &heap->reader, chunk_at[0] + 64, 0, false));
	CHECK(zmm.pending == 3072 + 56 && zmm.live_bytes == heap->size);
	xhprof_zmm_close(&zmm);
	/* malloc'd instead of in a chunk. */
	CHECK(xhprof_zmm_open(&zmm, &heap->reader, chunk_at[0] + 80, 0, false) != NULL);
	CHECK(xhprof_zmm_open(&zmm, &heap->reader, 64, 0, true) != NULL);
	CHECK(xhprof_zmm_open(&zmm, &heap->reader, 0, 0, false) != NULL);
	CHECK(xhprof_zmm_open(&zmm, &heap->reader, 0, UINT64_MAX, true) != NULL);
}

static void heap_without_memory_is_refused(fake *heap)
{
	xhprof_zmm zmm;
	fake_fill(heap, known_layouts);
	for (int maps = 0; maps < 5; maps++) {
		unit_mmaps = maps;
		const char *error = xhprof_zmm_open(&zmm, &heap->reader, chunk_at[0] + 64, 0, false);
		unit_mmaps = -1;
		CHECK(maps >= 3 ? !error : error && strstr(error, "not enough memory"));
		if (!error) {
			xhprof_zmm_close(&zmm);
		}
	}
}

/* Queries a heap that has been read, right or wrong, for all blocks and for random addresses. */
/* Blocks of another allocator, in any order; an empty one is a block, too. */
static void blocks_of_other_allocators_are_found(void)
{
	xhprof_zmm zmm = {0};
	xhprof_reader reader = {0};
	xhprof_zmm_block block;
	sums all = {0};
	xhprof_zmm_add(&zmm, 0x5000, 40);
	xhprof_zmm_add(&zmm, 0x1008, 16);
	xhprof_zmm_add(&zmm, 0x3000, 0);
	xhprof_zmm_open_added(&zmm, &reader);
	CHECK(zmm.reader == &reader && zmm.live_bytes == 57);
	xhprof_zmm_each(&zmm, false, add_block, &all);
	CHECK(all.blocks == 3 && all.bytes == 57 && !all.disorder);
	CHECK(xhprof_zmm_block_of(&zmm, 0x5027, &block) && block.address == 0x5000 && block.size == 40);
	CHECK(!xhprof_zmm_block_of(&zmm, 0x5028, &block) && !xhprof_zmm_block_of(&zmm, 0x1000, &block));
	CHECK(!xhprof_zmm_claim(&zmm, 0x1010, &block) && xhprof_zmm_claim(&zmm, 0x1008, &block) && block.size == 16);
	CHECK(!xhprof_zmm_claim(&zmm, 0x1008, &block) && xhprof_zmm_claim(&zmm, 0x3000, &block));
	CHECK(xhprof_zmm_mark_seen(&zmm, 0x1008) && !xhprof_zmm_mark_seen(&zmm, 0x1008));
	xhprof_zmm_close(&zmm);
	xhprof_zmm_close(&zmm);
}

static bool ask(xhprof_zmm *zmm)
{
	sums all = {0};
	xhprof_zmm_block block;
	xhprof_zmm_each(zmm, false, add_block, &all);
	for (int i = 0; i < 200; i++) {
		uint64_t address = chunk_at[rand() % CHUNKS] + (uint64_t)rand() % CHUNK;
		if (xhprof_zmm_block_of(zmm, address, &block)) {
			all.disorder += address < block.address || address - block.address >= block.size;
		}
		xhprof_zmm_claim(zmm, address, &block);
		xhprof_zmm_mark_seen(zmm, address);
	}
	return all.bytes == zmm->live_bytes && !all.disorder;
}

/* Replaces words of the structures by others, and makes reads return something else than the read before. */
static void random_damage_is_survived(fake *heap)
{
	unsigned wrong = 0, read = 0, read_changing = 0;
	srand(2);
	for (int round = 0; round < 4000; round++) {
		fake_fill(heap, known_layouts + round % 3);
		for (int change = rand() % 6; change > 0; change--) {
			uint64_t at = chunk_at[rand() % CHUNKS];
			switch (rand() % 4) {
				case 0: /* the heap's structure */
					at = chunk_at[0] + 64 + (uint64_t)rand() % (heap->known->map - 128) / 8 * 8;
					break;
				case 1: /* a page map, or the words before it */
					at += (uint64_t)rand() % 2600 / 8 * 8;
					break;
				default: /* a free block, a huge block's entry, or nothing */
					at += PAGE + (uint64_t)rand() % (rand() % 2 ? 30 * 8 * PAGE : PAGE) / 8 * 8;
			}
			uint64_t *word = word_at(heap, at);
			switch (rand() % 5) {
				case 0:
					*word ^= UINT64_C(1) << rand() % 64;
					break;
				case 1:
					*word = chunk_at[rand() % CHUNKS] + (uint64_t)rand() % CHUNK / 8 * 8;
					break;
				case 2:
					*word = *word_at(heap, chunk_at[rand() % CHUNKS] + (uint64_t)rand() % 4096 / 8 * 8);
					break;
				case 3:
					*word = (uint64_t)(int64_t)(rand() % 5 - 2);
					break;
				default:
					*word = (uint64_t)rand() << 33 ^ (uint64_t)rand();
			}
		}
		heap->tear = round % 2 ? 1 + (unsigned)rand() % 500 : 0;
		for (int changing = 0; changing < 2; changing++) {
			xhprof_zmm zmm;
			if (!xhprof_zmm_open(&zmm, &heap->reader, chunk_at[0] + 64, 0, changing != 0)) {
				read += !changing;
				read_changing += changing != 0;
				wrong += !ask(&zmm);
				xhprof_zmm_close(&zmm);
			}
		}
	}
	printf("# of 4000 damaged heaps %u are read, %u when they may change\n", read, read_changing);
	CHECK(wrong == 0);
	CHECK(read > 200 && read_changing > read && read_changing < 4000);
}

int main(void)
{
	static fake heap;
	for (int i = 0; i < CHUNKS; i++) {
		heap.chunks[i] = calloc(1, CHUNK);
	}
	layouts_are_found(&heap);
	all_blocks_are_found(&heap);
	damaged_heaps_are_refused(&heap);
	heap_without_memory_is_refused(&heap);
	random_damage_is_survived(&heap);
	blocks_of_other_allocators_are_found();
	for (int i = 0; i < CHUNKS; i++) {
		free(heap.chunks[i]);
	}
	return unit_end();
}
