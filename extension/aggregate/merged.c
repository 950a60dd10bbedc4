#include "merged.h"

#include "alloc/alloc_sampling.h"

#include <string.h>

#define LARGEST_SUM XHPROF_DISTRIBUTION_LARGEST
#define KEPT_FLAGS (XHPROF_SYMBOL_RUN_INIT | XHPROF_SYMBOL_INTERNAL | XHPROF_SYMBOL_COMPILED)

bool xhprof_merged_begin(xhprof_merged *merged, uint32_t interval_us, xhprof_sample_clock clock, uint64_t alloc_bytes,
						 uint32_t max_nodes, size_t max_names)
{
	xhprof_tracer_options options = {.flags = clock == XHPROF_SAMPLE_CPU ? XHPROF_TRACE_CPU : 0,
									 .max_nodes = max_nodes,
									 .clock = XHPROF_CLOCK_MONOTONIC,
									 .cpu = XHPROF_CPU_SYSCALL,
									 .sampled = true,
									 .blocks = alloc_bytes != 0,
									 .block_unit = XHPROF_SAMPLING_UNIT};
	xhprof_table_clear(&merged->by_name);
	xhprof_arena_reset(&merged->buckets);
	xhprof_exemplars_clear(&merged->exemplars);
	memset(merged->routes, 0, (merged->route_count + 1) * sizeof(*merged->routes)); /* few are ever used */
	memset(&merged->routes[XHPROF_MERGED_ROUTES], 0, sizeof(*merged->routes));
	merged->route_count = merged->fold_at = 0;
	merged->from = merged->to = merged->requests = merged->unfollowed = 0;
	merged->max_names = max_names;
	merged->alloc_bytes = alloc_bytes;
	if (!xhprof_tracer_prepare(&merged->tracer, &options)) {
		return false;
	}
	xhprof_tracer_start_sampling(
		&merged->tracer, &(xhprof_tracer_sampling){.interval_us = interval_us, .clock = clock, .only_counts = true});
	return true;
}

void xhprof_merged_release(xhprof_merged *merged)
{
	xhprof_tracer_release(&merged->tracer);
	xhprof_table_release(&merged->by_name);
	xhprof_arena_release(&merged->buckets);
	xhprof_exemplars_release(&merged->exemplars);
	merged->from = 0;
}

bool xhprof_merged_full(const xhprof_merged *merged, uint32_t nodes)
{
	const xhprof_tracer *tracer = &merged->tracer;
	return tracer->symbols.arena.mapped > merged->max_names || merged->buckets.mapped > merged->max_names ||
		   nodes > tracer->tree.max_nodes || tracer->tree.nodes > tracer->tree.max_nodes - nodes;
}

void xhprof_merged_span(xhprof_merged *merged, uint64_t from, uint64_t to)
{
	merged->from = merged->from && merged->from < from ? merged->from : from;
	merged->to = merged->to > to ? merged->to : to;
}

void xhprof_merged_keep(xhprof_merged_route *route, uint64_t requests, int64_t bytes)
{
	const int64_t most = (int64_t)LARGEST_SUM;
	int64_t sum;
	if (__builtin_add_overflow(route->kept, bytes, &sum) || sum > most || sum < -most) {
		sum = bytes < 0 ? -most : most;
	}
	route->kept_requests = xhprof_distribution_sum(route->kept_requests, requests);
	route->kept = sum;
}

xhprof_symbol_ref xhprof_merged_symbol(xhprof_merged *merged, const char *name, size_t length, uint32_t flags)
{
	size_t kept = length < XHPROF_MERGED_NAME_MAX ? length : XHPROF_MERGED_NAME_MAX;
	while (kept < length && kept && ((unsigned char)name[kept] & 0xc0) == 0x80) {
		kept--; /* not within a character */
	}
	return xhprof_symbols_intern(&merged->tracer.symbols, name, kept, 0, flags & KEPT_FLAGS);
}

void xhprof_merged_place(xhprof_merged *merged, xhprof_symbol_ref symbol, const xhprof_place *place)
{
	xhprof_symbols *symbols = &merged->tracer.symbols;
	if (place->file && xhprof_symbols_lack_place(symbols, symbol)) {
		const xhprof_file *file = xhprof_symbols_file(symbols, "", place->file->path, place->file->length);
		xhprof_symbols_set_place(symbols, symbol, (xhprof_place){file, place->line, place->last_line});
	}
}

