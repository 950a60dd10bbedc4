#include "block_map.h"

#include <string.h>

/* The largest window of addresses; its array is reserved, 4 MB of it per GB. */
#define LARGEST_WINDOW ((size_t)1 << 34)
#define LEAST_WINDOW ((size_t)1 << 26)
#define ROOT_SHIFT (XHPROF_ZMM_CHUNK_BITS + XHPROF_LEAF_BITS)
#define PAGES_BYTES (XHPROF_ZMM_PAGES * sizeof(xhprof_block_page)) /* of a chunk */

bool xhprof_block_map_begin(xhprof_block_map *map, bool by_pages, uint32_t max_blocks,
							xhprof_block_map_displaced displaced, void *context)
{
	size_t all = SIZE_MAX;
	xhprof_block_map_recycle(map, &all);
	map->by_pages = by_pages;
	map->room = map->max_blocks = max_blocks;
	map->displaced = displaced;
	map->context = context;
	if (by_pages) {
		map->root = xhprof_pages_reserve(sizeof(*map->root) << XHPROF_ROOT_BITS);
		return map->root != NULL;
	}
	return true;
}

static void drop_leaf(xhprof_block_map *map, size_t number)
{
	if (map->root[number]) {
		xhprof_pages_unmap(map->root[number], sizeof(void *) << XHPROF_LEAF_BITS);
		map->root[number] = NULL;
		map->leaves--;
	}
}

void xhprof_block_map_recycle(xhprof_block_map *map, size_t *budget)
{
	if (map->root) {
		for (const xhprof_block_chunk *chunk = map->chunks; chunk && map->leaves; chunk = chunk->next) {
			drop_leaf(map, chunk->base >> ROOT_SHIFT);
		}
		for (size_t i = 0; map->leaves && i < (size_t)1 << XHPROF_ROOT_BITS; i++) { /* without memory for a chunk */
			drop_leaf(map, i);
		}
		xhprof_pages_unmap(map->root, sizeof(*map->root) << XHPROF_ROOT_BITS);
	}
	xhprof_pages_unmap(map->window.pages, map->window.bytes / XHPROF_ZMM_CHUNK_SIZE * PAGES_BYTES);
	xhprof_table_release(&map->large);
	xhprof_arena_recycle(&map->arena, budget);
	xhprof_arena arena = map->arena;
	memset(map, 0, sizeof(*map));
	map->arena = arena;
}

void xhprof_block_map_release(xhprof_block_map *map)
{
	size_t nothing = 0;
	xhprof_block_map_recycle(map, &nothing);
	xhprof_arena_release(&map->arena);
}

void xhprof_block_map_close(xhprof_block_map *map)
{
	map->window.base = UINTPTR_MAX / 2 + 1; /* no address of a program is from there on */
}

size_t xhprof_block_map_bytes(const xhprof_block_map *map)
{
	return map->arena.mapped + map->in_window + map->large.capacity * sizeof(xhprof_table_slot);
}

static uint32_t records_per_page(size_t size)
{
	return size >= XHPROF_ZMM_PAGE_SIZE ? 1 : (uint32_t)((XHPROF_ZMM_PAGE_SIZE - 1) / size + 1);
}

/* Returns the bytes of an array of records and their types; a free array holds the pointer to the next one. */
static size_t array_bytes(uint32_t records)
{
	return (records * (sizeof(xhprof_record) + sizeof(uint16_t)) + 7) & ~(size_t)7;
}

static uint16_t *page_types(const xhprof_block_page *page)
{
	return (uint16_t *)(page->records + records_per_page(page->size));
}

/* Returns whether the map may take more memory. The number of blocks is no sufficient bound, as pages keep their arrays
 * when all blocks are gone. */
static bool may_grow(const xhprof_block_map *map)
{
	return map->arena.mapped + map->in_window <= (size_t)map->max_blocks * 16 + XHPROF_ZMM_CHUNK_SIZE;
}

static xhprof_record *take_records(xhprof_block_map *map, uint32_t records)
{
	void *array = map->free_records[records];
	if (!array) {
		return may_grow(map) ? xhprof_arena_alloc(&map->arena, array_bytes(records), 8) : NULL;
	}
	map->free_records[records] = *(void **)array;
	memset(array, 0, array_bytes(records));
	return array;
}

static void displace_record(xhprof_block_map *map, xhprof_record *record, size_t size)
{
	xhprof_record gone = *record;
	record->node = 0;
	map->room++;
	map->displaced(map->context, gone, size);
}

/* Forgets the records of a page, which the heap has given to blocks of another size. */
static void page_forget(xhprof_block_map *map, xhprof_block_page *page)
{
	if (!page->size) {
		return;
	}
	uint32_t records = records_per_page(page->size);
	for (uint32_t i = 0; i < records; i++) {
		if (page->records[i].node) {
			displace_record(map, &page->records[i], page->size);
		}
	}
	*(void **)page->records = map->free_records[records];
	map->free_records[records] = page->records;
	*page = (xhprof_block_page){0};
}

