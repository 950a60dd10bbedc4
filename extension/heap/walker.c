#include "walker.h"

#include <math.h>
#include <stdlib.h>

/* PHP's own snprintf() does not exist in other programs. */
#undef snprintf

#define FIRST_WORDS 4096
#define MAX_WORDS ((size_t)1 << 27) /* no sound heap has more waiting items */
#define HAS_MORE ((uint64_t)1 << 63)
#define FIRST_PRIVATES 256
#define MAX_PRIVATES ((size_t)1 << 22)
#define MAX_PRIVATE ((uint64_t)1 << 20)
#define ADDRESS_BITS 56
#define PROGRESS_NODES 8192

/* Adds an item that waits for its visit. It takes one word, or three if it has more than an address: millions may
 * wait. */
static zend_always_inline bool push_item(xhprof_walker *walker, const xhprof_item *item)
{
	if (walker->word_count + 3 > walker->word_capacity &&
		(walker->word_capacity >= MAX_WORDS ||
		 !xhprof_pages_double((void **)&walker->words, sizeof(*walker->words), &walker->word_capacity, FIRST_WORDS))) {
		walker->result->incomplete = true;
		return false;
	}
	uint64_t *word = walker->words + walker->word_count, first = item->address | (uint64_t)item->visit << ADDRESS_BITS;
	if (item->extra || item->type || item->name) {
		*word++ = (xhprof_addr)item->name;
		*word++ = item->extra | (uint64_t)item->type << ADDRESS_BITS;
		first |= HAS_MORE;
	}
	*word++ = first;
	walker->word_count = (size_t)(word - walker->words);
	if (++walker->item_count > walker->result->waited) {
		walker->result->waited = walker->item_count;
	}
	return true;
}

static zend_always_inline bool pop_item(xhprof_walker *walker, xhprof_item *item)
{
	if (!walker->item_count) {
		return false;
	}
	uint64_t first = walker->words[--walker->word_count], address = ((uint64_t)1 << ADDRESS_BITS) - 1;
	*item = (xhprof_item){.address = first & address, .visit = (first & ~HAS_MORE) >> ADDRESS_BITS};
	if (first & HAS_MORE) {
		uint64_t extra = walker->words[--walker->word_count];
		item->extra = extra & address;
		item->type = extra >> ADDRESS_BITS;
		item->name = (const char *)(xhprof_addr)walker->words[--walker->word_count];
	}
	walker->item_count--;
	if (walker->word_count) {
		__builtin_prefetch((const void *)(walker->words[walker->word_count - 1] & address));
	}
	return true;
}

void xhprof_walker_drain(xhprof_walker *walker)
{
	xhprof_item item;
	while (pop_item(walker, &item)) {
		walker->parts->visit[item.visit](walker, &item);
	}
}

static bool is_heap_block(const xhprof_walker *walker, xhprof_addr address)
{
	xhprof_zmm_block block;
	return xhprof_zmm_block_of(walker->zmm, address, &block);
}

/* Counts memory that is no separate block of the heap. */
static void count_outside(xhprof_walker *walker, xhprof_heap_node *node)
{
	if (is_heap_block(walker, node->address)) {
		return;
	}
	const xhprof_region *region = xhprof_reader_region(walker->reader, node->address);
	if (region && node->size > region->to - node->address) {
		node->size = region->to - node->address;
	}
	if (region && region->kind == XHPROF_REGION_SHARED) {
		node->shared = true;
		walker->result->shared_bytes += node->size;
	} else {
		walker->result->outside_bytes += node->size;
	}
}