void xhprof_merged_call_line(const xhprof_node *node, uint32_t line)
{
	if (!*xhprof_node_call_line(node) && !xhprof_node_is_truncated(node)) {
		*xhprof_node_call_line(node) = line;
	}
}

xhprof_node *xhprof_merged_child(xhprof_merged *merged, xhprof_node *parent, xhprof_symbol_ref symbol)
{
	xhprof_calltree *tree = &merged->tracer.tree;
	uint64_t dropped = tree->dropped;
	xhprof_node *node = xhprof_calltree_child(tree, parent, symbol);
	if (XHPROF_SYMBOL_ID(symbol) == XHPROF_SYMBOL_TRUNCATED) {
		tree->dropped = dropped; /* counted where it was dropped */
	}
	return node;
}

static xhprof_merged_route *merged_use(xhprof_merged *merged, xhprof_merged_route *route, const char *name,
									   size_t length)
{
	if (!route->node && (route->symbol = xhprof_merged_symbol(merged, name, length, 0))) {
		route->node = xhprof_merged_child(merged, merged->tracer.tree.root, route->symbol);
	}
	return route->node ? route : NULL;
}

xhprof_merged_route *xhprof_merged_find(xhprof_merged *merged, const char *name, size_t length)
{
	static const char no_name[] = "(no name)", others[] = XHPROF_MERGED_OTHER_ROUTES;
	if (!length) {
		name = no_name;
		length = sizeof(no_name) - 1;
	}
	uint64_t hash = xhprof_hash_bytes(name, length, 0);
	uintptr_t known = (uintptr_t)xhprof_table_find(&merged->by_name, hash);
	xhprof_merged_route *route = known ? &merged->routes[known - 1] : NULL;
	if (route) {
		const xhprof_symbol *symbol = xhprof_symbols_get(&merged->tracer.symbols, XHPROF_SYMBOL_ID(route->symbol));
		if (symbol->length == length && memcmp(symbol->name, name, length) == 0) {
			return route;
		}
	} else if (merged->route_count < XHPROF_MERGED_ROUTES &&
			   (length != sizeof(others) - 1 || memcmp(name, others, length) != 0) &&
			   xhprof_table_reserve(&merged->by_name)) {
		route = merged_use(merged, &merged->routes[merged->route_count], name, length);
		void *place = (void *)((uintptr_t)merged->route_count + 1);
		merged->route_count += route && xhprof_table_put(&merged->by_name, hash, place);
		return route;
	}
	return merged_use(merged, &merged->routes[XHPROF_MERGED_ROUTES], others, sizeof(others) - 1);
}

bool xhprof_merged_takes(const xhprof_merged *merged, const xhprof_tracer *profile)
{
	return profile && (profile->samples.samples || (merged->alloc_bytes && xhprof_calltree_has_blocks(&profile->tree)));
}

void xhprof_merged_allocate(xhprof_merged *merged, xhprof_node *node, const xhprof_node_blocks *blocks, uint64_t held)
{
	xhprof_node_blocks *to = &merged->tracer.tree.blocks[node->id];
	to->allocated_bytes = xhprof_distribution_sum(to->allocated_bytes, blocks->allocated_bytes);
	to->allocated_blocks = xhprof_distribution_sum(to->allocated_blocks, blocks->allocated_blocks);
	node->self_peak = (int64_t)xhprof_distribution_sum((uint64_t)node->self_peak, held);
}

void xhprof_merged_add_kept(xhprof_merged *merged, const xhprof_node *node, const xhprof_node_kept *kept)
{
	if (xhprof_calltree_count_kept(&merged->tracer.tree)) {
		xhprof_node_kept *to = &merged->tracer.tree.kept[node->id];
		to->kept_bytes = xhprof_distribution_sum(to->kept_bytes, kept->kept_bytes);
		to->kept_blocks = xhprof_distribution_sum(to->kept_blocks, kept->kept_blocks);
		to->released_bytes = xhprof_distribution_sum(to->released_bytes, kept->released_bytes);
		to->released_blocks = xhprof_distribution_sum(to->released_blocks, kept->released_blocks);
	}
}

