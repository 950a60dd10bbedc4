/* The ledger of the Zend heap: an allocation is credited to a node, and the same node is debited when it is freed. The
 * allocator's handlers call the inline functions. */
#ifndef XHPROF_ALLOC_BOOK_H
#define XHPROF_ALLOC_BOOK_H

#include "alloc_register.h"
#include "alloc_sampling.h"

#include "trace/calltree.h"

typedef struct xhprof_alloc_book {
	xhprof_node_blocks *nodes; /* of the call tree, by id */
	uint32_t marks;            /* marks so far */
	xhprof_alloc_sampling sampling;
	xhprof_register reg;
	uint64_t dropped_blocks, dropped_bytes;
} xhprof_alloc_book;

/* `nodes`: of a tree that counts blocks, and lives as long as the ledger. False without memory. */
bool xhprof_alloc_book_begin(xhprof_alloc_book *book, bool by_pages, uint32_t max_blocks, uint64_t sample_bytes,
							 xhprof_node_blocks *nodes);
void xhprof_alloc_book_release(xhprof_alloc_book *book);

/* Later blocks are after one more mark; returns its number, from 1. Other threads read it. */
uint32_t xhprof_alloc_book_mark(xhprof_alloc_book *book);

/* The slow paths. A sampled block is recorded with its weight. */
void xhprof_alloc_book_sampled(xhprof_alloc_book *book, uintptr_t address, size_t size, uint32_t node);
void xhprof_alloc_book_sampled_freed(xhprof_alloc_book *book, xhprof_record record, size_t size);
void xhprof_alloc_book_dropped(xhprof_alloc_book *book, size_t size);

/* All blocks are recorded: most of them by the first two, which call nothing; if they return false, by the others. */
static inline bool xhprof_alloc_book_allocated_near(xhprof_alloc_book *book, uintptr_t address, size_t size,
													uint32_t node)
{
	if (__builtin_expect(!xhprof_register_add_near(&book->reg, address, size, (xhprof_record){node, book->marks}), 0)) {
		return false;
	}
	book->nodes[node].allocated_bytes += size;
	book->nodes[node].allocated_blocks++;
	return true;
}

static inline bool xhprof_alloc_book_freed_near(xhprof_alloc_book *book, uintptr_t address)
{
	xhprof_register_page *page = xhprof_register_near_page(&book->reg.taking, address);
	if (__builtin_expect(!page || !page->size, 0)) {
		return false;
	}
	xhprof_record *place = xhprof_register_record(page, address);
	uint32_t node = place->node;
	if (__builtin_expect(node != 0, 1)) {
		place->node = 0;
		book->reg.room++;
		book->nodes[node].freed_bytes += page->size;
		book->nodes[node].freed_blocks++;
	}
	return true;
}

/* With sampling: whether this block is certainly not recorded. */
static inline bool xhprof_alloc_book_unknown_near(const xhprof_alloc_book *book, uintptr_t address)
{
	const xhprof_register_page *page = xhprof_register_near_page(&book->reg.taking, address);
	return page && !page->size;
}

static inline void xhprof_alloc_book_allocated(xhprof_alloc_book *book, uintptr_t address, size_t size, uint32_t node)
{
	if (__builtin_expect(!xhprof_register_add(&book->reg, address, size, (xhprof_record){node, book->marks}), 0)) {
		xhprof_alloc_book_dropped(book, size);
		return;
	}
	book->nodes[node].allocated_bytes += size;
	book->nodes[node].allocated_blocks++;
}

static inline void xhprof_alloc_book_freed(xhprof_alloc_book *book, uintptr_t address)
{
	xhprof_record record;
	size_t size = xhprof_register_take(&book->reg, address, &record);
	if (__builtin_expect(!size, 0)) {
		return; /* predates the tracking, or was not recorded */
	}
	if (__builtin_expect(book->sampling.mean != 0, 0)) {
		xhprof_alloc_book_sampled_freed(book, record, size);
		return;
	}
	book->nodes[record.node].freed_bytes += size;
	book->nodes[record.node].freed_blocks++;
}

#endif
