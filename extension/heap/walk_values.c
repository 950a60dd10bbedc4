#include "walk_parts.h"

#include "zend_ast.h"

#include "compat/code_layout.h"

#define MAX_VALUE ((size_t)16 << 20) /* of a string's bytes, if they have to be copied */
#define HASH_PIECE ((size_t)1 << 16) /* of a string's bytes, a multiple of 8 */
#define AST_DEPTH 256
#define AST_NODES 65536

void xhprof_walk_part(xhprof_walker *walker, const xhprof_item *item)
{
	xhprof_walker_plain_node(walker, item->address, (xhprof_heap_type)item->type, item->extra,
							 (xhprof_text){item->name, item->name ? strlen(item->name) : 0});
}

static void count_references(xhprof_heap_node *node, const zend_refcounted_h *header)
{
	/* Values that live as long as the process, or the request, have no reference count. */
	node->has_refcount = !(header->u.type_info & ((uint32_t)GC_IMMUTABLE << GC_FLAGS_SHIFT));
	node->refcount = node->has_refcount ? header->refcount : 0;
}

/* ---- Strings ---- */

static const char *string_value(xhprof_walker *walker, xhprof_addr address, size_t length)
{
	if (!walker->reader->in_place && (!walker->value || length > walker->value_capacity)) {
		size_t capacity = length < XHPROF_WALKER_TEXT ? XHPROF_WALKER_TEXT : length;
		xhprof_pages_unmap(walker->value, walker->value_capacity);
		walker->value = xhprof_pages_map(capacity);
		walker->value_capacity = walker->value ? capacity : 0;
		if (!walker->value) {
			return NULL;
		}
	}
	return xhprof_reader_load(walker->reader, address, walker->value, length);
}

static void hash_string(xhprof_walker *walker, xhprof_heap_node *node, xhprof_addr address)
{
	uint64_t left = node->length;
	if (!walker->options->hash_key || left < XHPROF_HASHED_LEAST || left > XHPROF_HASHED_MOST ||
		left > walker->hash_left) {
		return;
	}
	walker->hash_left -= left;
	xhprof_siphash hash;
	xhprof_siphash_begin(&hash, walker->options->hash_key);
	while (true) {
		size_t length = left < HASH_PIECE ? (size_t)left : HASH_PIECE;
		const char *piece = string_value(walker, address, length);
		if (!piece) {
			return; /* string_value() of its beginning counts it */
		}
		if (left == length) {
			node->hash = xhprof_siphash_end(&hash, piece, length);
			node->has_hash = true;
			return;
		}
		xhprof_siphash_add(&hash, piece, length);
		address += length;
		left -= length;
	}
}

void xhprof_walk_string(xhprof_walker *walker, const xhprof_item *item)
{
	xhprof_heap_node node = {.address = item->address, .type = XHPROF_HEAP_STRING};
	XHPROF_WALKER_LOAD(walker, zend_string, string, item->address);
	if (!string) {
		/* The shortest strings may end where a region does. */
		walker->result->unreadable++;
		xhprof_walker_node(walker, &node, item->address);
		return;
	}
	count_references(&node, &string->gc);
	node.length = ZSTR_LEN(string);
	node.size = ZEND_MM_ALIGNED_SIZE(_ZSTR_STRUCT_SIZE(ZSTR_LEN(string)));
	if (node.size < node.length) {
		node.size = node.length; /* damaged */
	}
	hash_string(walker, &node, item->address + offsetof(zend_string, val));
	size_t max = walker->options->max_string < MAX_VALUE ? walker->options->max_string : MAX_VALUE;
	if (max) {
		node.value_length = node.length < max ? node.length : max;
		node.value = string_value(walker, item->address + offsetof(zend_string, val), node.value_length);
		if (!node.value) {
			node.value_length = 0;
			walker->result->unreadable++;
		}
	}
	xhprof_walker_node(walker, &node, item->address);
}

/* ---- Arrays and references ---- */

void xhprof_walk_array(xhprof_walker *walker, const xhprof_item *item)
{
	xhprof_heap_node node = {.address = item->address, .type = XHPROF_HEAP_ARRAY, .size = sizeof(zend_array)};
	XHPROF_WALKER_LOAD(walker, zend_array, array, item->address);
	if (array) {
		count_references(&node, &array->gc);
		node.length = array->nNumOfElements;
	} else {
		walker->result->unreadable++;
	}
	xhprof_walker_node(walker, &node, item->address);
	/* An array without references is being destroyed, piece by piece. */
	if (array && array->gc.refcount) {
		xhprof_walker_table(walker, array);
	}
}

