/* The roots that are the engine's tables: variables, functions, classes, constants, files, strings, objects, resources.
 * For the rest of the engine see walk_engine.c. */
#include "engine_parts.h"
#include "walk_parts.h"

#include "zend_constants.h"

#define MAX_OBJECTS ((uint64_t)1 << 28)

/* Reports an element of a table of pointers, by name. */
static bool refer_named(xhprof_walker *walker, const xhprof_element *element, void *context)
{
	const xhprof_visit *visit = context;
	if (Z_TYPE_P(element->value) != IS_PTR && Z_TYPE_P(element->value) != IS_ALIAS_PTR) {
		return true;
	}
	const void *to = Z_PTR_P(element->value);
	xhprof_text name = xhprof_walker_text(walker, element->key);
	xhprof_walker_refer(walker, name.bytes ? XHPROF_NAMED(name) : XHPROF_INDEX(element->index), *visit, to, 0);
	xhprof_walker_name(walker, "key", element->key);
	return true;
}

static void walk_named(xhprof_walker *walker, xhprof_heap_root root, const HashTable *at, xhprof_visit visit)
{
	xhprof_walker_root(walker, root);
	XHPROF_WALKER_LOAD(walker, HashTable, table, at);
	if (table) {
		xhprof_walker_table_part(walker, table, XHPROF_HEAP_ENGINE, "table");
		xhprof_walker_elements(walker, table, refer_named, &visit);
	}
	xhprof_walker_drain(walker);
}

static bool refer_key(xhprof_walker *walker, const xhprof_element *element, void *context)
{
	uint64_t *number = context;
	if (element->key) {
		xhprof_walker_refer(walker, XHPROF_INDEX((*number)++), XHPROF_VISIT_STRING, element->key, 0);
	}
	return true;
}

static void walk_keys(xhprof_walker *walker, xhprof_heap_root root, const HashTable *table)
{
	uint64_t number = 0;
	xhprof_walker_root(walker, root);
	xhprof_walker_table_part(walker, table, XHPROF_HEAP_ENGINE, "table");
	xhprof_walker_elements(walker, table, refer_key, &number);
	xhprof_walker_drain(walker);
}

/* Reports the objects of the store. Handles are not references: an object that only the store lists is garbage. */
static void walk_objects(xhprof_walker *walker, const zend_objects_store *store)
{
	xhprof_addr at = (xhprof_addr)store->object_buckets, top = store->top > 0 ? (uint64_t)store->top : 0;
	xhprof_walker_root(walker, XHPROF_HEAP_ROOT_OBJECTS_STORE);
	if (at && top <= MAX_OBJECTS && store->top <= store->size) {
		xhprof_walker_part(walker, XHPROF_HEAP_ENGINE, "table", at, (uint64_t)store->size * sizeof(void *));
		for (uint64_t handle = 1; handle < top && xhprof_walker_may_continue(walker); handle++) {
			XHPROF_WALKER_LOAD_OR(break, walker, uint64_t, object, at + handle * sizeof(void *));
			xhprof_addr address = *object;
			if (!(address & OBJ_BUCKET_INVALID)) {
				xhprof_walker_refer(walker, XHPROF_WEAK(xhprof_walk_numbered(walker, handle)), XHPROF_VISIT_OBJECT,
									address, 0);
			}
		}
	}
	xhprof_walker_drain(walker);
}

static bool refer_resource(xhprof_walker *walker, const xhprof_element *element, void *context)
{
	if (Z_TYPE_P(element->value) == IS_RESOURCE) {
		xhprof_walker_refer(walker, XHPROF_WEAK(xhprof_walk_numbered(walker, (uint64_t)element->index)),
							XHPROF_VISIT_RESOURCE, Z_RES_P(element->value), 0);
	}
	return true;
}

/* Reports a persistent resource. It lies outside of the heap, and its name keeps it alive. */
static bool refer_persistent(xhprof_walker *walker, const xhprof_element *element, void *context)
{
	if (Z_TYPE_P(element->value) == IS_PTR) {
		xhprof_text name = xhprof_walker_text(walker, element->key);
		xhprof_walker_refer(walker, name.bytes ? XHPROF_NAMED(name) : XHPROF_INDEX(element->index),
							XHPROF_VISIT_RESOURCE, Z_PTR_P(element->value), 0);
	}
	return true;
}

static void walk_resources(xhprof_walker *walker, const zend_executor_globals *executor)
{
	xhprof_walker_root(walker, XHPROF_HEAP_ROOT_RESOURCES);
	xhprof_walker_table_part(walker, &executor->regular_list, XHPROF_HEAP_ENGINE, "table");
	xhprof_walker_elements(walker, &executor->regular_list, refer_resource, NULL);
	xhprof_walker_table_part(walker, &executor->persistent_list, XHPROF_HEAP_ENGINE, "table of persistent ones");
	xhprof_walker_elements(walker, &executor->persistent_list, refer_persistent, NULL);
	xhprof_walker_drain(walker);
}

void xhprof_walk_roots(xhprof_walker *walker)
{
	XHPROF_WALKER_LOAD(walker, zend_executor_globals, executor, walker->engine->executor_globals);
	XHPROF_WALKER_LOAD(walker, zend_compiler_globals, compiler, walker->engine->compiler_globals);
	if (!executor || !compiler) {
		walker->result->unreadable++;
		return;
	}
	xhprof_walker_root(walker, XHPROF_HEAP_ROOT_GLOBALS);
	xhprof_walker_table(walker, &executor->symbol_table);
	xhprof_walker_drain(walker);
	walk_named(walker, XHPROF_HEAP_ROOT_FUNCTIONS, executor->function_table, XHPROF_VISIT_FUNCTION);
	walk_named(walker, XHPROF_HEAP_ROOT_CLASSES, executor->class_table, XHPROF_VISIT_CLASS);
	walk_named(walker, XHPROF_HEAP_ROOT_CONSTANTS, executor->zend_constants, XHPROF_VISIT_CONSTANT);
	walk_keys(walker, XHPROF_HEAP_ROOT_INCLUDED_FILES, &executor->included_files);
	walk_keys(walker, XHPROF_HEAP_ROOT_INTERNED_STRINGS, &compiler->interned_strings);
	/* The engine's holders come before the lists that hold nothing, so that values are found at their holders. */
	xhprof_walk_engine(walker, executor, compiler);
	walk_resources(walker, executor);
	walk_objects(walker, &executor->objects_store);
	xhprof_walk_collector(walker);
}
