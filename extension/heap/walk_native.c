#include "walk_native.h"

/* PHP's own is not there in other programs. */
#undef snprintf

#define FIRST_ITEMS 1024
#define PIECE ((uint64_t)64 * 1024)
/* No program's own memory, but reserved by a sanitizer or the like. */
#define MOST_REGION ((uint64_t)64 << 30)

typedef struct xhprof_native_item {
	uint64_t address;
	const xhprof_text *owner;
} native_item;

/* ---- Reading words ---- */

uint64_t xhprof_native_node(const xhprof_native *native, uint64_t address, const xhprof_zmm_block *block)
{
	const xhprof_zmm *zmm = native->walker->zmm;
	if (xhprof_zmm_settled(zmm, block)) {
		return block->address;
	}
	if (xhprof_zmm_seen(zmm, address)) {
		return address;
	}
	/* A small block has one node, if not at its start then behind the private part of an object. */
	uint64_t end = block->address + (block->size <= 3072 ? block->size : 8);
	for (uint64_t at = block->address; at < end; at += 8) {
		if (xhprof_zmm_seen(zmm, at)) {
			return at;
		}
	}
	return 0;
}

static void look_at(xhprof_native *native, uint64_t word, uint64_t offset)
{
	xhprof_native_target target;
	const xhprof_zmm *zmm = native->walker->zmm;
	if (word - native->low >= native->span || !xhprof_zmm_look(zmm, word, &target.block, &target.owned) ||
		target.block.address == native->own) {
		return;
	}
	target.word = word;
	native->each(native, offset, &target);
}

void xhprof_native_read(xhprof_native *native, uint64_t from, uint64_t size)
{
	uint64_t copy[512], end = from + size;
	for (uint64_t at = (from + 7) & ~(uint64_t)7; at < end && end - at >= 8;) {
		uint64_t piece = sizeof(copy) - at % sizeof(copy);
		piece = piece < end - at ? piece : end - at;
		const uint64_t *words = xhprof_reader_load(native->walker->reader, at, copy, piece);
		if (!words) {
			native->walker->result->unreadable++;
		}
		for (uint64_t i = 0; words && i < piece / 8; i++) {
			look_at(native, words[i], at + i * 8 - from);
		}
		at += piece;
	}
}

static void read_region(xhprof_native *native, uint64_t from, uint64_t to, bool written, uint64_t *piece)
{
	const xhprof_zmm *zmm = native->walker->zmm;
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
			from += xhprof_reader_untouched(native->walker->reader, from, end - from);
		}
		size_t size = (size_t)(end - from < PIECE ? end - from : PIECE);
		size_t got = size ? xhprof_reader_copy(native->walker->reader, from, piece, size) : 0;
		for (size_t i = 0; i < got / 8; i++) {
			look_at(native, piece[i], 0);
		}
		from += size;
	}
}

/* ---- Telling blocks that are found ---- */

void xhprof_native_edge(xhprof_native *native, uint64_t offset, uint64_t to)
{
	if (!to || to == native->last) {
		return;
	}
	int length = snprintf(native->label, sizeof(native->label), "+%llu", (unsigned long long)offset);
	native->last = to;
	xhprof_walker_edge(native->walker, (xhprof_label){XHPROF_EDGE_PART, 0, {native->label, (size_t)length}}, to);
}

static bool find(xhprof_native *native, const xhprof_native_target *target)
{
	xhprof_walker *walker = native->walker;
	if (!xhprof_zmm_see(walker->zmm, target->block.address)) {
		return true; /* it waits already */
	}
	if (native->item_count == native->item_capacity &&
		!xhprof_pages_double((void **)&native->items, sizeof(*native->items), &native->item_capacity, FIRST_ITEMS)) {
		walker->result->incomplete = true;
		return false;
	}
	native->items[native->item_count++] = (native_item){target->block.address, native->owner};
	return true;
}

/* Of memory that has a node. */
static void each_of_node(xhprof_native *native, uint64_t offset, const xhprof_native_target *target)
{
	if (target->owned) {
		if (!native->walker->options->types_only) {
			xhprof_native_edge(native, offset, xhprof_native_node(native, target->word, &target->block));
		}
	} else if (find(native, target)) {
		xhprof_native_edge(native, offset, target->block.address);
	}
}

