#include "scratch.h"

#include "arena.h"

#include <string.h>

#define ALIGN ((size_t)64)
#define PAGE ((size_t)4096)

static size_t round_up(size_t size, size_t to)
{
	return (size + to - 1) & ~(to - 1);
}

static void release_pages(xhprof_scratch *scratch)
{
	xhprof_pages_unmap(scratch->pages, scratch->size);
	scratch->pages = NULL;
	scratch->size = scratch->used = 0;
}

/* Frees all of the pages, as no piece is out, and maps more if there were too few. */
static void begin_anew(xhprof_scratch *scratch)
{
	scratch->used = scratch->taken = 0;
	if (scratch->wanted > scratch->size) {
		release_pages(scratch);
		scratch->pages = xhprof_pages_populate(scratch->wanted); /* at once: all of it was needed */
		scratch->size = scratch->pages ? scratch->wanted : 0;
	}
}

static void note_size(xhprof_scratch *scratch, size_t size)
{
	scratch->taken += size;
	if (scratch->taken > scratch->wanted) {
		size_t wanted = round_up(scratch->taken, PAGE);
		scratch->wanted = wanted < XHPROF_SCRATCH_MOST ? wanted : XHPROF_SCRATCH_MOST;
	}
	scratch->lately = scratch->taken > scratch->lately ? scratch->taken : scratch->lately;
}

static bool is_unneeded(xhprof_scratch *scratch)
{
	bool few = scratch->size > XHPROF_SCRATCH_USUAL && scratch->lately < scratch->size / 4;
	scratch->idle = few ? scratch->idle + 1 : 0;
	scratch->lately = 0;
	return scratch->idle >= XHPROF_SCRATCH_IDLE;
}

void *xhprof_scratch_take_dirty(xhprof_scratch *scratch, size_t size)
{
	if (!scratch || size > XHPROF_SCRATCH_MOST) {
		return xhprof_pages_map(size);
	}
	if (!scratch->out) {
		begin_anew(scratch);
	}
	size_t room = round_up(size, ALIGN);
	void *memory;
	if (room <= scratch->size - scratch->used) {
		memory = scratch->pages + scratch->used;
		scratch->used += room;
	} else if (!(memory = xhprof_pages_map(size))) {
		return NULL;
	}
	note_size(scratch, room);
	scratch->out++;
	return memory;
}

static bool is_piece(const xhprof_scratch *scratch, const void *memory)
{
	const char *at = memory;
	return scratch->pages && at >= scratch->pages && at < scratch->pages + scratch->size;
}

void *xhprof_scratch_take(xhprof_scratch *scratch, size_t size)
{
	void *memory = xhprof_scratch_take_dirty(scratch, size);
	if (memory && scratch && is_piece(scratch, memory)) { /* the system empties pages itself */
		memset(memory, 0, size);
	}
	return memory;
}

void xhprof_scratch_give(xhprof_scratch *scratch, void *memory, size_t size)
{
	if (!memory) {
		return;
	}
	if (!scratch || size > XHPROF_SCRATCH_MOST) {
		xhprof_pages_unmap(memory, size);
		return;
	}
	if (!is_piece(scratch, memory)) {
		xhprof_pages_unmap(memory, size);
	}
	scratch->out -= scratch->out > 0;
}

bool xhprof_scratch_double(xhprof_scratch *scratch, void **items, size_t item_size, size_t *capacity, size_t first)
{
	size_t grown_capacity = *capacity ? *capacity * 2 : first;
	void *grown = xhprof_scratch_take_dirty(scratch, grown_capacity * item_size);
	if (!grown) {
		return false;
	}
	if (*items) {
		memcpy(grown, *items, *capacity * item_size);
		xhprof_scratch_give(scratch, *items, *capacity * item_size);
	}
	*items = grown;
	*capacity = grown_capacity;
	return true;
}

size_t xhprof_scratch_trim(xhprof_scratch *scratch, size_t keep)
{
	scratch->out = 0;
	if (is_unneeded(scratch) || scratch->size > keep) {
		release_pages(scratch);
		scratch->wanted = scratch->idle = 0;
	}
	return scratch->size;
}