static bool page_begin(xhprof_block_map *map, xhprof_block_page *page, size_t size)
{
	page_forget(map, page);
	xhprof_record *records = take_records(map, records_per_page(size));
	if (!records) {
		return false;
	}
	page->records = records;
	page->size = (uint32_t)size;
	/* A page or more: the place is always 0. */
	page->reciprocal = size >= XHPROF_ZMM_PAGE_SIZE ? 0 : (uint32_t)(((UINT64_C(1) << 32) + size - 1) / size);
	return true;
}

/* Returns whether a block is in the hash. Blocks of the Zend heap that begin where a chunk does are huge ones. */
static bool is_large(const xhprof_block_map *map, uintptr_t address)
{
	return !map->by_pages || address % XHPROF_ZMM_CHUNK_SIZE == 0;
}

/* Returns the page that contains an address; NULL if nothing was registered in its chunk. */
static xhprof_block_page *find_page(const xhprof_block_map *map, uintptr_t address)
{
	uintptr_t number = address >> XHPROF_ZMM_CHUNK_BITS;
	if (number >> (XHPROF_ROOT_BITS + XHPROF_LEAF_BITS)) {
		return NULL;
	}
	void **leaf = map->root[number >> XHPROF_LEAF_BITS];
	xhprof_block_chunk *chunk = leaf ? leaf[number & ((1u << XHPROF_LEAF_BITS) - 1)] : NULL;
	return chunk ? &chunk->pages[address / XHPROF_ZMM_PAGE_SIZE % XHPROF_ZMM_PAGES] : NULL;
}

/* Places the window around the first chunk that is used: the system maps new chunks below it, and above it where pages
 * became free. Without memory for a window all blocks take the slow path. */
static void place_window(xhprof_block_map *map, uintptr_t address)
{
	if (map->chunks) {
		return;
	}
	for (size_t bytes = LARGEST_WINDOW; !map->window.bytes && bytes >= LEAST_WINDOW; bytes /= 4) {
		map->window.pages = xhprof_pages_scatter(bytes / XHPROF_ZMM_CHUNK_SIZE * PAGES_BYTES);
		map->window.bytes = map->window.pages ? bytes : 0;
	}
	uintptr_t base = address & ~(XHPROF_ZMM_CHUNK_SIZE - 1), below = map->window.bytes / 4 * 3;
	map->window.base = base > below ? base - below : XHPROF_ZMM_CHUNK_SIZE; /* without the address 0 */
}

/* Returns the array of a chunk's pages; NULL without memory. */
static xhprof_block_page *chunk_pages(xhprof_block_map *map, uintptr_t base)
{
	if (!xhprof_block_window_has(&map->window, base)) {
		return xhprof_arena_alloc(&map->arena, PAGES_BYTES, 64);
	}
	map->in_window += PAGES_BYTES;
	return xhprof_block_window_page(&map->window, base);
}

static xhprof_block_chunk *make_chunk(xhprof_block_map *map, uintptr_t base)
{
	xhprof_block_chunk *chunk = may_grow(map) ? xhprof_arena_alloc(&map->arena, sizeof(*chunk), 8) : NULL;
	if (chunk) {
		place_window(map, base);
		*chunk = (xhprof_block_chunk){.next = map->chunks, .base = base, .pages = chunk_pages(map, base)};
	}
	if (!chunk || !chunk->pages) {
		return NULL;
	}
	return map->chunks = chunk;
}

static xhprof_block_page *make_page(xhprof_block_map *map, uintptr_t address)
{
	uintptr_t number = address >> XHPROF_ZMM_CHUNK_BITS;
	if (number >> (XHPROF_ROOT_BITS + XHPROF_LEAF_BITS)) {
		return NULL;
	}
	void ***leaf = &map->root[number >> XHPROF_LEAF_BITS];
	if (!*leaf) {
		if (!(*leaf = xhprof_pages_reserve(sizeof(void *) << XHPROF_LEAF_BITS))) {
			return NULL;
		}
		map->leaves++;
	}
	void **entry = &(*leaf)[number & ((1u << XHPROF_LEAF_BITS) - 1)];
	if (!*entry) {
		*entry = make_chunk(map, address & ~(XHPROF_ZMM_CHUNK_SIZE - 1));
	}
	return *entry ? find_page(map, address) : NULL;
}

static bool add_large(xhprof_block_map *map, uintptr_t address, size_t size, xhprof_record record)
{
	xhprof_large_record *large = xhprof_table_find(&map->large, address);
	if (large) {
		displace_record(map, &large->record, large->size);
	} else {
		large = map->free_large;
		if (large) {
			map->free_large = large->next_free;
		} else if (!(large = xhprof_arena_alloc(&map->arena, sizeof(*large), 8))) {
			return false;
		}
		if (!xhprof_table_put(&map->large, address, large)) {
			large->next_free = map->free_large;
			map->free_large = large;
			return false;
		}
	}
	*large = (xhprof_large_record){record, size, 0, NULL};
	map->room--;
	return true;
}

