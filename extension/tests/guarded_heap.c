/* An extension whose handlers replace the Zend heap: each block has pages of its own, which cannot be read any more once it is
 * freed. GUARDED_HEAP=counting keeps the heap's size like USE_TRACKED_ALLOC does, "peak" its peak too, anything else neither. */
#include "php.h"

#include <sys/mman.h>

#define ROOM ((size_t)1 << 36)
#define PAGE ((size_t)4096)
#define HEAD ((size_t)16)

/* The beginning of struct _zend_mm_heap. */
typedef struct known_heap {
	int custom;
	void *storage;
	size_t size, peak;
} known_heap;

static char *room;
static size_t used;
static bool counting, peaks;

static size_t pages_of(size_t size)
{
	return (size + HEAD + PAGE - 1) / PAGE * PAGE;
}

static bool is_guarded(const void *block)
{
	return (uintptr_t)block - (uintptr_t)room < ROOM;
}

static size_t *size_of(void *block)
{
	return (size_t *)((uintptr_t)block / PAGE * PAGE);
}

static void count(size_t more, size_t less)
{
	known_heap *heap = (known_heap *)zend_mm_get_heap();
	if (counting) {
		heap->size += more - less;
		if (peaks && heap->size > heap->peak) {
			heap->peak = heap->size;
		}
	}
}

/* A page that is never mapped follows each block. */
static void *guarded_alloc(size_t size)
{
	size_t pages = pages_of(size);
	char *from = room + used;
	if (pages > ROOM - used || mprotect(from, pages, PROT_READ | PROT_WRITE) != 0) {
		abort();
	}
	used += pages + PAGE;
	*(size_t *)from = size;
	count(size, 0);
	return from + HEAD;
}

/* What was allocated before there were handlers is the heap's, and so is its own structure. */
static void guarded_free(void *block)
{
	known_heap *heap = (known_heap *)zend_mm_get_heap();
	if (is_guarded(block)) {
		size_t *from = size_of(block), size = *from;
		count(0, size);
		madvise(from, pages_of(size), MADV_DONTNEED);
		mprotect(from, pages_of(size), PROT_NONE);
	} else if (block && block != (void *)heap) {
		int custom = heap->custom;
		heap->custom = 0;
		zend_mm_free((zend_mm_heap *)heap, block);
		heap->custom = custom;
	}
}

static void *guarded_realloc(void *block, size_t size)
{
	void *moved = guarded_alloc(size);
	if (block) {
		known_heap *heap = (known_heap *)zend_mm_get_heap();
		int custom = heap->custom;
		heap->custom = 0;
		size_t before = is_guarded(block) ? *size_of(block) : zend_mm_block_size((zend_mm_heap *)heap, block);
		heap->custom = custom;
		memcpy(moved, block, before < size ? before : size);
		guarded_free(block);
	}
	return moved;
}

static PHP_RINIT_FUNCTION(guarded_heap)
{
	const char *how = getenv("GUARDED_HEAP");
	peaks = how && strcmp(how, "peak") == 0;
	counting = peaks || (how && strcmp(how, "counting") == 0);
	room = mmap(NULL, ROOM, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (how && room != MAP_FAILED) {
		zend_mm_set_custom_handlers(zend_mm_get_heap(), (void *)guarded_alloc, (void *)guarded_free,
									(void *)guarded_realloc);
	}
	return SUCCESS;
}

static zend_module_entry guarded_heap_module_entry = {
	STANDARD_MODULE_HEADER,  "guarded_heap", NULL, NULL, NULL,
	PHP_RINIT(guarded_heap), NULL,           NULL, "1",  STANDARD_MODULE_PROPERTIES};
ZEND_GET_MODULE(guarded_heap)
