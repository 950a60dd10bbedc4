#include "spool_record.h"

#include "spool_put.h"

#include <string.h>

static char *put_names(char *to, const xhprof_symbols *symbols)
{
	to = xhprof_spool_put_number(to, symbols->count);
	for (uint32_t id = 1; id <= symbols->count; id++) {
		const xhprof_symbol *symbol = xhprof_symbols_get(symbols, id);
		to = xhprof_spool_put_number(to, symbol->flags);
		to = xhprof_spool_put_number(to, symbol->length);
		memcpy(to, symbol->name, symbol->length);
		to = xhprof_spool_put_place(to + symbol->length, &symbol->place);
	}
	return to;
}

static char *put_routes(char *to, const xhprof_merged *merged)
{
	const xhprof_merged_route *others = &merged->routes[XHPROF_MERGED_ROUTES];
	to = xhprof_spool_put_number(to, merged->route_count + (others->node != NULL));
	for (uint32_t i = 0; i <= XHPROF_MERGED_ROUTES; i++) {
		const xhprof_merged_route *route = &merged->routes[i];
		if (route->node && (i < merged->route_count || route == others)) {
			to = xhprof_spool_put_route(to, XHPROF_SYMBOL_ID(route->symbol), route);
		}
	}
	return to;
}

static char *put_tree(char *to, const xhprof_calltree *tree)
{
	uint32_t depth = 0;
	to = xhprof_spool_put_number(to, tree->nodes);
	for (const xhprof_node *node = tree->root; node; node = xhprof_calltree_next_at(node, &depth)) {
		to = xhprof_spool_put_node(to, depth, XHPROF_SYMBOL_ID(node->symbol), node,
								   tree->blocks ? &tree->blocks[node->id] : NULL,
								   tree->blocks && tree->kept ? &tree->kept[node->id] : NULL);
	}
	return to;
}

/* Puts an exemplar. `allocates`: the record's nodes have numbers of blocks. */
static char *put_exemplar(char *to, xhprof_symbol_ref route, size_t kind, const xhprof_exemplar *exemplar,
						  bool allocates)
{
	to = xhprof_spool_put_number(to, XHPROF_SYMBOL_ID(route));
	to = xhprof_spool_put_number(to, kind);
	to = xhprof_spool_put_exemplar_numbers(to, exemplar->key, &exemplar->figures, exemplar->used);
	for (uint32_t i = 0; i < exemplar->used; i++) {
		const xhprof_exemplar_node *node = &exemplar->nodes[i];
		const xhprof_exemplar_blocks *blocks = exemplar->blocks ? &exemplar->blocks[i] : NULL;
		const uint64_t numbers[XHPROF_SPOOL_NODE_NUMBERS] = {
			[XHPROF_SPOOL_NODE_DEPTH] = node->depth,
			[XHPROF_SPOOL_NODE_NAME] = XHPROF_SYMBOL_ID(node->symbol),
			[XHPROF_SPOOL_NODE_CALLS] = node->calls,
			[XHPROF_SPOOL_NODE_LINE] = node->line,
			[XHPROF_SPOOL_NODE_ALLOCATED_BYTES] = blocks ? blocks->allocated_bytes : 0,
			[XHPROF_SPOOL_NODE_ALLOCATED_BLOCKS] = blocks ? blocks->allocated_blocks : 0,
			[XHPROF_SPOOL_NODE_PEAK_BYTES] = blocks ? blocks->peak_bytes : 0,
		};
		to = xhprof_spool_put_numbers(to, numbers, allocates ? XHPROF_SPOOL_NODE_ALLOCATING : XHPROF_SPOOL_NODE_SHORT);
	}
	return to;
}

static size_t count_exemplars(const xhprof_exemplars *exemplars, size_t *nodes)
{
	size_t count = 0;
	for (uint32_t i = 0; i < exemplars->count; i++) {
		for (size_t kind = 0; kind < XHPROF_EXEMPLAR_KINDS; kind++) {
			count += exemplars->routes[i].by_kind[kind].key != 0;
			*nodes += exemplars->routes[i].by_kind[kind].used;
		}
	}
	return count;
}

static char *put_exemplars(char *to, const xhprof_exemplars *exemplars, bool allocates)
{
	size_t nodes = 0;
	to = xhprof_spool_put_number(to, count_exemplars(exemplars, &nodes));
	for (uint32_t i = 0; i < exemplars->count; i++) {
		const xhprof_exemplar_route *entry = &exemplars->routes[i];
		for (size_t kind = 0; kind < XHPROF_EXEMPLAR_KINDS; kind++) {
			to =
				entry->by_kind[kind].key ? put_exemplar(to, entry->symbol, kind, &entry->by_kind[kind], allocates) : to;
		}
	}
	return to;
}

