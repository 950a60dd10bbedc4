#include "block_types.h"

#include "heap/heap_engine.h"
#include "heap/zmm_blocks.h"

typedef struct block_types {
	xhprof_alloc_types *types;
	xhprof_block_map *blocks;
	xhprof_reader reader;
	xhprof_zmm zmm;
	uint16_t code, calls, list; /* types */
	const zend_class_entry *last_class;
	uint16_t last_type;
	/* Of the node reported last: */
	uint16_t own;                 /* type of its parts; unknown: they have their own */
	const zend_array *properties; /* those that an object has beside its slots, or NULL */
} block_types;

/* Returns the type of an object by the full name of its class, as the walk cuts long names. */
static uint16_t class_type(block_types *walk, const xhprof_heap_node *node)
{
	const zend_class_entry *entry = node->size ? ((const zend_object *)(uintptr_t)node->address)->ce : NULL;
	if (!entry) {
		return XHPROF_TYPE_UNKNOWN; /* it cannot be read */
	}
	if (entry != walk->last_class) {
		const zend_string *name = entry->name;
		if (!xhprof_reader_readable(&walk->reader, (uintptr_t)name, _ZSTR_STRUCT_SIZE(ZSTR_LEN(name)))) {
			return XHPROF_TYPE_UNKNOWN;
		}
		walk->last_class = entry;
		walk->last_type = xhprof_alloc_types_class(walk->types, entry, ZSTR_VAL(name), ZSTR_LEN(name));
	}
	return walk->last_type;
}

static uint16_t resource_type(block_types *walk, const xhprof_heap_node *node)
{
	char name[80];
	snprintf(name, sizeof(name), "resource:%.*s", (int)(node->name_length < 64 ? node->name_length : 64), node->name);
	return xhprof_alloc_types_other(walk->types, name);
}

/* Returns the type of a node by itself; unknown: it takes the type of the node that it is a part of. */
static uint16_t own_type(const block_types *walk, xhprof_heap_type type)
{
	switch (type) {
		case XHPROF_HEAP_STRING:
			return XHPROF_TYPE_STRING;
		case XHPROF_HEAP_ARRAY:
			return XHPROF_TYPE_ARRAY;
		case XHPROF_HEAP_REFERENCE:
			return XHPROF_TYPE_REFERENCE;
		case XHPROF_HEAP_FUNCTION:
		case XHPROF_HEAP_OPCODES:
		case XHPROF_HEAP_FUNCTION_PART:
		case XHPROF_HEAP_CLASS:
		case XHPROF_HEAP_CLASS_PART:
		case XHPROF_HEAP_CONSTANT_EXPRESSION:
		case XHPROF_HEAP_ARENA:
			return walk->code;
		default:
			return XHPROF_TYPE_UNKNOWN;
	}
}

/* Returns the type of a part of the engine, which belongs to no object or resource. */
static uint16_t part_type(block_types *walk, xhprof_heap_type type)
{
	switch (type) {
		case XHPROF_HEAP_ARRAY_TABLE:
			return XHPROF_TYPE_ARRAY;
		case XHPROF_HEAP_RUNTIME_CACHE:
			return walk->code;
		case XHPROF_HEAP_VM_STACK:
			return walk->calls;
		case XHPROF_HEAP_CONSTANT:
		case XHPROF_HEAP_ENGINE:
		case XHPROF_HEAP_OUTPUT:
			return xhprof_alloc_types_other(walk->types, xhprof_heap_type_name(type));
		default:
			return XHPROF_TYPE_UNKNOWN;
	}
}

/* Returns the type of a private part: that of its object or resource. Blocks to which the part leads are reported after
 * it. */
static uint16_t private_type(const block_types *walk, uint64_t address)
{
	xhprof_zmm_block block;
	const uint16_t *known = xhprof_zmm_block_of(&walk->zmm, address & ~(uint64_t)7, &block)
								? xhprof_block_map_type(walk->blocks, block.address)
								: NULL;
	return known ? *known : XHPROF_TYPE_UNKNOWN;
}