void xhprof_walk_reference(xhprof_walker *walker, const xhprof_item *item)
{
	xhprof_heap_node node = {.address = item->address, .type = XHPROF_HEAP_REFERENCE, .size = sizeof(zend_reference)};
	XHPROF_WALKER_LOAD(walker, zend_reference, reference, item->address);
	if (reference) {
		count_references(&node, &reference->gc);
	} else {
		walker->result->unreadable++;
	}
	xhprof_walker_node(walker, &node, item->address);
	if (!reference) {
		return;
	}
	xhprof_walker_zval(walker, XHPROF_NAMED(XHPROF_TEXT("value")), &reference->val);
	/* The typed properties that share it: one info, or a list of them. */
	xhprof_addr sources = (xhprof_addr)reference->sources.ptr;
	if (ZEND_PROPERTY_INFO_SOURCE_IS_LIST(sources)) {
		sources = (xhprof_addr)ZEND_PROPERTY_INFO_SOURCE_TO_LIST(sources);
		XHPROF_WALKER_LOAD(walker, zend_property_info_list, list, sources);
		if (list) {
			xhprof_walker_part(walker, XHPROF_HEAP_ENGINE, "typed properties", sources,
							   sizeof(*list) + list->num_allocated * sizeof(list->ptr[0]));
		}
	}
}

/* ---- Constant expressions ---- */

/* Reports the values in a tree that is not evaluated yet. Damaged ones may have any shape. */
static void visit_ast(xhprof_walker *walker, uint64_t root)
{
	uint64_t waiting[AST_DEPTH];
	size_t depth = 0, nodes = 0;
	int64_t index = 0;
	waiting[depth++] = root;
	while (depth && nodes++ < AST_NODES) {
		uint64_t at = waiting[--depth];
		XHPROF_WALKER_LOAD(walker, zend_ast_kind, kind, at);
		if (!kind || at % sizeof(void *)) {
			walker->result->unreadable++;
			continue;
		}
		if (*kind == ZEND_AST_ZVAL || *kind == ZEND_AST_CONSTANT) {
			XHPROF_WALKER_LOAD(walker, zval, value, at + offsetof(zend_ast_zval, val));
			if (value) {
				xhprof_walker_zval(walker, XHPROF_INDEX(index++), value);
			}
			continue;
		}
		if (xhprof_layout_closure_node(*kind)) {
			xhprof_addr function = xhprof_walker_pointer(walker, at + xhprof_layout_closure_node(*kind));
			xhprof_walker_refer(walker, XHPROF_INDEX(index++), XHPROF_VISIT_FUNCTION, function, 0);
			continue;
		}
		bool list = *kind >> ZEND_AST_IS_LIST_SHIFT & 1;
		XHPROF_WALKER_LOAD(walker, uint32_t, listed, at + offsetof(zend_ast_list, children));
		uint64_t children = list ? (listed ? *listed : 0) : (uint64_t)*kind >> ZEND_AST_NUM_CHILDREN_SHIFT;
		uint64_t from = at + (list ? offsetof(zend_ast_list, child) : offsetof(zend_ast, child));
		if (*kind >> ZEND_AST_SPECIAL_SHIFT & 1) {
			children = 0;
		}
		for (uint64_t i = 0; i < children && xhprof_walker_may_continue(walker); i++) {
			XHPROF_WALKER_LOAD(walker, uint64_t, child, from + i * sizeof(void *));
			if (!child || depth == AST_DEPTH) {
				walker->result->unreadable++;
				break;
			}
			if (*child) {
				waiting[depth++] = *child;
			}
		}
	}
}

void xhprof_walk_ast(xhprof_walker *walker, const xhprof_item *item)
{
	xhprof_zmm_block block;
	xhprof_heap_node node = {
		.address = item->address, .type = XHPROF_HEAP_CONSTANT_EXPRESSION, .size = sizeof(zend_ast_ref)};
	if (xhprof_zmm_block_at(walker->zmm, item->address, &block)) {
		node.size = block.size; /* the tree lies behind its head */
	}
	XHPROF_WALKER_LOAD(walker, zend_ast_ref, reference, item->address);
	if (reference) {
		count_references(&node, &reference->gc);
	}
	xhprof_walker_node(walker, &node, item->address);
	visit_ast(walker, item->address + sizeof(zend_ast_ref));
}