static size_t max_bytes_of_exemplars(const xhprof_exemplars *exemplars)
{
	size_t nodes = 0, count = count_exemplars(exemplars, &nodes);
	return (1 + count * (2 + XHPROF_SPOOL_EXEMPLAR_NUMBERS) + nodes * XHPROF_SPOOL_NODE_NUMBERS) *
		   XHPROF_SPOOL_NUMBER_ROOM;
}

static size_t max_bytes_of(const xhprof_merged *merged)
{
	const xhprof_symbols *symbols = &merged->tracer.symbols;
	size_t names = 0;
	for (uint32_t id = 1; id <= symbols->count; id++) {
		names += xhprof_symbols_get(symbols, id)->length + 5 * XHPROF_SPOOL_NUMBER_ROOM;
	}
	for (const xhprof_file *file = symbols->files.first; file; file = file->next) {
		names += file->length + XHPROF_SPOOL_NUMBER_ROOM;
	}
	size_t buckets = 0;
	for (uint32_t i = 0; i <= XHPROF_MERGED_ROUTES; i++) {
		for (size_t measure = 0; measure < XHPROF_MERGED_MEASURES; measure++) {
			buckets += merged->routes[i].distributions[measure].used;
		}
	}
	return sizeof(xhprof_spool_record_head) + (XHPROF_SPOOL_FIELDS + 5) * XHPROF_SPOOL_NUMBER_ROOM + names +
		   ((size_t)merged->route_count + 1) * (1 + XHPROF_SPOOL_ROUTE_NUMBERS + XHPROF_MERGED_MEASURES) *
			   XHPROF_SPOOL_NUMBER_ROOM +
		   buckets * 2 * XHPROF_SPOOL_NUMBER_ROOM +
		   (size_t)merged->tracer.tree.nodes * XHPROF_SPOOL_NODE_NUMBERS * XHPROF_SPOOL_NUMBER_ROOM +
		   max_bytes_of_exemplars(&merged->exemplars) + XHPROF_SPOOL_ALIGN;
}

bool xhprof_spool_record_make(xhprof_spool_record *record, const xhprof_merged *merged, uint64_t process)
{
	const xhprof_tracer *tracer = &merged->tracer;
	record->window = record->journal = 0;
	record->mapped = max_bytes_of(merged);
	record->bytes = record->mapped < UINT32_MAX ? xhprof_pages_map(record->mapped) : NULL;
	if (!record->bytes) {
		return false;
	}
	const uint64_t fields[XHPROF_SPOOL_FIELDS] = {
		[XHPROF_SPOOL_FIELD_PROCESS] = process,
		[XHPROF_SPOOL_FIELD_INTERVAL] = tracer->sample_interval_us,
		[XHPROF_SPOOL_FIELD_CLOCK] = tracer->samples.clock,
		[XHPROF_SPOOL_FIELD_FROM] = merged->from,
		[XHPROF_SPOOL_FIELD_TO] = merged->to,
		[XHPROF_SPOOL_FIELD_REQUESTS] = merged->requests,
		[XHPROF_SPOOL_FIELD_SAMPLES] = tracer->samples.samples,
		[XHPROF_SPOOL_FIELD_TAKEN] = tracer->samples.taken,
		[XHPROF_SPOOL_FIELD_DELAYED] = tracer->samples.delayed,
		[XHPROF_SPOOL_FIELD_DROPPED] = tracer->samples.dropped,
		[XHPROF_SPOOL_FIELD_NODES_DROPPED] = tracer->tree.dropped,
		[XHPROF_SPOOL_FIELD_ALLOC_BYTES] = merged->alloc_bytes,
		[XHPROF_SPOOL_FIELD_BLOCKS_DROPPED] = tracer->samples.blocks_dropped,
		[XHPROF_SPOOL_FIELD_HAS_KEPT] = tracer->tree.blocks && tracer->tree.kept,
		[XHPROF_SPOOL_FIELD_UNFOLLOWED] = merged->unfollowed,
	};
	char *start = (char *)record->bytes + sizeof(xhprof_spool_record_head), *to = start;
	to = xhprof_spool_put_numbers(to, fields, XHPROF_SPOOL_FIELDS);
	to = xhprof_spool_put_files(to, (char *)record->bytes + record->mapped, &tracer->symbols.files);
	to = put_names(to, &tracer->symbols);
	to = put_routes(to, merged);
	to = put_tree(to, &tracer->tree);
	to = put_exemplars(to, &merged->exemplars, merged->alloc_bytes != 0);
	record->size = xhprof_spool_put_head(record->bytes, (size_t)(to - start));
	return true;
}

void xhprof_spool_record_release(xhprof_spool_record *record)
{
	xhprof_pages_unmap(record->bytes, record->mapped);
	*record = (xhprof_spool_record){.bytes = NULL};
}
