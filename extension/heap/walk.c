#include "walk.h"

#include "walk_containers.h"
#include "walk_parts.h"

#define HASHED_OUTSIDE ((uint64_t)256 << 20) /* most bytes of strings outside of the heap, which are opcache's */

#define VISIT(kind, name) xhprof_walk_##name,
static const xhprof_walk_parts parts = {.visit = {XHPROF_VISITS(VISIT)}, .container_of = xhprof_walk_container_of};

/* Returns the most references that a walk may follow. Every reference lies somewhere, and is followed once: a walk that
 * follows more is looping in damaged memory. */
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