/* The copies of a request's nodes and symbols in the merged tree. Only paths with samples are made: of the path from
 * the root to the current node, `known` nodes exist. */
typedef struct merging {
	xhprof_merged *merged;
	const xhprof_symbols *symbols;
	xhprof_symbol_ref *of_symbol; /* by id, 0: not yet known */
	const xhprof_node **path;     /* by depth; the memory begins here */
	xhprof_node **made;
	size_t size; /* of the memory of these three */
	uint32_t known;
} merging;

static bool merging_room(merging *state, const xhprof_tracer *profile)
{
	size_t symbols = ((size_t)profile->symbols.count + 2) & ~(size_t)1, nodes = profile->tree.nodes;
	state->size = symbols * sizeof(*state->of_symbol) + nodes * (sizeof(*state->path) + sizeof(*state->made));
	state->path = xhprof_scratch_take_dirty(profile->scratch, state->size);
	if (!state->path) {
		return false;
	}
	state->symbols = &profile->symbols;
	state->made = (xhprof_node **)(state->path + nodes);
	state->of_symbol = (xhprof_symbol_ref *)(state->made + nodes);
	memset(state->of_symbol, 0, symbols * sizeof(*state->of_symbol));
	return true;
}

static xhprof_symbol_ref merging_symbol(merging *state, uint32_t id)
{
	if (id == XHPROF_SYMBOL_TRUNCATED) {
		return XHPROF_SYMBOL_TRUNCATED_REF;
	}
	if (!state->of_symbol[id]) {
		const xhprof_symbol *symbol = xhprof_symbols_get(state->symbols, id);
		state->of_symbol[id] = xhprof_merged_symbol(state->merged, symbol->name, symbol->length, symbol->flags);
		xhprof_merged_place(state->merged, state->of_symbol[id], &symbol->place);
	}
	return state->of_symbol[id];
}

static xhprof_node *merging_node(merging *state, uint32_t depth)
{
	for (; state->known <= depth; state->known++) {
		uint32_t id = XHPROF_SYMBOL_ID(state->path[state->known]->symbol);
		state->made[state->known] =
			xhprof_merged_child(state->merged, state->made[state->known - 1], merging_symbol(state, id));
		if (state->made[state->known] != state->made[state->known - 1]) { /* as in a full tree */
			xhprof_merged_call_line(state->made[state->known], *xhprof_node_call_line(state->path[state->known]));
		}
	}
	return state->made[depth];
}

static uint64_t merge_tree(xhprof_merged *merged, xhprof_node *route, const xhprof_tracer *profile)
{
	merging state = {.merged = merged};
	const xhprof_node_blocks *blocks = xhprof_merged_blocks(merged, &profile->tree);
	uint64_t samples = 0, dropped = 0;
	bool room = merging_room(&state, profile);
	uint32_t depth = 0;
	if (room) {
		state.made[0] = route; /* the copy of the request's main() */
	}
	for (const xhprof_node *node = profile->tree.root; node; node = xhprof_calltree_next_at(node, &depth)) {
		if (room) {
			state.path[depth] = node;
			state.known = depth && state.known > depth ? depth : state.known;
			state.known = state.known ? state.known : 1;
		}
		const xhprof_node_blocks *allocated = blocks ? &blocks[node->id] : NULL;
		allocated = allocated && (allocated->allocated_bytes || node->self_peak) ? allocated : NULL;
		if (node->calls || allocated) {
			xhprof_node *into = room ? merging_node(&state, depth) : route;
			into->calls = xhprof_distribution_sum(into->calls, node->calls);
			if (allocated) {
				xhprof_merged_allocate(merged, into, allocated, (uint64_t)node->self_peak);
			}
			samples += node->calls;
			dropped += !room && depth;
		}
	}
	merged->tracer.tree.dropped += dropped;
	xhprof_scratch_give(profile->scratch, state.path, state.size);
	return samples;
}

void xhprof_merged_count(xhprof_merged *merged, xhprof_merged_route *route, xhprof_merged_measure measure,
						 uint32_t bucket, uint64_t count)
{
	/* A little more than what asks for a flush. */
	size_t most = merged->max_names + merged->max_names / 4;
	xhprof_distribution_add(&route->distributions[measure], bucket, count, &merged->buckets, most);
}