/* Of memory that has none, or whose node has been told. */
static void each_of_root(xhprof_native *native, uint64_t offset, const xhprof_native_target *target)
{
	(void)offset;
	size_t before = native->item_count;
	if (target->owned || !find(native, target) || native->item_count == before) {
		return;
	}
	if (native->root_count == native->root_capacity &&
		!xhprof_pages_double((void **)&native->roots, sizeof(*native->roots), &native->root_capacity, FIRST_ITEMS)) {
		native->walker->result->incomplete = true;
		return;
	}
	native->roots[native->root_count++] = target->block.address;
}

static void tell_native(xhprof_native *native, xhprof_heap_node *node, uint64_t from, uint64_t size, uint64_t start)
{
	node->type = XHPROF_HEAP_NATIVE;
	if (native->owner) {
		node->name = native->owner->bytes;
		node->name_length = native->owner->length;
	}
	xhprof_walker_node(native->walker, node, start);
	native->last = 0;
	if (native->walker->options->native || native->walker->options->types_only) {
		native->each = each_of_node;
		xhprof_native_read(native, from, size);
	}
}

/* Tells what has been found, and what is found in it. */
static void tell_found(xhprof_native *native)
{
	const xhprof_text *owner = native->owner;
	uint64_t own = native->own;
	void (*each)(xhprof_native *, uint64_t, const xhprof_native_target *) = native->each;
	while (native->item_count) {
		native_item item = native->items[--native->item_count];
		xhprof_zmm_block block;
		if (!xhprof_zmm_block_of(native->walker->zmm, item.address, &block)) {
			continue;
		}
		native->owner = item.owner;
		native->own = block.address;
		xhprof_heap_node node = {.address = block.address, .size = block.size};
		bool string = xhprof_native_string(native, &block, &node);
		tell_native(native, &node, block.address, string ? 0 : block.size, block.address);
		if (block.size > 8) {                                      /* else the mark would be the next block's */
			xhprof_zmm_settle(native->walker->zmm, block.address); /* it has been looked through */
		}
	}
	native->owner = owner;
	native->own = own;
	native->each = each;
}

/* ---- Where it is looked for ---- */

static const xhprof_text *keep_owner(xhprof_native *native, xhprof_text name)
{
	xhprof_text *kept = xhprof_arena_alloc(&native->walker->arena, sizeof(*kept), sizeof(void *));
	if (kept) {
		*kept = xhprof_walker_keep(native->walker, name);
	}
	return kept;
}

/* The entries of the list of huge blocks are the memory manager's own. */
static void tell_huge_list(xhprof_native *native)
{
	xhprof_walker *walker = native->walker;
	for (size_t i = 0; i < walker->zmm->huge_count; i++) {
		xhprof_native_target target = {.word = walker->zmm->huge[i].entry};
		if (!xhprof_zmm_look(walker->zmm, target.word, &target.block, &target.owned) || target.owned) {
			continue;
		}
		each_of_root(native, 0, &target);
		if (native->item_count) {
			native->item_count = 0;
			xhprof_walker_plain_node(walker, target.block.address, XHPROF_HEAP_ENGINE, sizeof(uint64_t) * 3,
									 XHPROF_TEXT("huge block's entry"));
			xhprof_zmm_settle(walker->zmm, target.block.address); /* it does not hold what it lists */
		}
	}
}

static void tell_privates(xhprof_native *native)
{
	const xhprof_walker *walker = native->walker;
	for (size_t i = 0; i < walker->private_count; i++) {
		const xhprof_walker_private *private = walker->privates + i;
		xhprof_zmm_block block;
		native->owner = &private->owner;
		native->own = xhprof_zmm_block_of(walker->zmm, private->from, &block) ? block.address : 0;
		xhprof_heap_node node = {.address = private->address, .size = private->size};
		tell_native(native, &node, private->from, private->size, 0);
		tell_found(native);
	}
}

