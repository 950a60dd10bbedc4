/* Calibration of the memory manager's private structures; see zmm_layout.h. */
#include "zmm_layout.h"

/* The bins of Zend/zend_alloc_sizes.h: number, size, blocks and pages of a run. They are the same in all supported
 * versions; with the header at hand, the compiler checks them. */
#define BINS(X)        \
	X(0, 8, 512, 1)    \
	X(1, 16, 256, 1)   \
	X(2, 24, 170, 1)   \
	X(3, 32, 128, 1)   \
	X(4, 40, 102, 1)   \
	X(5, 48, 85, 1)    \
	X(6, 56, 73, 1)    \
	X(7, 64, 64, 1)    \
	X(8, 80, 51, 1)    \
	X(9, 96, 42, 1)    \
	X(10, 112, 36, 1)  \
	X(11, 128, 32, 1)  \
	X(12, 160, 25, 1)  \
	X(13, 192, 21, 1)  \
	X(14, 224, 18, 1)  \
	X(15, 256, 16, 1)  \
	X(16, 320, 64, 5)  \
	X(17, 384, 32, 3)  \
	X(18, 448, 9, 1)   \
	X(19, 512, 8, 1)   \
	X(20, 640, 32, 5)  \
	X(21, 768, 16, 3)  \
	X(22, 896, 9, 2)   \
	X(23, 1024, 8, 2)  \
	X(24, 1280, 16, 5) \
	X(25, 1536, 8, 3)  \
	X(26, 1792, 16, 7) \
	X(27, 2048, 8, 4)  \
	X(28, 2560, 8, 5)  \
	X(29, 3072, 4, 3)

#if defined(__has_include)
#if __has_include("zend_alloc_sizes.h")
#include "zend_alloc_sizes.h"
#define SUM(number, size, count, pages) +(number + 1) * (size * UINT64_C(1000003) + count * UINT64_C(1009) + pages)
#define ENGINE_SUM(number, size, count, pages, x, y) SUM(number, size, count, pages)
_Static_assert((0 BINS(SUM)) == (0 ZEND_MM_BINS_INFO(ENGINE_SUM, 0, 0)), "bins of this PHP");
_Static_assert(XHPROF_ZMM_CHUNK_SIZE == ZEND_MM_CHUNK_SIZE, "chunks of this PHP");
_Static_assert(XHPROF_ZMM_PAGE_SIZE == ZEND_MM_PAGE_SIZE, "pages of this PHP");
#endif
#endif

#define BIN(number, size, count, pages) {size, count, pages, (uint32_t)(((UINT64_C(1) << 32) + size - 1) / size)},

const xhprof_zmm_bin xhprof_zmm_bins[XHPROF_ZMM_BINS] = {BINS(BIN)};

#define PAGE_0 UINT32_C(0x40000001) /* a block of one page: the chunk's header */
#define MAP_BYTES (XHPROF_ZMM_PAGES * 4)

static int bits_in(const unsigned char *map)
{
	int bits = 0;
	for (uint32_t at = 0; at < XHPROF_ZMM_FREE_MAP; at += 8) {
		bits += __builtin_popcountll(xhprof_zmm_word(map, at));
	}
	return bits;
}

/* Returns whether so many pages of the chunk are in use, if its number of free pages is at this place. */
static bool counts_pages(const unsigned char *page, uint32_t free_pages, uint32_t used)
{
	uint32_t tail = xhprof_zmm_half(page, free_pages + 4);
	return xhprof_zmm_half(page, free_pages) + used == XHPROF_ZMM_PAGES && tail && tail <= XHPROF_ZMM_PAGES;
}

bool xhprof_zmm_layout_map(xhprof_zmm_layout *layout, const unsigned char *page)
{
	uint32_t first = XHPROF_ZMM_HEAP_SLOT + XHPROF_ZMM_FREE_MAP;
	for (uint32_t map = first; map <= XHPROF_ZMM_PAGE_SIZE - MAP_BYTES; map += 8) {
		const unsigned char *bits = page + map - XHPROF_ZMM_FREE_MAP;
		if (xhprof_zmm_half(page, map) != PAGE_0 || !(bits[0] & 1)) {
			continue;
		}
		uint32_t used = (uint32_t)bits_in(bits);
		for (uint32_t at = XHPROF_ZMM_CHUNK_FREE_PAGES; at <= XHPROF_ZMM_CHUNK_FREE_PAGES_LAST; at += 8) {
			if (counts_pages(page, at, used)) {
				layout->free_pages = at;
				layout->map = map;
				layout->heap_size = map - first;
				return true;
			}
		}
	}
	return false;
}

bool xhprof_zmm_layout_chunks(xhprof_zmm_layout *layout, const unsigned char *heap, uint32_t from, uint64_t main_chunk,
							  size_t chunk_count)
{
	/* huge_list, main_chunk, cached_chunks; int chunks_count, peak_chunks_count, cached_chunks_count */
	for (uint32_t at = from < 8 ? 8 : from; at + 32 <= layout->heap_size; at += 8) {
		uint64_t huge = xhprof_zmm_word(heap, at - 8), cached = xhprof_zmm_word(heap, at + 8);
		if (xhprof_zmm_word(heap, at) == main_chunk && huge % 8 == 0 && cached % XHPROF_ZMM_CHUNK_SIZE == 0 &&
			(!chunk_count || xhprof_zmm_half(heap, at + 16) == chunk_count) &&
			(cached != 0) == (xhprof_zmm_half(heap, at + 24) != 0)) {
			layout->huge_list = at - 8;
			layout->main_chunk = at;
			layout->cached_chunks = at + 8;
			layout->chunks_count = at + 16;
			layout->cached_chunks_count = at + 24;
			return true;
		}
	}
	return false;
}

void xhprof_zmm_layout_slots(xhprof_zmm_layout *layout, uint32_t at)
{
	layout->free_slot = at;
	layout->real_size = at + XHPROF_ZMM_BINS * 8;
	layout->limit = layout->real_size + 16; /* real_peak is between them */
}