bool xhprof_block_map_add_slow(xhprof_block_map *map, uintptr_t address, size_t size, xhprof_record record)
{
	if (map->room <= 0 || !size) {
		map->room = map->room < 0 ? 0 : map->room;
		return false;
	}
	if (is_large(map, address)) {
		return add_large(map, address, size, record);
	}
	xhprof_block_page *page = make_page(map, address);
	if (!page || (page->size != size && !page_begin(map, page, size))) {
		return false;
	}
	xhprof_record *place = xhprof_block_map_record(page, address);
	if (place->node) {
		displace_record(map, place, size);
	}
	*place = record;
	map->room--;
	return true;
}

static size_t remove_large(xhprof_block_map *map, uintptr_t address, xhprof_record *record)
{
	xhprof_large_record *large = address ? xhprof_table_remove(&map->large, address) : NULL;
	if (!large) {
		return 0;
	}
	*record = large->record;
	large->record.node = 0;
	large->next_free = map->free_large;
	map->free_large = large;
	map->room++;
	return large->size;
}

size_t xhprof_block_map_remove_slow(xhprof_block_map *map, uintptr_t address, xhprof_record *record)
{
	if (is_large(map, address)) {
		return remove_large(map, address, record);
	}
	const xhprof_block_page *page = find_page(map, address);
	return page && page->size ? xhprof_block_map_take(map, page, address, record) : 0;
}

static const xhprof_record *find_record(const xhprof_block_map *map, uintptr_t address, uint16_t **type, size_t *size)
{
	if (!address) {
		return NULL;
	}
	if (is_large(map, address)) {
		xhprof_large_record *large = xhprof_table_find(&map->large, address);
		*type = large ? &large->type : NULL;
		*size = large ? large->size : 0;
		return large ? &large->record : NULL;
	}
	xhprof_block_page *page = find_page(map, address);
	if (!page || !page->size) {
		return NULL;
	}
	const xhprof_record *record = xhprof_block_map_record(page, address);
	*type = &page_types(page)[record - page->records];
	*size = page->size;
	return record->node ? record : NULL;
}

const xhprof_record *xhprof_block_map_find_sized(const xhprof_block_map *map, uintptr_t address, size_t *size)
{
	uint16_t *type;
	return find_record(map, address, &type, size);
}

const xhprof_record *xhprof_block_map_find(const xhprof_block_map *map, uintptr_t address)
{
	size_t size;
	return xhprof_block_map_find_sized(map, address, &size);
}

uint16_t *xhprof_block_map_type(xhprof_block_map *map, uintptr_t address)
{
	uint16_t *type;
	size_t size;
	return find_record(map, address, &type, &size) ? type : NULL;
}

void xhprof_block_map_each(xhprof_block_map *map, xhprof_block_map_visit visit, void *context)
{
	for (xhprof_block_chunk *chunk = map->chunks; chunk; chunk = chunk->next) {
		for (size_t i = 0; i < XHPROF_ZMM_PAGES; i++) {
			xhprof_block_page *page = &chunk->pages[i];
			if (!page->size) {
				continue;
			}
			/* The offset of a block in its slot was not kept: the page's address will do. */
			uint32_t records = records_per_page(page->size);
			for (uint32_t place = 0; place < records; place++) {
				if (page->records[place].node) {
					visit(context, chunk->base + i * XHPROF_ZMM_PAGE_SIZE, page->size, &page->records[place],
						  &page_types(page)[place]);
				}
			}
		}
	}
	for (uint32_t i = 0; i < map->large.capacity; i++) {
		const xhprof_table_slot *slot = &map->large.slots[i];
		if (slot->key) {
			xhprof_large_record *large = slot->value;
			visit(context, slot->key, large->size, &large->record, &large->type);
		}
	}
}

/* Gives the records the new ids of nodes, by the pages of chunks and not by visits: there may be millions of blocks.
 * Records without a block have no node, and keep that. */
void xhprof_block_map_moved(xhprof_block_map *map, const xhprof_shedding *shedding)
{
	for (xhprof_block_chunk *chunk = map->chunks; chunk; chunk = chunk->next) {
		for (size_t i = 0; i < XHPROF_ZMM_PAGES; i++) {
			const xhprof_block_page *page = &chunk->pages[i];
			uint32_t records = page->size ? records_per_page(page->size) : 0;
			for (uint32_t place = 0; place < records; place++) {
				page->records[place].node = xhprof_shedding_id(shedding, page->records[place].node);
			}
		}
	}
	for (uint32_t i = 0; i < map->large.capacity; i++) {
		if (map->large.slots[i].key) {
			xhprof_large_record *large = map->large.slots[i].value;
			large->record.node = xhprof_shedding_id(shedding, large->record.node);
		}
	}
}
