#include "heap_join.h"

void xhprof_heap_join_begin(xhprof_heap_join *join)
{
	const xhprof_tracer *tracer = &XHPROF_G(tracer);
	memset(join, 0, sizeof(*join));
	join->held = xhprof_tracer_hold(&XHPROF_G(tracer), true);
	if (!XHPROF_G(tracking).running || !tracer->tree.root) {
		return; /* blocks of an ended tracking may have been reused */
	}
	join->nodes = tracer->tree.nodes;
	join->size = ((size_t)join->nodes + 1) * sizeof(*join->node_of);
	join->node_of = xhprof_pages_map(join->size);
	if (!join->node_of) {
		return;
	}
	for (const xhprof_node *node = tracer->tree.root; node; node = xhprof_calltree_next(node)) {
		join->node_of[node->id] = node;
	}
	join->blocks = &XHPROF_G(alloc).ledger.map;
	join->tracer = tracer;
}

void xhprof_heap_join_end(xhprof_heap_join *join)
{
	xhprof_tracer_hold(&XHPROF_G(tracer), join->held);
	xhprof_pages_unmap(join->node_of, join->size);
	memset(join, 0, sizeof(*join));
}

uint32_t xhprof_heap_join_path(const xhprof_heap_join *join, uint64_t block)
{
	const xhprof_record *record = join->tracer ? xhprof_block_map_find(join->blocks, (uintptr_t)block) : NULL;
	return record && record->node <= join->nodes ? record->node : 0;
}

static bool resolve_path(void *context, uint32_t path, uint32_t *parent, const char **function, size_t *length)
{
	const xhprof_heap_join *join = context;
	if (!join->tracer || !path || path > join->nodes || !join->node_of[path]) {
		return false;
	}
	const xhprof_node *node = join->node_of[path], *above = xhprof_node_parent(node);
	const xhprof_symbol *symbol = xhprof_symbols_get(&join->tracer->symbols, XHPROF_SYMBOL_ID(node->symbol));
	*parent = above ? above->id : 0;
	*function = symbol->name;
	*length = symbol->length;
	return true;
}

xhprof_heap_paths xhprof_heap_join_paths(xhprof_heap_join *join)
{
	return (xhprof_heap_paths){.context = join, .resolve = resolve_path};
}
