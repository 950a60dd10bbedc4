/* The live-block map: the allocating node of the block at an address. The Zend heap lays out small blocks by size: all
 * blocks that begin in one of its pages are equally large. So the address alone gives the place of a block's record, in
 * an array of its page as long as the page holds such blocks, and the size is kept once per page. Blocks of any other
 * heap, and huge ones, are in a hash. */
#ifndef XHPROF_ALLOC_BLOCK_MAP_H
#define XHPROF_ALLOC_BLOCK_MAP_H

#include "base/arena.h"
#include "base/table.h"
#include "compat/heap_geometry.h"
#include "trace/shedding.h"

/* Number of bits of an address. Higher addresses are not registered; user space on x86_64 and aarch64 ends below. */
#define XHPROF_ADDRESS_BITS 48
#define XHPROF_LEAF_BITS 13
#define XHPROF_ROOT_BITS (XHPROF_ADDRESS_BITS - XHPROF_ZMM_CHUNK_BITS - XHPROF_LEAF_BITS)

typedef struct xhprof_record {
	uint32_t node; /* the allocating node; 0: no block */
	uint32_t mark; /* number of marks made before the allocation */
} xhprof_record;

typedef struct xhprof_block_page {
	xhprof_record *records; /* one for each block that can begin here, and after them their types as uint16_t */
	uint32_t size;          /* size of every block that begins here; 0: nothing registered here yet */
	uint32_t reciprocal;    /* 2^32 / size, rounded up */
} xhprof_block_page;

typedef struct xhprof_block_chunk {
	struct xhprof_block_chunk *next; /* the next of all chunks */
	uintptr_t base;
	xhprof_block_page *pages; /* XHPROF_ZMM_PAGES of them */
} xhprof_block_chunk;

/* A block in the hash. */
typedef struct xhprof_large_record {
	xhprof_record record;
	size_t size;
	uint16_t type;
	struct xhprof_large_record *next_free;
} xhprof_large_record;

/* Reports a block whose free was not seen, and whose place another block has taken. */
typedef void (*xhprof_block_map_displaced)(void *context, xhprof_record record, size_t size);

/* The addresses that nearly all chunks are in, as the system puts new pages beside the last ones: their pages are in one
 * array, most of which is never touched. */
typedef struct xhprof_block_window {
	uintptr_t base;           /* address of a chunk */
	size_t bytes;             /* whole chunks; 0: no window (yet) */
	xhprof_block_page *pages; /* the pages of all chunks of the window */
} xhprof_block_window;

typedef struct xhprof_block_map {
	xhprof_block_window window;
	int64_t room; /* number of blocks that still fit; below 0 before a slow path, which finds that none fits */
	uint32_t max_blocks;
	bool by_pages; /* addresses are the Zend heap's own */
	xhprof_block_map_displaced displaced;
	void *context;

	xhprof_arena arena;
	size_t in_window; /* bytes in use of the window's array */
	void ***root;     /* address bits -> leaves -> chunks */
	uint32_t leaves;
	xhprof_block_chunk *chunks;
	void *free_records[XHPROF_ZMM_PAGE_SIZE / 8 + 1]; /* by number of records */
	xhprof_table large;                               /* address -> xhprof_large_record */
	xhprof_large_record *free_large;
} xhprof_block_map;

/* Begins an empty map. False without memory. */
bool xhprof_block_map_begin(xhprof_block_map *map, bool by_pages, uint32_t max_blocks,
							xhprof_block_map_displaced displaced, void *context);
void xhprof_block_map_release(xhprof_block_map *map);

/* Releases the map, but keeps at most `*budget` bytes of pages with records for the next begin. */
void xhprof_block_map_recycle(xhprof_block_map *map, size_t *budget);

/* Ends adding and removing: the inline functions take their slow paths. The blocks can still be read. */
void xhprof_block_map_close(xhprof_block_map *map);

/* Returns the number of bytes that the map has mapped. */
size_t xhprof_block_map_bytes(const xhprof_block_map *map);

/* Calls visit(context, address, size, record, type) for every block; `type` may be written. */
typedef void (*xhprof_block_map_visit)(void *context, uintptr_t address, size_t size, const xhprof_record *record,
									   uint16_t *type);
