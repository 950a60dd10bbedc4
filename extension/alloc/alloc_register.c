#include "alloc_register.h"

#include <string.h>

/* No block lies within a chunk's size of it. */
#define NO_CHUNK ((uintptr_t)1 << 62)

bool xhprof_register_begin(xhprof_register *reg, bool by_pages, uint32_t max_blocks, xhprof_register_lost lost,
						   void *context)
{
	xhprof_register_release(reg);
	reg->by_pages = by_pages;
	reg->room = reg->max_blocks = max_blocks;
	reg->adding.base = reg->taking.base = NO_CHUNK;
	reg->lost = lost;
	reg->context = context;
	if (by_pages) {
		reg->root = xhprof_pages_reserve(sizeof(*reg->root) << XHPROF_ROOT_BITS);
		return reg->root != NULL;
	}
	return true;
}

void xhprof_register_release(xhprof_register *reg)
{
	if (reg->root) {
		for (size_t i = 0; reg->chunks && i < (size_t)1 << XHPROF_ROOT_BITS; i++) {
			xhprof_pages_unmap(reg->root[i], sizeof(void *) << XHPROF_LEAF_BITS);
		}
		xhprof_pages_unmap(reg->root, sizeof(*reg->root) << XHPROF_ROOT_BITS);
	}
	xhprof_arena_release(&reg->arena);
	xhprof_table_release(&reg->large);
	memset(reg, 0, sizeof(*reg));
}

size_t xhprof_register_bytes(const xhprof_register *reg)
{
	return reg->arena.mapped + reg->large.capacity * sizeof(xhprof_table_slot);
}

static uint32_t records_per_page(size_t size)
{
	return size >= XHPROF_ZMM_PAGE_SIZE ? 1 : (uint32_t)((XHPROF_ZMM_PAGE_SIZE - 1) / size + 1);
}

/* Of records and their types; a free array holds the pointer to the next one. */
static size_t array_bytes(uint32_t records)
{
	return (records * (sizeof(xhprof_record) + sizeof(uint16_t)) + 7) & ~(size_t)7;
}

static uint16_t *page_types(const xhprof_register_page *page)
{
	return (uint16_t *)(page->records + records_per_page(page->size));
}

/* Pages keep their arrays when all blocks are gone, so the number of blocks is not a sufficient bound. */
static bool may_grow(const xhprof_register *reg)
{
	return reg->arena.mapped <= (size_t)reg->max_blocks * 16 + XHPROF_ZMM_CHUNK_SIZE;
}

static xhprof_record *take_array(xhprof_register *reg, uint32_t records)
{
	void *array = reg->free_records[records];
	if (!array) {
		return may_grow(reg) ? xhprof_arena_alloc(&reg->arena, array_bytes(records), 8) : NULL;
	}
	reg->free_records[records] = *(void **)array;
	memset(array, 0, array_bytes(records));
	return array;
}

static void lose(xhprof_register *reg, xhprof_record *record, size_t size)
{
	xhprof_record gone = *record;
	record->node = 0;
	reg->room++;
	reg->lost(reg->context, gone, size);
}

/* The heap has given the page to blocks of another size. */
static void page_forget(xhprof_register *reg, xhprof_register_page *page)
{
	if (!page->size) {
		return;
	}
	uint32_t records = records_per_page(page->size);
	for (uint32_t i = 0; i < records; i++) {
		if (page->records[i].node) {
			lose(reg, &page->records[i], page->size);
		}
	}
	*(void **)page->records = reg->free_records[records];
	reg->free_records[records] = page->records;
	*page = (xhprof_register_page){0};
}

static bool page_begin(xhprof_register *reg, xhprof_register_page *page, size_t size)
{
	page_forget(reg, page);
	xhprof_record *records = take_array(reg, records_per_page(size));
	if (!records) {
		return false;
	}
	page->records = records;
	page->size = (uint32_t)size;
	/* A page or more: the place is always 0. */
	page->reciprocal = size >= XHPROF_ZMM_PAGE_SIZE ? 0 : (uint32_t)(((UINT64_C(1) << 32) + size - 1) / size);
	return true;
}

/* Blocks of the Zend heap that begin with a chunk are huge ones. */
static bool is_large(const xhprof_register *reg, uintptr_t address)
{
	return !reg->by_pages || address % XHPROF_ZMM_CHUNK_SIZE == 0;
}

/* The page an address lies in; NULL when nothing was registered in its chunk. */
static xhprof_register_page *find_page(const xhprof_register *reg, uintptr_t address)
{
	uintptr_t number = address >> XHPROF_ZMM_CHUNK_BITS;
	if (number >> (XHPROF_ROOT_BITS + XHPROF_LEAF_BITS)) {
		return NULL;
	}
	void **leaf = reg->root[number >> XHPROF_LEAF_BITS];
	xhprof_register_chunk *chunk = leaf ? leaf[number & ((1u << XHPROF_LEAF_BITS) - 1)] : NULL;
	return chunk ? &chunk->pages[address / XHPROF_ZMM_PAGE_SIZE % XHPROF_ZMM_PAGES] : NULL;
}

