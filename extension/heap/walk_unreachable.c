#include "native_words.h"
#include "walk_parts.h"

static bool is_array(xhprof_native_words *native, const xhprof_zmm_block *block)
{
	XHPROF_WALKER_LOAD(native->walker, zend_array, array, block->address);
	return array && xhprof_walker_has_type(&array->gc, IS_ARRAY) && block->size >= sizeof(*array) &&
		   array->nNumUsed <= array->nTableSize && array->nNumOfElements <= array->nNumUsed &&
		   (array->nTableSize & (array->nTableSize - 1)) == 0;
}

/* Guesses the contents of a block, as the name of its node. */
static xhprof_text guess_contents(xhprof_native_words *native, const xhprof_zmm_block *block, bool string)
{
	if (string) {
		return XHPROF_TEXT("string?");
	}
	if (is_array(native, block)) {
		return XHPROF_TEXT("array?");
	}
	xhprof_text class_name = xhprof_native_words_object_class(native, block->address);
	if (class_name.bytes) {
		return xhprof_walker_join(native->walker, XHPROF_TEXT("object?"), " ", class_name);
	}
	XHPROF_WALKER_LOAD(native->walker, zend_refcounted_h, header, block->address);
	if (block->size == sizeof(zend_reference) && xhprof_walker_has_type(header, IS_REFERENCE)) {
		return XHPROF_TEXT("reference?");
	}
	return (xhprof_text){NULL, 0};
}

static void emit_candidate(void *context, const xhprof_zmm_block *block)
{
	xhprof_native_words *native = context;
	xhprof_text name = guess_contents(native, block, xhprof_native_words_string(native, block, NULL));
	xhprof_walker_edge(native->walker, XHPROF_WEAK(name.bytes ? name : XHPROF_TEXT("block")), block->address);
}

static void each_of_candidate(xhprof_native_words *native, uint64_t offset, const xhprof_native_target *target)
{
	xhprof_native_words_edge(native, offset,
							 target->owned ? xhprof_native_words_node(native, target->word, &target->block)
										   : target->block.address);
}

static void visit_block(void *context, const xhprof_zmm_block *block)
{
	xhprof_native_words *native = context;
	xhprof_walker *walker = native->walker;
	xhprof_heap_node node = {.address = block->address, .type = XHPROF_HEAP_UNREACHABLE, .size = block->size};
	bool string = xhprof_native_words_string(native, block, &node);
	xhprof_text name = guess_contents(native, block, string);
	node.name = name.bytes;
	node.name_length = name.length;
	xhprof_zmm_mark_seen(walker->zmm, block->address);
	xhprof_walker_node(walker, &node, block->address);
	if (!string) {
		native->own = block->address;
		native->last = 0;
		native->each = each_of_candidate;
		xhprof_native_words_read(native, block->address, block->size);
	}
}

void xhprof_walk_unreachable(xhprof_walker *walker)
{
	xhprof_native_words native;
	xhprof_native_words_begin(&native, walker);
	xhprof_walker_root(walker, XHPROF_HEAP_ROOT_LEAK_CANDIDATES);
	xhprof_zmm_each(walker->zmm, true, emit_candidate, &native);
	xhprof_zmm_each(walker->zmm, true, visit_block, &native);
}
