#include "spool_part.h"

#include "spool_put.h"

#include <string.h>

/* Puts the names of a part: the profile's, by their ids, and the route's. */
static char *put_part_names(char *to, const char *end, const xhprof_symbols *symbols, const xhprof_symbol *route)
{
	uint32_t count = symbols ? symbols->count : 0;
	to = xhprof_spool_put_number(to, (uint64_t)count + 1);
	for (uint32_t id = 1; id <= count + 1; id++) {
		const xhprof_symbol *symbol = id <= count ? xhprof_symbols_get(symbols, id) : route;
		uint32_t length = symbol->length < XHPROF_MERGED_NAME_MAX ? symbol->length : XHPROF_MERGED_NAME_MAX + 4;
		length = length < symbol->length ? length : symbol->length; /* a little more, for a character that is cut */
		if ((size_t)(end - to) < length + 5 * XHPROF_SPOOL_NUMBER_ROOM) {
			return NULL;
		}
		to = xhprof_spool_put_number(to, id <= count ? symbol->flags : 0);
		to = xhprof_spool_put_number(to, length);
		memcpy(to, symbol->name, length);
		to = xhprof_spool_put_place(to + length, id <= count ? &symbol->place : &(xhprof_place){NULL, 0, 0});
	}
	return to;
}

/* Puts the tree of a part: main() ==> route, which is the request's main(), ==> its paths. `allocates`: nodes have
 * numbers of blocks. */
static char *put_part_tree(char *to, const char *end, const xhprof_calltree *tree, uint32_t route, bool allocates)
{
	static const xhprof_node_blocks no_blocks;
	const xhprof_node_blocks *none = allocates ? &no_blocks : NULL;
	uint32_t depth = 0;
	uint64_t nodes = tree ? tree->nodes : 1;
	if ((size_t)(end - to) < (1 + 2 * XHPROF_SPOOL_NODE_NUMBERS) * XHPROF_SPOOL_NUMBER_ROOM ||
		(size_t)(end - to) / XHPROF_SPOOL_NODE_SHORT < nodes) {
		return NULL;
	}
	to = xhprof_spool_put_number(to, nodes + 1);
	to = xhprof_spool_put_node(to, 0, 1, NULL, none, NULL);
	if (!tree) {
		return xhprof_spool_put_node(to, 1, route, NULL, none, NULL);
	}
	for (const xhprof_node *node = tree->root; node; node = xhprof_calltree_next_at(node, &depth)) {
		if ((size_t)(end - to) < XHPROF_SPOOL_NODE_NUMBERS * XHPROF_SPOOL_NUMBER_ROOM) {
			return NULL;
		}
		to = xhprof_spool_put_node(to, depth + 1, depth ? XHPROF_SYMBOL_ID(node->symbol) : route, node,
								   allocates && tree->blocks ? &tree->blocks[node->id] : none, NULL);
	}
	return to;
}

/* The most numbers of a part: those of its one route, and the number of routes. */
#define PART_NUMBERS (2 + XHPROF_SPOOL_ROUTE_NUMBERS + 3 * XHPROF_MERGED_MEASURES)

static char *put_part_route(char *to, uint32_t name, uint64_t samples, bool allocating, const xhprof_spool_part *part)
{
	bool unheld = allocating && part->request && part->request->turns;
	xhprof_merged_route route = {
		.samples = samples, .allocating = allocating, .unheld = unheld, .cpu_us = part->cpu_us};
	xhprof_distribution_bucket buckets[XHPROF_MERGED_MEASURES];
	for (size_t i = 0; part->request && i < XHPROF_MERGED_MEASURES; i++) {
		buckets[i] = (xhprof_distribution_bucket){xhprof_distribution_bucket_of(part->request->values[i]), 1};
		route.distributions[i] = (xhprof_distribution){&buckets[i], 1, 1};
	}
	if (part->request) {
		xhprof_merged_request_sums(&route, part->request);
	}
	if (part->kept) {
		xhprof_merged_keep(&route, 1, *part->kept);
	}
	return xhprof_spool_put_route(to, name, &route);
}

