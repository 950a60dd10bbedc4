#include "native_words.h"

/* PHP's own snprintf() does not exist in other programs. */
#undef snprintf

void xhprof_native_words_begin(xhprof_native_words *native, xhprof_walker *walker)
{
	const xhprof_zmm *zmm = walker->zmm;
	uint64_t high = 0;
	*native = (xhprof_native_words){.walker = walker};
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

xhprof_addr xhprof_native_words_node(const xhprof_native_words *native, xhprof_addr address,
									 const xhprof_zmm_block *block)
{
	const xhprof_zmm *zmm = native->walker->zmm;
	if (xhprof_zmm_is_resolved(zmm, block)) {
		return block->address;
	}
	if (xhprof_zmm_is_seen(zmm, address)) {
		return address;
	}
	/* A small block has one node: at its start, or behind the private part of an object. */
	uint64_t end = block->address + (block->size <= 3072 ? block->size : 8);
	for (uint64_t at = block->address; at < end; at += 8) {
		if (xhprof_zmm_is_seen(zmm, at)) {
			return at;
		}
	}
	return 0;
}

static void check_word(xhprof_native_words *native, uint64_t word, uint64_t offset)
{
	xhprof_native_target target;
	if (!xhprof_zmm_look(native->walker->zmm, word, &target.block, &target.owned) ||
		target.block.address == native->own) {
		return;
	}
	target.word = word;
	native->each(native, offset, &target);
}

void xhprof_native_words_search(xhprof_native_words *native, const uint64_t *words, size_t count, uint64_t offset)
{
	const uint64_t low = native->low, span = native->span; /* none of the functions called change them */
	for (size_t i = 0; i < count; i++) {
		if (words[i] - low < span) {
			check_word(native, words[i], offset + i * 8);
		}
	}
}

void xhprof_native_words_read(xhprof_native_words *native, xhprof_addr from, uint64_t size)
{
	uint64_t copy[512], end = from + size;
	for (uint64_t at = (from + 7) & ~(uint64_t)7; at < end && end - at >= 8;) {
		uint64_t piece = sizeof(copy) - at % sizeof(copy);
		piece = piece < end - at ? piece : end - at;
		const uint64_t *words = xhprof_reader_load(native->walker->reader, at, copy, piece);
		if (!words) {
			native->walker->result->unreadable++;
		}
		xhprof_native_words_search(native, words, words ? piece / 8 : 0, at - from);
		at += piece;
	}
}

void xhprof_native_words_edge(xhprof_native_words *native, uint64_t offset, xhprof_addr to)
{
	if (!to || to == native->last) {
		return;
	}
	int length = snprintf(native->label, sizeof(native->label), "+%llu", (unsigned long long)offset);
	native->last = to;
	xhprof_walker_edge(native->walker, (xhprof_edge_label){XHPROF_EDGE_PART, 0, {native->label, (size_t)length}}, to);
}

static void describe_string(xhprof_walker *walker, xhprof_addr address, uint64_t length, xhprof_heap_node *node)
{
	uint64_t max = walker->options->max_string;
	node->size = ZEND_MM_ALIGNED_SIZE(_ZSTR_STRUCT_SIZE(length));
	node->length = length;
	if (max) {
		xhprof_text value =
			xhprof_walker_bytes(walker, address + offsetof(zend_string, val), length < max ? length : max);
		node->value = value.bytes;
		node->value_length = value.length;
	}
}

bool xhprof_native_words_string(xhprof_native_words *native, const xhprof_zmm_block *block, xhprof_heap_node *node)
{
	uint64_t length;
	if (!xhprof_walker_is_string(native->walker, block, &length)) {
		return false;
	}
	if (node) {
		describe_string(native->walker, block->address, length, node);
	}
	return true;
}

xhprof_text xhprof_native_words_object_class(xhprof_native_words *native, xhprof_addr address)
{
	XHPROF_WALKER_LOAD(native->walker, zend_object, object, address);
	if (object && xhprof_walker_has_type(&object->gc, IS_OBJECT) &&
		xhprof_zmm_is_seen(native->walker->zmm, (xhprof_addr)object->ce)) {
		const xhprof_walker_class *entry = xhprof_walker_class_at(native->walker, object->ce);
		if (entry->readable) {
			return entry->name;
		}
	}
	return (xhprof_text){NULL, 0};
}
