#include "walk_containers.h"

#include "compat/engine_layout.h"

#define MAX_ABOVE 64 /* parent classes checked */

/* ---- Structures in front of the objects; the same from 8.2 to 8.6 ---- */

/* spl_fixedarray */
typedef struct fixed_array {
	int64_t size;
	uint64_t elements;
} fixed_array;

/* spl_SplObjectStorageElement */
typedef struct storage_element {
	uint64_t object;
	zval info;
} storage_element;

/* spl_ptr_llist, spl_ptr_llist_element */
typedef struct value_list {
	uint64_t first, last;
	int32_t count;
} value_list;

typedef struct list_element {
	uint64_t previous, next;
	zval value;
} list_element;

static void visit_array(xhprof_walker *walker, uint64_t start)
{
	XHPROF_WALKER_LOAD(walker, zval, array, start);
	if (array) {
		xhprof_walker_zval(walker, XHPROF_NAMED(XHPROF_TEXT("storage")), array);
	}
}

static void visit_fixed_array(xhprof_walker *walker, uint64_t start)
{
	XHPROF_WALKER_LOAD(walker, fixed_array, array, start);
	if (array && array->size > 0) {
		xhprof_walker_part(walker, XHPROF_HEAP_ARRAY_TABLE, "elements", array->elements,
						   (uint64_t)array->size * sizeof(zval));
		xhprof_walker_zvals(walker, array->elements, (uint64_t)array->size);
	}
}

static void visit_heap(xhprof_walker *walker, uint64_t start)
{
	xhprof_addr address = xhprof_walker_pointer(walker, start);
	XHPROF_WALKER_LOAD(walker, xhprof_layout_value_heap, heap, address);
	if (!address || !heap) {
		return;
	}
	xhprof_walker_part(walker, XHPROF_HEAP_ARRAY_TABLE, "heap", address, sizeof(*heap));
	xhprof_walker_part(walker, XHPROF_HEAP_ARRAY_TABLE, "elements", heap->elements,
					   heap->capacity * heap->element_size);
	bool priorities = heap->element_size == 2 * sizeof(zval);
	for (int32_t i = 0; heap->elements && i < heap->count && xhprof_walker_may_continue(walker); i++) {
		uint64_t at = heap->elements + (uint64_t)i * heap->element_size;
		XHPROF_WALKER_LOAD_OR(return, walker, zval, value, at);
		xhprof_walker_zval(walker, XHPROF_INDEX(i), value);
		if (priorities) {
			XHPROF_WALKER_LOAD(walker, zval, priority, at + sizeof(zval));
			if (priority) {
				xhprof_walker_zval(walker, XHPROF_NAMED(XHPROF_TEXT("priority")), priority);
			}
		}
	}
}

static bool visit_stored(xhprof_walker *walker, const xhprof_element *element, void *context)
{
	int64_t *index = context;
	if (Z_TYPE_P(element->value) != IS_PTR) {
		return true;
	}
	xhprof_addr address = (xhprof_addr)Z_PTR_P(element->value);
	XHPROF_WALKER_LOAD(walker, storage_element, stored, address);
	if (!stored) {
		walker->result->unreadable += address != 0;
		return true;
	}
	xhprof_walker_part(walker, XHPROF_HEAP_ARRAY_TABLE, "element", address, sizeof(*stored));
	xhprof_walker_refer(walker, XHPROF_INDEX((*index)++), XHPROF_VISIT_OBJECT, stored->object, 0);
	if (Z_TYPE(stored->info) > IS_NULL) {
		xhprof_walker_zval(walker, XHPROF_NAMED(XHPROF_TEXT("info")), &stored->info);
	}
	return true;
}

static void visit_storage(xhprof_walker *walker, uint64_t start)
{
	int64_t index = 0;
	XHPROF_WALKER_LOAD(walker, HashTable, table, start);
	if (table) {
		xhprof_walker_elements(walker, table, visit_stored, &index);
		xhprof_walker_table_part(walker, table, XHPROF_HEAP_ARRAY_TABLE, "table");
	}
}

static void visit_list(xhprof_walker *walker, uint64_t start)
{
	xhprof_addr address = xhprof_walker_pointer(walker, start);
	XHPROF_WALKER_LOAD(walker, value_list, list, address);
	if (!address || !list) {
		return;
	}
	xhprof_walker_part(walker, XHPROF_HEAP_ARRAY_TABLE, "list", address, sizeof(*list));
	uint64_t at = list->first;
	for (int32_t i = 0; at && i < list->count && xhprof_walker_may_continue(walker); i++) {
		XHPROF_WALKER_LOAD_OR(return, walker, list_element, element, at);
		xhprof_walker_part(walker, XHPROF_HEAP_ARRAY_TABLE, "element", at, sizeof(*element));
		xhprof_walker_zval(walker, XHPROF_INDEX(i), &element->value);
		at = element->next;
	}
}

/* ---- Which classes ---- */

typedef struct container {
	xhprof_text name;
	void (*visit)(xhprof_walker *walker, uint64_t start);
	uint64_t size; /* bytes read */
} container;

static const container containers[] = {
	{{"ArrayObject", 11}, visit_array, sizeof(zval)},
	{{"ArrayIterator", 13}, visit_array, sizeof(zval)},
	{{"SplFixedArray", 13}, visit_fixed_array, sizeof(fixed_array)},
	{{"SplHeap", 7}, visit_heap, sizeof(void *)},
	{{"SplPriorityQueue", 16}, visit_heap, sizeof(void *)},
	{{"SplObjectStorage", 16}, visit_storage, sizeof(HashTable)},
	{{"MultipleIterator", 16}, visit_storage, sizeof(HashTable)},
	{{"SplDoublyLinkedList", 19}, visit_list, sizeof(void *)},
};

unsigned xhprof_walk_container_of(xhprof_walker *walker, xhprof_addr internal)
{
	for (unsigned above = 0; internal && above < MAX_ABOVE; above++) {
		XHPROF_WALKER_LOAD(walker, zend_class_entry, entry, internal);
		if (!entry) {
			return 0;
		}
		xhprof_text name = xhprof_walker_text(walker, entry->name);
		for (unsigned i = 0; i < sizeof(containers) / sizeof(containers[0]); i++) {
			if (name.length == containers[i].name.length &&
				!memcmp(name.bytes, containers[i].name.bytes, name.length)) {
				return i + 1;
			}
		}
		internal = (xhprof_addr)entry->parent;
	}
	return 0;
}

bool xhprof_walk_container(xhprof_walker *walker, const xhprof_walker_class *entry, uint64_t start, uint64_t size)
{
	const container *known = entry->container ? &containers[entry->container - 1] : NULL;
	if (!known || size < known->size) {
		return false;
	}
	known->visit(walker, start);
	return true;
}
