#include "native_words.h"
#include "walk_parts.h"

#define FIRST_ITEMS 1024
#define PIECE ((uint64_t)64 * 1024)
/* The largest region that is searched. A larger one is not the program's own memory; a sanitizer or the like has
 * reserved it. */
#define MAX_REGION ((uint64_t)64 << 30)

typedef struct native_item {
	xhprof_addr address;
	const xhprof_text *owner;
} native_item;

typedef struct native_walk {
	xhprof_native_words words; /* first: its callbacks receive this */
	xhprof_addr vm_stack_top;
	const xhprof_text *owner; /* of the memory being read */
	native_item *items;       /* blocks found but not yet reported; a stack */
	size_t item_count, item_capacity;
	xhprof_addr *roots; /* blocks that no node refers to */
	size_t root_count, root_capacity;
} native_walk;

static void read_region(native_walk *native, uint64_t from, uint64_t to, bool written, uint64_t *piece)
{
	const xhprof_zmm *zmm = native->words.walker->zmm;
	while (from < to) {
		/* The heap's own chunks and huge blocks begin at multiples of a chunk's size only. */
		uint64_t end = xhprof_zmm_end_of(zmm, from);
		if (end > from) {
			from = end;
			continue;
		}
		end = (from | (XHPROF_ZMM_CHUNK_SIZE - 1)) + 1;
		end = end && end < to ? end : to;
		if (!written) {
			from += xhprof_reader_untouched(native->words.walker->reader, from, end - from);
		}
		size_t size = (size_t)(end - from < PIECE ? end - from : PIECE);
		size_t got = size ? xhprof_reader_copy(native->words.walker->reader, from, piece, size) : 0;
		xhprof_native_words_search(&native->words, piece, got / 8, 0);
		from += size;
	}
}

/* ---- Reporting found blocks ---- */

static bool push_found(native_walk *native, const xhprof_native_target *target)
{
	xhprof_walker *walker = native->words.walker;
	if (!xhprof_zmm_mark_seen(walker->zmm, target->block.address)) {
		return true; /* already waiting */
	}
	if (native->item_count == native->item_capacity &&
		!xhprof_pages_double((void **)&native->items, sizeof(*native->items), &native->item_capacity, FIRST_ITEMS)) {
		walker->result->incomplete = true;
		return false;
	}
	native->items[native->item_count++] = (native_item){target->block.address, native->owner};
	return true;
}

/* Reports a reference in memory that has a node. */
static void each_of_node(xhprof_native_words *words, uint64_t offset, const xhprof_native_target *target)
{
	native_walk *native = (native_walk *)words;
	if (target->owned) {
		if (!native->words.walker->options->types_only) {
			xhprof_native_words_edge(&native->words, offset,
									 xhprof_native_words_node(&native->words, target->word, &target->block));
		}
	} else if (push_found(native, target)) {
		xhprof_native_words_edge(&native->words, offset, target->block.address);
	}
}

/* Reports a reference in memory without a node, or whose node is already reported. */
static void each_of_root(xhprof_native_words *words, uint64_t offset, const xhprof_native_target *target)
{
	native_walk *native = (native_walk *)words;
	size_t before = native->item_count;
	if (target->owned || !push_found(native, target) || native->item_count == before) {
		return;
	}
	if (native->root_count == native->root_capacity &&
		!xhprof_pages_double((void **)&native->roots, sizeof(*native->roots), &native->root_capacity, FIRST_ITEMS)) {
		native->words.walker->result->incomplete = true;
		return;
	}
	native->roots[native->root_count++] = target->block.address;
}

static void visit_native(native_walk *native, xhprof_heap_node *node, uint64_t from, uint64_t size, uint64_t start)
{
	node->type = XHPROF_HEAP_NATIVE;
	if (native->owner) {
		node->name = native->owner->bytes;
		node->name_length = native->owner->length;
	}
	xhprof_walker_node(native->words.walker, node, start);
	native->words.last = 0;
	if (native->words.walker->options->native || native->words.walker->options->types_only) {
		native->words.each = each_of_node;
		xhprof_native_words_read(&native->words, from, size);
	}
}

/* Reports the blocks found, and those found in them. */
static void visit_found(native_walk *native)
{
	const xhprof_text *owner = native->owner;
	uint64_t own = native->words.own;
	void (*each)(xhprof_native_words *, uint64_t, const xhprof_native_target *) = native->words.each;
	while (native->item_count) {
		native_item item = native->items[--native->item_count];
		xhprof_zmm_block block;
		if (!xhprof_zmm_block_of(native->words.walker->zmm, item.address, &block)) {
			continue;
		}
		native->owner = item.owner;
		native->words.own = block.address;
		xhprof_heap_node node = {.address = block.address, .size = block.size};
		bool string = xhprof_native_words_string(&native->words, &block, &node);
		visit_native(native, &node, block.address, string ? 0 : block.size, block.address);
		if (block.size > 8) {                                                   /* the mark needs 8 bytes of its own */
			xhprof_zmm_mark_resolved(native->words.walker->zmm, block.address); /* it has been searched */
		}
	}
	native->owner = owner;
	native->words.own = own;
	native->words.each = each;
}

/* ---- Where to search ---- */

static const xhprof_text *keep_owner(native_walk *native, xhprof_text name)
{
	xhprof_text *kept = xhprof_arena_alloc(&native->words.walker->arena, sizeof(*kept), sizeof(void *));
	if (kept) {
		*kept = xhprof_walker_keep(native->words.walker, name);
	}
	return kept;
}