void xhprof_block_map_each(xhprof_block_map *map, xhprof_block_map_visit visit, void *context);

/* Follows nodes that have moved: all records refer to the nodes that have their blocks now. */
void xhprof_block_map_moved(xhprof_block_map *map, const xhprof_shedding *shedding);

/* Returns the record of the block at exactly this address; NULL if it is not registered. */
const xhprof_record *xhprof_block_map_find(const xhprof_block_map *map, uintptr_t address);

/* The same, with the block's size. */
const xhprof_record *xhprof_block_map_find_sized(const xhprof_block_map *map, uintptr_t address, size_t *size);

/* Returns the place for the type of the block at exactly this address; NULL if it is not registered. */
uint16_t *xhprof_block_map_type(xhprof_block_map *map, uintptr_t address);

/* The slow paths of the inline functions below: for chunks outside of the window, huge blocks, new pages and
 * records. */
bool xhprof_block_map_add_slow(xhprof_block_map *map, uintptr_t address, size_t size, xhprof_record record);
size_t xhprof_block_map_remove_slow(xhprof_block_map *map, uintptr_t address, xhprof_record *record);

static inline uint32_t xhprof_block_map_blocks(const xhprof_block_map *map)
{
	return map->max_blocks - (uint32_t)map->room;
}

static inline bool xhprof_block_window_has(const xhprof_block_window *window, uintptr_t address)
{
	return address - window->base < window->bytes;
}

/* Returns the page of an address in the window. The first page of a chunk has no blocks: a block that begins there is a
 * huge one. */
static inline xhprof_block_page *xhprof_block_window_page(const xhprof_block_window *window, uintptr_t address)
{
	return &window->pages[(address - window->base) / XHPROF_ZMM_PAGE_SIZE];
}

static inline xhprof_record *xhprof_block_map_record(const xhprof_block_page *page, uintptr_t address)
{
	return &page->records[address % XHPROF_ZMM_PAGE_SIZE * (uint64_t)page->reciprocal >> 32];
}

/* Returns the place for the record of a new block, which the caller writes; NULL: the caller takes the slow path, as
 * for few blocks. The size is not 0. */
static inline xhprof_record *xhprof_block_map_place(xhprof_block_map *map, uintptr_t address, size_t size)
{
	if (__builtin_expect(!xhprof_block_window_has(&map->window, address), 0)) {
		return NULL;
	}
	const xhprof_block_page *page = xhprof_block_window_page(&map->window, address);
	if (__builtin_expect(page->size != size, 0)) {
		return NULL;
	}
	xhprof_record *place = xhprof_block_map_record(page, address);
	if (__builtin_expect(place->node != 0, 0)) {
		return NULL;
	}
	return __builtin_expect(--map->room < 0, 0) ? NULL : place;
}

/* Adds a block. False if there was no room for its record. */
static inline bool xhprof_block_map_add(xhprof_block_map *map, uintptr_t address, size_t size, xhprof_record record)
{
	xhprof_record *place = size ? xhprof_block_map_place(map, address, size) : NULL;
	if (__builtin_expect(place != NULL, 1)) {
		*place = record;
		return true;
	}
	return xhprof_block_map_add_slow(map, address, size, record);
}

/* Removes a block of a page that has blocks; returns its size, or 0 if it is not registered. */
static inline size_t xhprof_block_map_take(xhprof_block_map *map, const xhprof_block_page *page, uintptr_t address,
										   xhprof_record *record)
{
	xhprof_record *place = xhprof_block_map_record(page, address);
	if (!place->node) {
		return 0;
	}
	*record = *place;
	place->node = 0;
	map->room++;
	return page->size;
}

/* Removes a block; gives its record and returns its size, or 0 if it is not registered. */
static inline size_t xhprof_block_map_remove(xhprof_block_map *map, uintptr_t address, xhprof_record *record)
{
	if (__builtin_expect(xhprof_block_window_has(&map->window, address), 1)) {
		const xhprof_block_page *page = xhprof_block_window_page(&map->window, address);
		if (__builtin_expect(page->size != 0, 1)) {
			return xhprof_block_map_take(map, page, address, record);
		}
	}
	return xhprof_block_map_remove_slow(map, address, record);
}

#endif