static uint16_t owner_type(block_types *walk, const xhprof_heap_node *node)
{
	switch (node->type) {
		case XHPROF_HEAP_OBJECT:
		case XHPROF_HEAP_CLOSURE:
		case XHPROF_HEAP_GENERATOR:
		case XHPROF_HEAP_FIBER:
		case XHPROF_HEAP_ENUM_CASE:
			return class_type(walk, node);
		case XHPROF_HEAP_RESOURCE:
			return resource_type(walk, node);
		case XHPROF_HEAP_NATIVE:
			return node->block ? walk->own : private_type(walk, node->address);
		case XHPROF_HEAP_ROOT:
			return node->address == XHPROF_HEAP_ROOT_OBJECTS_STORE ? walk->list : XHPROF_TYPE_UNKNOWN;
		default:
			return XHPROF_TYPE_UNKNOWN;
	}
}

static void visit_node(void *context, const xhprof_heap_node *node)
{
	block_types *walk = context;
	walk->own = owner_type(walk, node);
	walk->properties = NULL;
	uint16_t type = walk->own ? walk->own : own_type(walk, node->type);
	uint16_t *known = node->block ? xhprof_block_map_type(walk->blocks, node->start) : NULL;
	if (known && type) {
		*known = type;
	} else if (known && !*known) {
		*known = part_type(walk, node->type);
	}
}

/* Records the type of an object's part that holds references itself, such as a generator's frame. Things with a type of
 * their own report it at their own turn. */
static void visit_edge(void *context, const xhprof_heap_edge *edge)
{
	block_types *walk = context;
	xhprof_zmm_block block;
	if (walk->own && xhprof_zmm_block_of(&walk->zmm, edge->to, &block)) {
		uint16_t *known = xhprof_block_map_type(walk->blocks, block.address);
		if (known && !*known) {
			*known = walk->own;
		}
	}
}

static void visit_leaf(void *context, uint64_t block, xhprof_heap_type type)
{
	block_types *walk = context;
	uint16_t *known = xhprof_block_map_type(walk->blocks, block), is = own_type(walk, type);
	if (type == XHPROF_HEAP_ARRAY) {
		walk->properties = (const zend_array *)(uintptr_t)block;
	}
	if (!known) {
		return;
	}
	bool array = walk->properties && block == (uintptr_t)HT_GET_DATA_ADDR(walk->properties);
	is = is || array ? is : walk->own;
	*known = is ? is : part_type(walk, type);
}

static void reset_type(void *context, uintptr_t address, size_t size, const xhprof_record *record, uint16_t *type)
{
	block_types *walk = context;
	*type = XHPROF_TYPE_UNKNOWN;
	if (!walk->blocks->by_pages) {
		xhprof_zmm_add(&walk->zmm, address, size);
	}
}

/* Opens the heap as it is; with another allocator, only registered blocks are known. */
static bool open_heap(block_types *walk)
{
	if (!walk->blocks->by_pages) {
		xhprof_zmm_open_added(&walk->zmm, &walk->reader);
		return true;
	}
	return !xhprof_zmm_open(&walk->zmm, &walk->reader, (uintptr_t)zend_mm_get_heap(), (uintptr_t)EG(vm_stack), false);
}

static void walk_heap(block_types *walk)
{
	xhprof_engine engine;
	xhprof_walk_result result;
	xhprof_heap_visitor visitor = {.context = walk, .node = visit_node, .edge = visit_edge, .leaf = visit_leaf};
	xhprof_walk_options options = {.types_only = true};
	xhprof_heap_engine_self(&engine);
	walk->code = xhprof_alloc_types_other(walk->types, "compiled code");
	walk->calls = xhprof_alloc_types_other(walk->types, "stack of calls");
	walk->list = xhprof_alloc_types_other(walk->types, "list of objects");
	xhprof_walk(&walk->zmm, &engine, &options, &visitor, &result);
}

void xhprof_block_types_resolve(xhprof_alloc_types *types, xhprof_block_map *blocks)
{
	block_types walk = {.types = types, .blocks = blocks};
	xhprof_block_map_each(blocks, reset_type, &walk);
	if (!xhprof_block_map_blocks(blocks) || xhprof_reader_open_self(&walk.reader) != 0) {
		xhprof_zmm_close(&walk.zmm);
		return;
	}
	if (open_heap(&walk)) {
		walk_heap(&walk);
	}
	xhprof_zmm_close(&walk.zmm);
	xhprof_reader_close(&walk.reader);
}