static char *put_part_exemplar(char *to, const char *end, const xhprof_spool_part *part, bool sampled)
{
	const xhprof_merged_request *request = part->request;
	if ((size_t)(end - to) < (1 + XHPROF_SPOOL_EXEMPLAR_NUMBERS) * XHPROF_SPOOL_NUMBER_ROOM) {
		return NULL;
	}
	if (!sampled || !request || !request->whole) {
		return xhprof_spool_put_number(to, 0);
	}
	const xhprof_exemplar_figures figures = {request->values[XHPROF_MERGED_WALL],
											 request->values[XHPROF_MERGED_CPU],
											 request->values[XHPROF_MERGED_PEAK],
											 request->ended,
											 request->failed,
											 request->context};
	return xhprof_spool_put_exemplar_numbers(xhprof_spool_put_number(to, XHPROF_SPOOL_ITSELF), request->random >> 11,
											 &figures, 0);
}

static uint64_t sum_of_calls(const xhprof_calltree *tree)
{
	uint64_t sum = 0;
	for (const xhprof_node *node = tree ? tree->root : NULL; node; node = xhprof_calltree_next(node)) {
		sum += node->calls;
	}
	return sum;
}

size_t xhprof_spool_part_put(char *to, size_t room, const xhprof_spool_part *part, const xhprof_merged *merged,
							 uint64_t process)
{
	const xhprof_sample_log none = {0}, *log = part->profile ? &part->profile->samples : &none;
	bool sampled = xhprof_merged_takes(merged, part->profile);
	const xhprof_calltree *tree = sampled ? &part->profile->tree : NULL;
	const xhprof_symbols *symbols = sampled ? &part->profile->symbols : NULL;
	const xhprof_symbol *name = xhprof_symbols_get(&merged->tracer.symbols, XHPROF_SYMBOL_ID(part->route->symbol));
	uint64_t samples = sum_of_calls(tree);
	const uint64_t fields[XHPROF_SPOOL_FIELDS] = {
		[XHPROF_SPOOL_FIELD_PROCESS] = process,
		[XHPROF_SPOOL_FIELD_INTERVAL] = merged->tracer.sample_interval_us,
		[XHPROF_SPOOL_FIELD_CLOCK] = merged->tracer.samples.clock,
		[XHPROF_SPOOL_FIELD_FROM] = part->from,
		[XHPROF_SPOOL_FIELD_TO] = part->from + 1,
		[XHPROF_SPOOL_FIELD_REQUESTS] = part->request != NULL,
		[XHPROF_SPOOL_FIELD_SAMPLES] = samples,
		[XHPROF_SPOOL_FIELD_TAKEN] = sampled ? log->taken : 0,
		[XHPROF_SPOOL_FIELD_DELAYED] = sampled ? log->delayed : 0,
		[XHPROF_SPOOL_FIELD_DROPPED] = log->dropped,
		[XHPROF_SPOOL_FIELD_NODES_DROPPED] = part->profile ? part->profile->tree.dropped : 0,
		[XHPROF_SPOOL_FIELD_ALLOC_BYTES] = merged->alloc_bytes,
		[XHPROF_SPOOL_FIELD_BLOCKS_DROPPED] = log->blocks_dropped,
	};
	uint32_t route = (symbols ? symbols->count : 0) + 1;
	char *contents = to + sizeof(xhprof_spool_record_head), *at = contents;
	const char *end = to + room - XHPROF_SPOOL_ALIGN;
	if (room < sizeof(xhprof_spool_record_head) + (XHPROF_SPOOL_FIELDS + PART_NUMBERS + 10) * XHPROF_SPOOL_NUMBER_ROOM +
				   XHPROF_SPOOL_ALIGN) {
		return 0;
	}
	at = xhprof_spool_put_numbers(at, fields, XHPROF_SPOOL_FIELDS);
	at = xhprof_spool_put_files(at, end, symbols ? &symbols->files : NULL);
	at = at ? put_part_names(at, end, symbols, name) : NULL;
	if (!at || (size_t)(end - at) < PART_NUMBERS * XHPROF_SPOOL_NUMBER_ROOM) {
		return 0;
	}
	bool allocating = xhprof_merged_counts_allocations(merged, part->profile, part->request);
	at = put_part_route(xhprof_spool_put_number(at, 1), route, samples, allocating, part);
	at = put_part_tree(at, end, tree, route, merged->alloc_bytes != 0);
	at = at ? put_part_exemplar(at, end, part, samples != 0) : NULL;
	return at ? xhprof_spool_put_head(to, (size_t)(at - contents)) : 0;
}