void xhprof_walker_node(xhprof_walker *walker, xhprof_heap_node *node, uint64_t start)
{
	xhprof_walk_result *result = walker->result;
	xhprof_zmm_block block;
	node->start = node->block = 0;
	node->shared = false;
	if (start && xhprof_zmm_claim(walker->zmm, start, &block)) {
		node->start = start;
		node->block = block.size;
		if (node->size > block.size) {
			node->size = block.size;
		}
		if (walker->options->path_of) {
			node->path = walker->options->path_of(walker->options->context, block.address);
		}
		switch (node->type) {
			case XHPROF_HEAP_NATIVE:
				result->native_bytes += block.size;
				result->native_blocks++;
				break;
			case XHPROF_HEAP_UNREACHABLE:
				result->unreachable_bytes += block.size;
				result->unreachable_blocks++;
				break;
			case XHPROF_HEAP_STRING:
			case XHPROF_HEAP_ARRAY:
			case XHPROF_HEAP_ARRAY_TABLE:
			case XHPROF_HEAP_REFERENCE:
				/* Their unused parts hold no values. */
				if (!walker->options->types_only) {
					xhprof_zmm_mark_resolved(walker->zmm, start);
				}
				/* fallthrough */
			default:
				result->typed_bytes += block.size;
				result->typed_blocks++;
		}
		walker->reported_bytes += block.size;
	} else if (node->address > XHPROF_HEAP_ROOTS) {
		count_outside(walker, node);
	}
	if (++result->nodes % PROGRESS_NODES == 0 && walker->options->progress) {
		walker->options->progress(walker->options->context, walker->reported_bytes, walker->zmm->live_bytes);
	}
	walker->visitor->node(walker->visitor->context, node);
}

void xhprof_walker_plain_node(xhprof_walker *walker, xhprof_addr address, xhprof_heap_type type, uint64_t size,
							  xhprof_text name)
{
	xhprof_heap_node node = {
		.address = address, .type = type, .size = size, .name = name.bytes, .name_length = name.length};
	xhprof_walker_node(walker, &node, address);
}

void xhprof_walker_root(xhprof_walker *walker, xhprof_heap_root root)
{
	const char *name = xhprof_heap_root_name(root);
	xhprof_walker_plain_node(walker, root, XHPROF_HEAP_ROOT, 0, (xhprof_text){name, strlen(name)});
}

static inline void emit_edge(xhprof_walker *walker, xhprof_edge_label label, uint64_t to, const char *scalar)
{
	walker->result->edges++;
	if (walker->options->types_only && label.kind != XHPROF_EDGE_PART) {
		return;
	}
	xhprof_heap_edge edge = {label.kind, to, label.index, label.name.bytes, label.name.length, scalar};
	walker->visitor->edge(walker->visitor->context, &edge);
}

void xhprof_walker_edge(xhprof_walker *walker, xhprof_edge_label label, uint64_t to)
{
	emit_edge(walker, label, to, NULL);
}

void xhprof_walker_scalar(xhprof_walker *walker, xhprof_edge_label label, const char *json)
{
	if (walker->options->scalars) {
		emit_edge(walker, label, 0, json);
	}
}

/* Returns whether an address can belong to the engine. */
static zend_always_inline bool is_plausible(xhprof_walker *walker, xhprof_addr address)
{
	if (address % sizeof(void *) == 0 && address >> ADDRESS_BITS == 0 && address > XHPROF_HEAP_ROOTS &&
		xhprof_reader_region(walker->reader, address)) {
		return true;
	}
	walker->result->unreadable++;
	return false;
}

static zend_always_inline bool refer_item(xhprof_walker *walker, xhprof_edge_label label, const xhprof_item *item)
{
	if (xhprof_zmm_mark_seen(walker->zmm, item->address) && !push_item(walker, item)) {
		return false;
	}
	emit_edge(walker, label, item->address, NULL);
	return true;
}

/* Reports a leaf, without reading it, when it is visited first and its block is claimed. */
static void emit_leaf(xhprof_walker *walker, xhprof_addr address, xhprof_heap_type type)
{
	xhprof_zmm_block block;
	if (xhprof_zmm_claim(walker->zmm, address, &block)) {
		walker->visitor->leaf(walker->visitor->context, address, type);
	}
}

bool xhprof_walker_refer(xhprof_walker *walker, xhprof_edge_label label, xhprof_visit visit, xhprof_at where,
						 uint64_t extra)
{
	xhprof_addr to = where.number;
	if (visit == XHPROF_VISIT_STRING && walker->options->types_only) {
		emit_leaf(walker, to, XHPROF_HEAP_STRING);
		return to != 0;
	}
	if (!to || !is_plausible(walker, to)) {
		return false;
	}
	xhprof_item item = {.address = to, .visit = visit, .extra = extra};
	return refer_item(walker, label, &item);
}