static void note_chunk(xhprof_register_near *near, uintptr_t address, xhprof_register_page *page)
{
	near->base = address & ~(XHPROF_ZMM_CHUNK_SIZE - 1);
	near->pages = page - address / XHPROF_ZMM_PAGE_SIZE % XHPROF_ZMM_PAGES;
}

static xhprof_register_page *make_page(xhprof_register *reg, uintptr_t address)
{
	uintptr_t number = address >> XHPROF_ZMM_CHUNK_BITS;
	if (number >> (XHPROF_ROOT_BITS + XHPROF_LEAF_BITS)) {
		return NULL;
	}
	void ***leaf = &reg->root[number >> XHPROF_LEAF_BITS];
	if (!*leaf && !(*leaf = xhprof_pages_reserve(sizeof(void *) << XHPROF_LEAF_BITS))) {
		return NULL;
	}
	void **entry = &(*leaf)[number & ((1u << XHPROF_LEAF_BITS) - 1)];
	if (!*entry) {
		xhprof_register_chunk *chunk = may_grow(reg) ? xhprof_arena_alloc(&reg->arena, sizeof(*chunk), 64) : NULL;
		if (!chunk) {
			return NULL;
		}
		chunk->base = address & ~(XHPROF_ZMM_CHUNK_SIZE - 1);
		chunk->next = reg->chunks;
		reg->chunks = chunk;
		*entry = chunk;
	}
	return find_page(reg, address);
}

static bool add_large(xhprof_register *reg, uintptr_t address, size_t size, xhprof_record record)
{
	xhprof_large_record *large = xhprof_table_find(&reg->large, address);
	if (large) {
		lose(reg, &large->record, large->size);
	} else {
		large = reg->free_large;
		if (large) {
			reg->free_large = large->next_free;
		} else if (!(large = xhprof_arena_alloc(&reg->arena, sizeof(*large), 8))) {
			return false;
		}
		if (!xhprof_table_put(&reg->large, address, large)) {
			large->next_free = reg->free_large;
			reg->free_large = large;
			return false;
		}
	}
	*large = (xhprof_large_record){record, size, 0, NULL};
	reg->room--;
	return true;
}

bool xhprof_register_add_slowly(xhprof_register *reg, uintptr_t address, size_t size, xhprof_record record)
{
	if (!reg->room || !size) {
		return false;
	}
	if (is_large(reg, address)) {
		return add_large(reg, address, size, record);
	}
	xhprof_register_page *page = make_page(reg, address);
	if (!page || (page->size != size && !page_begin(reg, page, size))) {
		return false;
	}
	note_chunk(&reg->adding, address, page);
	xhprof_record *place = xhprof_register_record(page, address);
	if (place->node) {
		lose(reg, place, size);
	}
	*place = record;
	reg->room--;
	return true;
}

static size_t take_large(xhprof_register *reg, uintptr_t address, xhprof_record *record)
{
	xhprof_large_record *large = address ? xhprof_table_remove(&reg->large, address) : NULL;
	if (!large) {
		return 0;
	}
	*record = large->record;
	large->record.node = 0;
	large->next_free = reg->free_large;
	reg->free_large = large;
	reg->room++;
	return large->size;
}

size_t xhprof_register_take_slowly(xhprof_register *reg, uintptr_t address, xhprof_record *record)
{
	if (is_large(reg, address)) {
		return take_large(reg, address, record);
	}
	xhprof_register_page *page = find_page(reg, address);
	if (!page) {
		return 0;
	}
	note_chunk(&reg->taking, address, page);
	return xhprof_register_take(reg, address, record);
}

static const xhprof_record *find(const xhprof_register *reg, uintptr_t address, uint16_t **type)
{
	if (!address) {
		return NULL;
	}
	if (is_large(reg, address)) {
		xhprof_large_record *large = xhprof_table_find(&reg->large, address);
		*type = large ? &large->type : NULL;
		return large ? &large->record : NULL;
	}
	xhprof_register_page *page = find_page(reg, address);
	if (!page || !page->size) {
		return NULL;
	}
	const xhprof_record *record = xhprof_register_record(page, address);
	*type = &page_types(page)[record - page->records];
	return record->node ? record : NULL;
}

const xhprof_record *xhprof_register_find(const xhprof_register *reg, uintptr_t address)
{
	uint16_t *type;
	return find(reg, address, &type);
}

uint16_t *xhprof_register_type(xhprof_register *reg, uintptr_t address)
{
	uint16_t *type;
	return find(reg, address, &type) ? type : NULL;
}

void xhprof_register_each(xhprof_register *reg, xhprof_register_visit visit, void *context)
{
	for (xhprof_register_chunk *chunk = reg->chunks; chunk; chunk = chunk->next) {
		for (size_t i = 0; i < XHPROF_ZMM_PAGES; i++) {
			xhprof_register_page *page = &chunk->pages[i];
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
	for (uint32_t i = 0; i < reg->large.capacity; i++) {
		const xhprof_table_slot *slot = &reg->large.slots[i];
		if (slot->key) {
			xhprof_large_record *large = slot->value;
			visit(context, slot->key, large->size, &large->record, &large->type);
		}
	}
}
