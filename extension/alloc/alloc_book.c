#include "alloc_book.h"

#include <string.h>
#include <time.h>

/* A block whose free was not seen has ended all the same: another one has its place. */
static void book_lost(void *context, xhprof_record record, size_t size)
{
	xhprof_alloc_book *book = context;
	if (book->sampling.mean) {
		xhprof_alloc_book_sampled_freed(book, record, size);
	} else {
		book->nodes[record.node].freed_bytes += size;
		book->nodes[record.node].freed_blocks++;
	}
}

/* Different each time: the many requests of one program should sample different blocks. The address distinguishes
 * processes. */
static uint64_t any_seed(const void *address)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)(uintptr_t)address ^ ((uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec);
}

bool xhprof_alloc_book_begin(xhprof_alloc_book *book, bool by_pages, uint32_t max_blocks, uint64_t sample_bytes,
							 xhprof_node_blocks *nodes)
{
	xhprof_alloc_book_release(book);
	book->nodes = nodes;
	xhprof_alloc_sampling_begin(&book->sampling, sample_bytes, any_seed(nodes));
	return xhprof_register_begin(&book->reg, by_pages, max_blocks, book_lost, book);
}

void xhprof_alloc_book_release(xhprof_alloc_book *book)
{
	xhprof_register_release(&book->reg);
	memset(book, 0, sizeof(*book));
}

uint32_t xhprof_alloc_book_mark(xhprof_alloc_book *book)
{
	return __atomic_add_fetch(&book->marks, 1, __ATOMIC_RELAXED);
}

void xhprof_alloc_book_dropped(xhprof_alloc_book *book, size_t size)
{
	book->dropped_blocks++;
	book->dropped_bytes += size;
}

void xhprof_alloc_book_sampled(xhprof_alloc_book *book, uintptr_t address, size_t size, uint32_t node)
{
	if (!xhprof_register_add(&book->reg, address, size, (xhprof_record){node, book->marks})) {
		xhprof_alloc_book_dropped(book, size);
		return;
	}
	xhprof_alloc_weight weight = xhprof_alloc_sampling_weight(&book->sampling, size);
	book->nodes[node].allocated_bytes += weight.bytes;
	book->nodes[node].allocated_blocks += weight.blocks;
}

void xhprof_alloc_book_sampled_freed(xhprof_alloc_book *book, xhprof_record record, size_t size)
{
	xhprof_alloc_weight weight = xhprof_alloc_sampling_weight(&book->sampling, size);
	book->nodes[record.node].freed_bytes += weight.bytes;
	book->nodes[record.node].freed_blocks += weight.blocks;
}