bool xhprof_walker_part(xhprof_walker *walker, xhprof_heap_type type, const char *name, xhprof_at where, uint64_t size)
{
	xhprof_addr address = where.number;
	if (!address || !is_plausible(walker, address)) {
		return false;
	}
	if (walker->options->types_only) {
		emit_leaf(walker, address, type);
		return true;
	}
	uint64_t max = ((uint64_t)1 << ADDRESS_BITS) - 1;
	xhprof_item item = {
		.address = address, .visit = XHPROF_VISIT_PART, .extra = size < max ? size : max, .type = type, .name = name};
	return refer_item(walker, (xhprof_edge_label){XHPROF_EDGE_PART, 0, {name, strlen(name)}}, &item);
}

bool xhprof_walker_part_around(xhprof_walker *walker, xhprof_heap_type type, const char *name, xhprof_at where)
{
	xhprof_addr address = where.number;
	xhprof_zmm_block block;
	return xhprof_zmm_block_of(walker->zmm, address, &block) &&
		   xhprof_walker_part(walker, type, name, block.address, block.size);
}

/* ---- Values ---- */

static void emit_double(xhprof_walker *walker, xhprof_edge_label label, double number)
{
	if (!isfinite(number)) {
		xhprof_walker_scalar(walker, label, isnan(number) ? "NAN" : number > 0 ? "INF" : "-INF");
		return;
	}
	for (int digits = 15; digits <= 17; digits++) {
		snprintf(walker->number, sizeof(walker->number), "%.*g", digits, number);
		if (strtod(walker->number, NULL) == number) {
			break;
		}
	}
	char *comma = strchr(walker->number, ','); /* the locale's */
	if (comma) {
		*comma = '.';
	}
	xhprof_walker_scalar(walker, label, walker->number);
}

void xhprof_walker_zval(xhprof_walker *walker, xhprof_edge_label label, const zval *value)
{
	static const xhprof_visit visits[] = {
		[IS_STRING] = XHPROF_VISIT_STRING,       [IS_ARRAY] = XHPROF_VISIT_ARRAY,
		[IS_OBJECT] = XHPROF_VISIT_OBJECT,       [IS_RESOURCE] = XHPROF_VISIT_RESOURCE,
		[IS_REFERENCE] = XHPROF_VISIT_REFERENCE, [IS_CONSTANT_AST] = XHPROF_VISIT_AST,
	};
	static const char *const words[] = {[IS_NULL] = "null", [IS_FALSE] = "false", [IS_TRUE] = "true"};
	switch (Z_TYPE_P(value)) {
		case IS_STRING:
		case IS_ARRAY:
		case IS_OBJECT:
		case IS_RESOURCE:
		case IS_REFERENCE:
		case IS_CONSTANT_AST:
			xhprof_walker_refer(walker, label, visits[Z_TYPE_P(value)], Z_COUNTED_P(value), 0);
			return;
		case IS_INDIRECT: {
			XHPROF_WALKER_LOAD(walker, zval, meant, Z_INDIRECT_P(value));
			if (meant && Z_TYPE_P(meant) != IS_INDIRECT) {
				xhprof_walker_zval(walker, label, meant);
			}
			return;
		}
		case IS_NULL:
		case IS_FALSE:
		case IS_TRUE:
			xhprof_walker_scalar(walker, label, words[Z_TYPE_P(value)]);
			return;
		case IS_LONG:
			if (walker->options->scalars) {
				snprintf(walker->number, sizeof(walker->number), "%lld", (long long)Z_LVAL_P(value));
				xhprof_walker_scalar(walker, label, walker->number);
			}
			return;
		case IS_DOUBLE:
			if (walker->options->scalars) {
				emit_double(walker, label, Z_DVAL_P(value));
			}
			return;
		default:
			return;
	}
}