/* Visits the list of huge blocks, whose entries are the memory manager's own. */
static void visit_huge_list(native_walk *native)
{
	xhprof_walker *walker = native->words.walker;
	for (size_t i = 0; i < walker->zmm->huge_count; i++) {
		xhprof_native_target target = {.word = walker->zmm->huge[i].entry};
		if (!xhprof_zmm_look(walker->zmm, target.word, &target.block, &target.owned) || target.owned) {
			continue;
		}
		each_of_root(&native->words, 0, &target);
		if (native->item_count) {
			native->item_count = 0;
			xhprof_walker_plain_node(walker, target.block.address, XHPROF_HEAP_ENGINE, sizeof(uint64_t) * 3,
									 XHPROF_TEXT("huge block's entry"));
			xhprof_zmm_mark_resolved(walker->zmm, target.block.address); /* the list does not hold its blocks */
		}
	}
}

static void visit_privates(native_walk *native)
{
	const xhprof_walker *walker = native->words.walker;
	for (size_t i = 0; i < walker->private_count; i++) {
		const xhprof_walker_private *private = walker->privates + i;
		xhprof_zmm_block block;
		native->owner = &private->owner;
		native->words.own = xhprof_zmm_block_of(walker->zmm, private->from, &block) ? block.address : 0;
		xhprof_heap_node node = {.address = private->address, .size = private->size};
		visit_native(native, &node, private->from, private->size, 0);
		visit_found(native);
	}
}

/* Returns the used size of a block: pages of VM stacks and arenas begin with the start of their free part, and their
 * end. The free part contains garbage. */
static uint64_t used_size(native_walk *native, const xhprof_zmm_block *block)
{
	uint64_t copy[2], end = block->address + block->size;
	const uint64_t *ends = xhprof_reader_load(native->words.walker->reader, block->address, copy, sizeof(copy));
	if (!ends || block->size < XHPROF_ZMM_PAGE_SIZE || ends[0] <= block->address || ends[0] > end ||
		ends[1] < ends[0] || ends[1] > end) {
		return block->size;
	}
	/* The page of the running calls does not record it: the engine does. */
	bool running = native->vm_stack_top > block->address && native->vm_stack_top <= end;
	return (running ? native->vm_stack_top : ends[0]) - block->address;
}

/* Reads a typed block. */
static void read_typed(void *context, const xhprof_zmm_block *block)
{
	native_walk *native = context;
	xhprof_zmm_block same;
	bool owned;
	if (!xhprof_zmm_look(native->words.walker->zmm, block->address, &same, &owned) || !owned ||
		xhprof_zmm_is_resolved(native->words.walker->zmm, block)) {
		return;
	}
	native->words.own = block->address;
	native->owner = NULL;
	native->words.each = each_of_root;
	xhprof_native_words_read(&native->words, block->address, used_size(native, block));
	if (native->item_count) {
		static const xhprof_text engine = {"engine", 6};
		xhprof_text class_name = xhprof_native_words_object_class(&native->words, block->address);
		const xhprof_text *owner = class_name.bytes ? keep_owner(native, class_name) : &engine;
		for (size_t i = 0; i < native->item_count; i++) {
			native->items[i].owner = owner;
		}
		visit_found(native);
	}
}

static void read_regions(native_walk *native, bool libraries)
{
	static const xhprof_text process = {"(process memory)", 16};
	xhprof_walker *walker = native->words.walker;
	uint64_t *piece = xhprof_pages_map(PIECE);
	if (!piece) {
		walker->result->incomplete = true;
		return;
	}
	native->words.own = 0;
	native->words.each = each_of_root;
	uint32_t last = UINT32_MAX;
	for (size_t i = 0; i < walker->reader->region_count; i++) {
		xhprof_region region = walker->reader->regions[i];
		bool library = region.kind == XHPROF_REGION_LIBRARY;
		if (library != libraries || !region.writable || region.kind == XHPROF_REGION_SHARED ||
			region.to - region.from > MAX_REGION) {
			continue;
		}
		uint64_t stack = walker->options->stack_from;
		if (stack >= region.from && stack < region.to) {
			region.from = stack & ~(uint64_t)7; /* everything below is the walker's own */
		}
		if (library && region.name != last) {
			native->owner = keep_owner(native, xhprof_walker_file_name(walker, &region));
			last = region.name;
		} else if (!library) {
			native->owner = &process;
		}
		uint64_t list = walker->options->list_from;
		if (list >= region.from && list < region.to) {
			read_region(native, region.from, list, library, piece);
			region.from = walker->options->list_to;
		}
		read_region(native, region.from, region.to, library, piece);
		visit_found(native);
	}
	xhprof_pages_unmap(piece, PIECE);
}

void xhprof_walk_native(xhprof_walker *walker)
{
	native_walk native = {.items = NULL};
	xhprof_native_words_begin(&native.words, walker);
	native.vm_stack_top =
		xhprof_walker_pointer(walker, walker->engine->executor_globals + offsetof(zend_executor_globals, vm_stack_top));
	visit_huge_list(&native);
	visit_privates(&native);
	if (walker->options->native) {
		xhprof_zmm_each(walker->zmm, false, read_typed, &native);
		read_regions(&native, true);
		read_regions(&native, false);
	}
	if (!walker->options->types_only) {
		xhprof_walker_root(walker, XHPROF_HEAP_ROOT_NATIVE_MEMORY);
		for (size_t i = 0; i < native.root_count; i++) {
			xhprof_walker_edge(walker, XHPROF_INDEX(i), native.roots[i]);
		}
	}
	xhprof_pages_unmap(native.items, native.item_capacity * sizeof(*native.items));
	xhprof_pages_unmap(native.roots, native.root_capacity * sizeof(*native.roots));
}