void xhprof_merged_request_sums(xhprof_merged_route *route, const xhprof_merged_request *request)
{
	uint64_t wall_us = request->values[XHPROF_MERGED_WALL];
	route->requests = xhprof_distribution_sum(route->requests, 1);
	route->failed = xhprof_distribution_sum(route->failed, request->failed);
	route->aborted = xhprof_distribution_sum(route->aborted, request->aborted);
	route->wall_us = xhprof_distribution_sum(route->wall_us, wall_us);
	route->cpu_us = xhprof_distribution_sum(route->cpu_us, request->values[XHPROF_MERGED_CPU]);
	route->max_us = wall_us > route->max_us ? wall_us : route->max_us;
	route->early = xhprof_distribution_sum(route->early, request->early);
	route->after_us = xhprof_distribution_sum(route->after_us, request->after_us);
	route->cut = xhprof_distribution_sum(route->cut, request->cut);
	route->mixed = xhprof_distribution_sum(route->mixed, request->mixed);
	route->unsampled = xhprof_distribution_sum(route->unsampled, request->unsampled_us != 0);
	route->unsampled_us = xhprof_distribution_sum(route->unsampled_us, request->unsampled_us);
	route->suspended = xhprof_distribution_sum(route->suspended, request->suspended);
	route->suspended_us = xhprof_distribution_sum(route->suspended_us, request->suspended_us);
}

static void merge_request(xhprof_merged *merged, xhprof_merged_route *route, const xhprof_merged_request *request)
{
	merged->requests = xhprof_distribution_sum(merged->requests, 1);
	xhprof_merged_request_sums(route, request);
	for (int i = 0; i < XHPROF_MERGED_MEASURES; i++) {
		xhprof_merged_count(merged, route, (xhprof_merged_measure)i, xhprof_distribution_bucket_of(request->values[i]),
							1);
	}
}

void xhprof_merged_add(xhprof_merged *merged, xhprof_merged_route *route, const xhprof_tracer *profile,
					   const xhprof_merged_request *request)
{
	if (xhprof_merged_takes(merged, profile)) {
		xhprof_sample_log *to = &merged->tracer.samples;
		const xhprof_sample_log *from = &profile->samples;
		uint64_t samples = merge_tree(merged, route->node, profile);
		route->samples = xhprof_distribution_sum(route->samples, samples);
		to->samples = xhprof_distribution_sum(to->samples, samples);
		to->taken = xhprof_distribution_sum(to->taken, from->taken);
		to->delayed = xhprof_distribution_sum(to->delayed, from->delayed);
	}
	if (profile) {
		xhprof_sample_log *to = &merged->tracer.samples;
		to->dropped = xhprof_distribution_sum(to->dropped, profile->samples.dropped);
		to->blocks_dropped = xhprof_distribution_sum(to->blocks_dropped, profile->samples.blocks_dropped);
		merged->tracer.tree.dropped = xhprof_distribution_sum(merged->tracer.tree.dropped, profile->tree.dropped);
	}
	if (request) {
		merge_request(merged, route, request);
		route->allocating =
			xhprof_distribution_sum(route->allocating, xhprof_merged_counts_allocations(merged, profile, request));
		route->unheld = xhprof_distribution_sum(route->unheld, merged->alloc_bytes && request->turns);
		xhprof_merged_offer(merged, route, profile, request);
	}
}

void xhprof_merged_offer_kept(xhprof_merged *merged, const xhprof_merged_route *route, xhprof_exemplar_kind kind,
							  const xhprof_exemplar *kept)
{
	xhprof_exemplar_route *entry = xhprof_exemplars_route(&merged->exemplars, route->symbol, route->wall_us);
	if (entry && kept->key > entry->by_kind[kind].key) {
		xhprof_exemplar_set(&entry->by_kind[kind], kept);
	}
}

void xhprof_merged_offer_nodes(xhprof_merged *merged, const xhprof_merged_route *route, xhprof_exemplar *offered,
							   uint64_t random)
{
	xhprof_exemplar_prune(offered);
	for (int kind = 0; offered->used && kind < XHPROF_EXEMPLAR_KINDS; kind++) {
		offered->key = xhprof_exemplar_key((xhprof_exemplar_kind)kind, offered->figures.wall_us, random);
		xhprof_merged_offer_kept(merged, route, (xhprof_exemplar_kind)kind, offered);
	}
}