void xhprof_walker_zvals(xhprof_walker *walker, xhprof_at where, uint64_t count)
{
	xhprof_addr address = where.number;
	for (uint64_t i = 0; address && i < count && xhprof_walker_may_continue(walker); i++) {
		XHPROF_WALKER_LOAD_OR(return, walker, zval, value, address + i * sizeof(zval));
		xhprof_walker_zval(walker, XHPROF_INDEX(i), value);
	}
}

void xhprof_walker_string(xhprof_walker *walker, xhprof_edge_label label, xhprof_at where)
{
	xhprof_walker_refer(walker, label, XHPROF_VISIT_STRING, where, 0);
}

void xhprof_walker_name(xhprof_walker *walker, const char *part, xhprof_at where)
{
	xhprof_addr address = where.number;
	if (walker->options->types_only) {
		emit_leaf(walker, address, XHPROF_HEAP_STRING);
		return;
	}
	if (!address || address % sizeof(void *) || !is_heap_block(walker, address)) {
		return;
	}
	XHPROF_WALKER_LOAD(walker, zend_refcounted_h, header, address);
	if (header && !(header->u.type_info & (IS_STR_INTERNED << GC_FLAGS_SHIFT))) {
		xhprof_walker_string(walker, (xhprof_edge_label){XHPROF_EDGE_PART, 0, {part, strlen(part)}}, where);
	}
}

static bool emit_element(xhprof_walker *walker, const xhprof_element *element, void *context)
{
	bool indirect = *(const bool *)context;
	if (Z_TYPE_P(element->value) == IS_INDIRECT && !indirect) {
		return true;
	}
	if (!element->key) {
		xhprof_walker_zval(walker, XHPROF_INDEX(element->index), element->value);
		return true;
	}
	xhprof_text name = XHPROF_TEXT("");
	if (!walker->options->types_only) {
		name = xhprof_walker_text(walker, element->key);
	}
	if (!name.bytes) {
		walker->result->unreadable++;
		name = XHPROF_TEXT("");
	}
	xhprof_walker_zval(walker, XHPROF_NAMED(name), element->value);
	xhprof_walker_name(walker, "key", element->key);
	return true;
}

void xhprof_walker_table(xhprof_walker *walker, const HashTable *table)
{
	bool indirect = true;
	xhprof_walker_elements(walker, table, emit_element, &indirect);
	xhprof_walker_table_part(walker, table, XHPROF_HEAP_ARRAY_TABLE, "table");
}

void xhprof_walker_dynamic_properties(xhprof_walker *walker, const HashTable *table)
{
	bool indirect = false;
	xhprof_walker_elements(walker, table, emit_element, &indirect);
}

void xhprof_walker_table_part(xhprof_walker *walker, const HashTable *table, xhprof_heap_type type, const char *name)
{
	uint64_t size;
	uint64_t data = xhprof_walker_table_data(walker, table, &size);
	xhprof_walker_part(walker, type, name, data, size);
}

void xhprof_walker_private_part(xhprof_walker *walker, uint64_t node, unsigned number, uint64_t from, uint64_t size,
								xhprof_text owner)
{
	xhprof_zmm_block own, found;
	bool refers = false;
	size = size < MAX_PRIVATE ? size : MAX_PRIVATE;
	if (!xhprof_zmm_block_of(walker->zmm, from, &own)) {
		own.address = own.size = 0;
	}
	for (uint64_t at = from; at + sizeof(uint64_t) <= from + size && !refers; at += sizeof(uint64_t)) {
		XHPROF_WALKER_LOAD(walker, uint64_t, word, at);
		if (!word) {
			break;
		}
		refers = xhprof_zmm_block_of(walker->zmm, *word, &found) && found.address != own.address;
	}
	if (!refers) {
		return;
	}
	if (walker->private_count == walker->private_capacity &&
		(walker->private_capacity >= MAX_PRIVATES ||
		 !xhprof_pages_double((void **)&walker->privates, sizeof(*walker->privates), &walker->private_capacity,
							  FIRST_PRIVATES))) {
		walker->result->incomplete = true;
		return;
	}
	xhprof_addr address = node + 1 + number;
	walker->privates[walker->private_count++] = (xhprof_walker_private){address, from, size, owner};
	emit_edge(walker, XHPROF_PART("internals"), address, NULL);
}
