#include "walk.h"

#include "walk_containers.h"
#include "walk_parts.h"

#define HASHED_OUTSIDE ((uint64_t)256 << 20) /* most bytes of strings outside of the heap, which are opcache's */

static const xhprof_walk_parts parts = {
	.visit =
		{
			[XHPROF_VISIT_PART] = xhprof_walk_part,
			[XHPROF_VISIT_STRING] = xhprof_walk_string,
			[XHPROF_VISIT_ARRAY] = xhprof_walk_array,
			[XHPROF_VISIT_OBJECT] = xhprof_walk_object,
			[XHPROF_VISIT_RESOURCE] = xhprof_walk_resource,
			[XHPROF_VISIT_REFERENCE] = xhprof_walk_reference,
			[XHPROF_VISIT_AST] = xhprof_walk_ast,
			[XHPROF_VISIT_FRAME] = xhprof_walk_frame,
			[XHPROF_VISIT_FUNCTION] = xhprof_walk_function,
			[XHPROF_VISIT_CLASS] = xhprof_walk_class,
			[XHPROF_VISIT_CONSTANT] = xhprof_walk_constant,
			[XHPROF_VISIT_PROPERTY_INFO] = xhprof_walk_property_info,
			[XHPROF_VISIT_CLASS_CONSTANT] = xhprof_walk_class_constant,
			[XHPROF_VISIT_ATTRIBUTES] = xhprof_walk_attributes,
			[XHPROF_VISIT_CALLABLE] = xhprof_walk_callable,
			[XHPROF_VISIT_OUTPUT_HANDLER] = xhprof_walk_output_handler,
			[XHPROF_VISIT_INI_ENTRY] = xhprof_walk_ini_entry,
			[XHPROF_VISIT_MODULE] = xhprof_walk_module,
		},
	.container_of = xhprof_walk_container_of,
};

/* Every reference lies somewhere, and is followed once: a walk that follows more is looping in damaged memory. */
static uint64_t max_work(const xhprof_reader *reader)
{
	uint64_t bytes = 0;
	for (size_t i = 0; i < reader->region_count; i++) {
		bytes += reader->regions[i].to - reader->regions[i].from;
	}
	return bytes / sizeof(void *) + ((uint64_t)1 << 20);
}

static void release_walker(xhprof_walker *walker)
{
	xhprof_pages_unmap(walker->words, walker->word_capacity * sizeof(*walker->words));
	xhprof_pages_unmap(walker->privates, walker->private_capacity * sizeof(*walker->privates));
	xhprof_pages_unmap(walker->value, walker->value_capacity);
	xhprof_table_release(&walker->classes);
	xhprof_arena_release(&walker->arena);
}

const char *xhprof_walk(xhprof_zmm *zmm, const xhprof_engine *engine, const xhprof_walk_options *options,
						const xhprof_heap_visitor *visitor, xhprof_walk_result *result)
{
	*result = (xhprof_walk_result){0};
	xhprof_walker *walker = xhprof_pages_map(sizeof(*walker));
	if (!walker) {
		return "not enough memory for the walk";
	}
	walker->parts = &parts;
	walker->zmm = zmm;
	walker->reader = zmm->reader;
	walker->engine = engine;
	walker->options = options;
	walker->visitor = visitor;
	walker->result = result;
	walker->max_work = max_work(zmm->reader);
	walker->hash_left = 2 * (uint64_t)zmm->real_size + HASHED_OUTSIDE;
	walker->map_ptr_base =
		xhprof_walker_pointer(walker, engine->compiler_globals + offsetof(zend_compiler_globals, map_ptr_base));
	const struct {
		uint64_t variable, *class_entry;
	} classes[] = {
		{engine->ce_closure, &walker->ce_closure}, {engine->ce_generator, &walker->ce_generator},
		{engine->ce_fiber, &walker->ce_fiber},     {engine->ce_weakref, &walker->ce_weakref},
		{engine->ce_weakmap, &walker->ce_weakmap},
	};
	for (size_t i = 0; i < sizeof(classes) / sizeof(classes[0]); i++) {
		if (classes[i].variable) {
			*classes[i].class_entry = xhprof_walker_pointer(walker, classes[i].variable);
		}
	}
	/* Calls first: their frames, once seen, are not taken for those of suspended generators. */
	xhprof_walk_calls(walker);
	xhprof_walk_roots(walker);
	xhprof_walker_drain(walker);
	xhprof_walk_native(walker);
	if (!options->types_only) {
		xhprof_walk_unreachable(walker);
	}
	xhprof_walker_drain(walker);
	result->incomplete |= zmm->unrecorded != 0;
	release_walker(walker);
	xhprof_pages_unmap(walker, sizeof(*walker));
	return NULL;
}