/* How much of a block is in use: pages of VM stacks and arenas begin with where their free part begins, and where they end.
 * What stands in the free part is garbage. */
static uint64_t used_size(xhprof_native *native, const xhprof_zmm_block *block)
{
	uint64_t copy[2], end = block->address + block->size;
	const uint64_t *ends = xhprof_reader_load(native->walker->reader, block->address, copy, sizeof(copy));
	if (!ends || block->size < XHPROF_ZMM_PAGE_SIZE || ends[0] <= block->address || ends[0] > end ||
		ends[1] < ends[0] || ends[1] > end) {
		return block->size;
	}
	/* The page of the calls that run does not tell: the engine does. */
	bool running = native->vm_stack_top > block->address && native->vm_stack_top <= end;
	return (running ? native->vm_stack_top : ends[0]) - block->address;
}

/* One of the blocks that have been typed. */
static void read_typed(void *context, const xhprof_zmm_block *block)
{
	xhprof_native *native = context;
	xhprof_zmm_block same;
	bool owned;
	if (!xhprof_zmm_look(native->walker->zmm, block->address, &same, &owned) || !owned ||
		xhprof_zmm_settled(native->walker->zmm, block)) {
		return;
	}
	native->own = block->address;
	native->owner = NULL;
	native->each = each_of_root;
	xhprof_native_read(native, block->address, used_size(native, block));
	if (native->item_count) {
		static const xhprof_text engine = {"engine", 6};
		xhprof_text class_name = xhprof_native_object_class(native, block->address);
		const xhprof_text *owner = class_name.bytes ? keep_owner(native, class_name) : &engine;
		for (size_t i = 0; i < native->item_count; i++) {
			native->items[i].owner = owner;
		}
		tell_found(native);
	}
}

static void read_regions(xhprof_native *native, bool libraries)
{
	static const xhprof_text process = {"(process memory)", 16};
	xhprof_walker *walker = native->walker;
	uint64_t *piece = xhprof_pages_map(PIECE);
	if (!piece) {
		walker->result->incomplete = true;
		return;
	}
	native->own = 0;
	native->each = each_of_root;
	uint32_t last = UINT32_MAX;
	for (size_t i = 0; i < walker->reader->region_count; i++) {
		xhprof_region region = walker->reader->regions[i];
		bool library = region.kind == XHPROF_REGION_LIBRARY;
		if (library != libraries || !region.writable || region.kind == XHPROF_REGION_SHARED ||
			region.to - region.from > MOST_REGION) {
			continue;
		}
		uint64_t stack = walker->options->stack_from;
		if (stack >= region.from && stack < region.to) {
			region.from = stack & ~(uint64_t)7; /* further down is the walker's own */
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
		tell_found(native);
	}
	xhprof_pages_unmap(piece, PIECE);
}

static void set_range(xhprof_native *native)
{
	const xhprof_zmm *zmm = native->walker->zmm;
	uint64_t high = 0;
	native->low = UINT64_MAX;
	if (zmm->chunk_count) {
		native->low = zmm->chunks[0].address;
		high = zmm->chunks[zmm->chunk_count - 1].address + XHPROF_ZMM_CHUNK_SIZE;
	}
	if (zmm->huge_count) {
		const xhprof_zmm_huge *last = zmm->huge + zmm->huge_count - 1;
		native->low = zmm->huge[0].address < native->low ? zmm->huge[0].address : native->low;
		high = last->address + last->size > high ? last->address + last->size : high;
	}
	native->span = high > native->low ? high - native->low : 0;
}

void xhprof_walk_native(xhprof_walker *walker)
{
	xhprof_native native = {.walker = walker};
	set_range(&native);
	native.vm_stack_top =
		xhprof_walker_pointer(walker, walker->engine->executor_globals + offsetof(zend_executor_globals, vm_stack_top));
	tell_huge_list(&native);
	tell_privates(&native);
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
		xhprof_native_tell_unreachable(&native);
	}
	xhprof_pages_unmap(native.items, native.item_capacity * sizeof(*native.items));
	xhprof_pages_unmap(native.roots, native.root_capacity * sizeof(*native.roots));
}