/* Gives an exemplar the profile's nodes with symbols of its own; after pruning few are left to be looked up. */
static void exemplar_nodes(xhprof_exemplar *offered, const xhprof_calltree *tree)
{
	uint32_t depth = 0;
	for (const xhprof_node *node = tree->root; node && offered->used < tree->nodes;
		 node = xhprof_calltree_next_at(node, &depth)) {
		uint32_t at = offered->used++;
		offered->nodes[at] =
			(xhprof_exemplar_node){node->symbol, depth, node->calls < UINT32_MAX ? (uint32_t)node->calls : UINT32_MAX,
								   *xhprof_node_call_line(node)};
		if (offered->blocks) {
			const xhprof_node_blocks *blocks = &tree->blocks[node->id];
			offered->blocks[at] =
				(xhprof_exemplar_blocks){blocks->allocated_bytes, blocks->allocated_blocks, (uint64_t)node->self_peak};
		}
	}
	xhprof_exemplar_prune(offered);
}

static void exemplar_symbols(xhprof_merged *merged, const xhprof_symbols *symbols, const xhprof_merged_route *route,
							 const xhprof_exemplar *offered)
{
	xhprof_exemplar_node *nodes = offered->nodes;
	nodes[0].symbol = route->symbol;
	for (uint32_t i = 1; i < offered->used; i++) {
		uint32_t id = XHPROF_SYMBOL_ID(nodes[i].symbol);
		const xhprof_symbol *symbol = xhprof_symbols_get(symbols, id);
		nodes[i].symbol = id == XHPROF_SYMBOL_TRUNCATED
							  ? 0
							  : xhprof_merged_symbol(merged, symbol->name, symbol->length, symbol->flags);
		nodes[i].symbol = nodes[i].symbol ? nodes[i].symbol : XHPROF_SYMBOL_TRUNCATED_REF;
	}
}

void xhprof_merged_offer(xhprof_merged *merged, const xhprof_merged_route *route, const xhprof_tracer *profile,
						 const xhprof_merged_request *request)
{
	if (!request->whole || !profile || !profile->samples.samples) {
		return;
	}
	xhprof_exemplar_route *entry = xhprof_exemplars_route(&merged->exemplars, route->symbol, route->wall_us);
	uint64_t wall_us = request->values[XHPROF_MERGED_WALL];
	bool wanted = false;
	for (int kind = 0; entry && kind < XHPROF_EXEMPLAR_KINDS; kind++) {
		uint64_t key = xhprof_exemplar_key((xhprof_exemplar_kind)kind, wall_us, request->random);
		wanted = wanted || key > entry->by_kind[kind].key;
	}
	size_t nodes = profile->tree.nodes * sizeof(xhprof_exemplar_node);
	bool allocates = xhprof_merged_blocks(merged, &profile->tree);
	size_t size = nodes + (allocates ? profile->tree.nodes * sizeof(xhprof_exemplar_blocks) : 0);
	void *pages = wanted ? xhprof_pages_map(size) : NULL;
	if (pages) {
		xhprof_exemplar offered = {.figures = {wall_us, request->values[XHPROF_MERGED_CPU],
											   request->values[XHPROF_MERGED_PEAK], request->ended, request->failed,
											   request->context},
								   .nodes = pages,
								   .blocks = allocates ? (void *)((char *)pages + nodes) : NULL};
		exemplar_nodes(&offered, &profile->tree);
		if (offered.used) {
			exemplar_symbols(merged, &profile->symbols, route, &offered);
			xhprof_merged_offer_nodes(merged, route, &offered, request->random);
		}
		xhprof_pages_unmap(pages, size);
	}
}

void xhprof_merged_finish(xhprof_merged *merged)
{
	uint64_t samples = merged->tracer.samples.samples;
	uint64_t interval_ns = (uint64_t)merged->tracer.sample_interval_us * 1000;
	merged->tracer.started = (double)merged->from;
	xhprof_tracer_stop_sampling(&merged->tracer,
								samples > LARGEST_SUM / interval_ns ? LARGEST_SUM : samples * interval_ns);
}
