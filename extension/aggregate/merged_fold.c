#include "merged_fold.h"

#include "spool_read.h"
#include "spool_record.h"

#include <string.h>

#define LOOK_EVERY 128u                   /* new routes */
#define KEPT (XHPROF_FOLD_ROUTES / 4 * 3) /* so that not every further route folds again */
#define FEW_SIBLINGS 8u                   /* the lightest routes become a pattern from this many on */
#define LARGE_SHARE 50                    /* a sibling with this part of the whole stays a route */
#define PARTS 8u                          /* the last ones of a name that may vary */
#define GROUPS 16384u                     /* more than all parts of all names; a power of two */

typedef struct fold_part {
	uint32_t at, length;
} fold_part;

/* A group of names that are equal but for one part. */
typedef struct fold_group {
	uint64_t hash;
	double weight;
	uint32_t count;
	bool any; /* the pattern is one of them */
} fold_group;

typedef struct fold_route {
	double weight;
	fold_part part; /* the part that varies most */
	const fold_group *group;
	bool folds, to_pattern;
	/* The name and the symbol to go back to. */
	const char *name;
	uint32_t length;
	xhprof_symbol_ref symbol;
} fold_route;

typedef struct fold {
	fold_group groups[GROUPS];
	fold_route routes[XHPROF_MERGED_ROUTES];
	uint32_t order[XHPROF_MERGED_ROUTES];
	uint32_t folded;
} fold;

_Static_assert(GROUPS > XHPROF_MERGED_ROUTES * PARTS * 3 / 2, "groups have room");
_Static_assert(XHPROF_FOLD_ROUTES < XHPROF_MERGED_ROUTES, "a record's routes fit beside those that are kept");

static xhprof_symbol *symbol_of(const xhprof_merged *merged, const xhprof_merged_route *route)
{
	return merged->tracer.symbols.by_id[XHPROF_SYMBOL_ID(route->symbol)];
}

static bool part_is(const xhprof_symbol *name, fold_part part, const char *text)
{
	return part.length == strlen(text) && memcmp(name->name + part.at, text, part.length) == 0;
}

/* Finds the parts of a name, "GET host/path?name=value": what is between these signs. A name without a path has no
 * parts. */
static uint32_t parts_of(const xhprof_symbol *name, fold_part parts[PARTS])
{
	const char *text = name->name, *slash = memchr(text, '/', name->length);
	const char *blank = slash ? memchr(text, ' ', (size_t)(slash - text)) : NULL;
	uint32_t count = 0, at = blank ? (uint32_t)(blank - text) + 1 : 0;
	for (uint32_t end; slash && at < name->length; at = end + 1) {
		for (end = at; end < name->length && !memchr("/?&=", text[end], 4); end++) {
		}
		fold_part part = {at, end - at};
		if (!part.length || part_is(name, part, "{id}")) {
			continue;
		}
		if (count == PARTS) {
			memmove(parts, parts + 1, --count * sizeof(*parts));
		}
		parts[count++] = part;
	}
	return count;
}

static fold_group *group_of(fold *state, const xhprof_symbol *name, fold_part part)
{
	uint32_t end = part.at + part.length;
	uint64_t hash = xhprof_hash_bytes(name->name, part.at, 1);
	hash = xhprof_hash_bytes(name->name + end, name->length - end, hash);
	hash += !hash;
	uint32_t at = (uint32_t)(hash >> 32) % GROUPS;
	while (state->groups[at].hash && state->groups[at].hash != hash) {
		at = (at + 1) % GROUPS;
	}
	state->groups[at].hash = hash;
	return &state->groups[at];
}

/* Weighs the routes by their shares of the time and of the requests of all. */
static void weigh_routes(fold *state, const xhprof_merged *merged)
{
	double wall_us = 0, requests = 0;
	for (uint32_t i = 0; i < merged->route_count; i++) {
		wall_us += (double)merged->routes[i].wall_us;
		requests += (double)merged->routes[i].requests;
	}
	for (uint32_t i = 0; i < merged->route_count; i++) {
		const xhprof_merged_route *route = &merged->routes[i];
		state->routes[i].weight = (wall_us > 0 ? (double)route->wall_us / wall_us : 0) +
								  (requests > 0 ? (double)route->requests / requests : 0);
	}
}

static void group_routes(fold *state, const xhprof_merged *merged)
{
	fold_part parts[PARTS];
	for (uint32_t i = 0; i < merged->route_count; i++) {
		const xhprof_symbol *name = symbol_of(merged, &merged->routes[i]);
		for (uint32_t count = parts_of(name, parts), at = 0; at < count; at++) {
			fold_group *group = group_of(state, name, parts[at]);
			group->count++;
			group->weight += state->routes[i].weight;
			group->any = group->any || part_is(name, parts[at], XHPROF_FOLD_ANY);
		}
	}
	for (uint32_t i = 0; i < merged->route_count; i++) {
		const xhprof_symbol *name = symbol_of(merged, &merged->routes[i]);
		fold_route *route = &state->routes[i];
		for (uint32_t count = parts_of(name, parts), at = 0; at < count; at++) {
			const fold_group *group = group_of(state, name, parts[at]);
			if (!part_is(name, parts[at], XHPROF_FOLD_ANY) && (!route->group || group->count >= route->group->count)) {
				route->group = group;
				route->part = parts[at];
			}
		}
	}
}

static void choose_siblings(fold *state, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		fold_route *route = &state->routes[i];
		const fold_group *group = route->group;
		bool many = group && (group->any || group->count > XHPROF_FOLD_SIBLINGS);
		if (many && route->weight * LARGE_SHARE < group->weight) {
			route->folds = route->to_pattern = true;
			state->folded++;
		}
	}
}

/* Sorts the routes by weight, the lightest first. qsort() may allocate, and this may be a signal's handler. */
static void order_routes(fold *state, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		state->order[i] = i;
	}
	for (uint32_t gap = count / 2; gap; gap /= 2) {
		for (uint32_t i = gap; i < count; i++) {
			uint32_t moved = state->order[i], at = i;
			for (; at >= gap && state->routes[state->order[at - gap]].weight > state->routes[moved].weight; at -= gap) {
				state->order[at] = state->order[at - gap];
			}
			state->order[at] = moved;
		}
	}
}

static bool is_between(const xhprof_merged *merged, uint32_t route)
{
	static const char between[] = XHPROF_MERGED_BETWEEN;
	const xhprof_symbol *name = symbol_of(merged, &merged->routes[route]);
	return name->length == sizeof(between) - 1 && memcmp(name->name, between, sizeof(between) - 1) == 0;
}

static void choose_lightest(fold *state, const xhprof_merged *merged)
{
	const uint32_t count = merged->route_count;
	if (count - state->folded <= XHPROF_FOLD_ROUTES) {
		return;
	}
	order_routes(state, count);
	for (uint32_t i = 0; i < count && count - state->folded > KEPT; i++) {
		fold_route *route = &state->routes[state->order[i]];
		if (!route->folds && !is_between(merged, state->order[i])) {
			route->folds = true;
			route->to_pattern = route->group && route->group->count >= FEW_SIBLINGS;
			state->folded++;
		}
	}
}

/* Returns the text of the route that takes another one in, in the tree's own memory; NULL without memory. */
static const char *pattern_of(xhprof_merged *merged, const xhprof_symbol *name, const fold_route *route,
							  uint32_t *length)
{
	static const char any[] = XHPROF_FOLD_ANY, others[] = XHPROF_MERGED_OTHER_ROUTES;
	if (!route->to_pattern) {
		*length = sizeof(others) - 1;
		return others;
	}
	uint32_t end = route->part.at + route->part.length, rest = name->length - end;
	*length = route->part.at + (uint32_t)sizeof(any) - 1 + rest;
	char *made = xhprof_arena_alloc(&merged->tracer.symbols.arena, *length + 1, 1);
	if (made) {
		memcpy(made, name->name, route->part.at);
		memcpy(made + route->part.at, any, sizeof(any) - 1);
		memcpy(made + *length - rest, name->name + end, rest);
		made[*length] = '\0';
	}
	return made;
}

/* Returns by id whether a symbol is a function too, 1 or 0; NULL without memory. */
static char *functions_of(const xhprof_merged *merged, size_t *size)
{
	*size = (size_t)merged->tracer.symbols.count + 1;
	char *is_function = xhprof_pages_map(*size);
	uint32_t depth = 0;
	for (const xhprof_node *node = merged->tracer.tree.root; is_function && node;
		 node = xhprof_calltree_next_at(node, &depth)) {
		is_function[XHPROF_SYMBOL_ID(node->symbol)] |= depth != 1;
	}
	return is_function;
}

/* Gives a route the name of the one that takes it in: a record of the tree then has several of that name, which its
 * reader adds up. All that refers to the route has the symbol, and with it the name; one that is a function's stays. */
static void rename_route(xhprof_merged *merged, xhprof_merged_route *route, fold_route *folding,
						 const char *is_function)
{
	uint32_t id = XHPROF_SYMBOL_ID(route->symbol), length;
	xhprof_symbol *symbol = symbol_of(merged, route);
	const char *name = id > XHPROF_SYMBOL_TRUNCATED ? pattern_of(merged, symbol, folding, &length) : NULL;
	if (!name) {
		return;
	}
	if (!is_function[id]) {
		folding->name = symbol->name;
		folding->length = symbol->length;
		symbol->name = name;
		symbol->length = length;
		return;
	}
	xhprof_symbol_ref other = xhprof_symbols_intern(&merged->tracer.symbols, name, length, 0, 0);
	if (other && XHPROF_SYMBOL_ID(other) != XHPROF_SYMBOL_TRUNCATED) {
		folding->symbol = route->symbol;
		route->symbol = route->node->symbol = other;
	}
}

static bool rename_routes(fold *state, xhprof_merged *merged)
{
	size_t size;
	char *is_function = functions_of(merged, &size);
	if (!is_function) {
		return false;
	}
	for (int shared = 1; shared >= 0; shared--) { /* names are looked up before any is changed */
		for (uint32_t i = 0; i < merged->route_count; i++) {
			xhprof_merged_route *route = &merged->routes[i];
			if (state->routes[i].folds && !state->routes[i].symbol &&
				is_function[XHPROF_SYMBOL_ID(route->symbol)] == shared) {
				rename_route(merged, route, &state->routes[i], is_function);
			}
		}
	}
	xhprof_pages_unmap(is_function, size);
	return true;
}

static void restore_names(const fold *state, xhprof_merged *merged)
{
	for (uint32_t i = 0; i < merged->route_count; i++) {
		const fold_route *folding = &state->routes[i];
		xhprof_merged_route *route = &merged->routes[i];
		if (folding->name) {
			symbol_of(merged, route)->name = folding->name;
			symbol_of(merged, route)->length = folding->length;
		} else if (folding->symbol) {
			route->symbol = route->node->symbol = folding->symbol;
		}
	}
}

/* Returns a sum that would be less if memory ended within a copy. */
static uint64_t sum_of(const xhprof_merged *merged)
{
	uint64_t sum = 0;
	for (uint32_t i = 0; i <= XHPROF_MERGED_ROUTES; i++) {
		const xhprof_merged_route *route = &merged->routes[i];
		sum += route->requests + route->samples;
		for (size_t measure = 0; measure < XHPROF_MERGED_MEASURES; measure++) {
			const xhprof_distribution *distribution = &route->distributions[measure];
			for (uint32_t bucket = 0; bucket < distribution->used; bucket++) {
				sum += distribution->buckets[bucket].count;
			}
		}
	}
	const xhprof_node_blocks *blocks = merged->tracer.tree.blocks;
	for (const xhprof_node *node = merged->tracer.tree.root; node; node = xhprof_calltree_next(node)) {
		if (!xhprof_node_is_truncated(node)) {
			sum += node->calls + (blocks ? blocks[node->id].allocated_bytes + (uint64_t)node->self_peak : 0);
		}
	}
	return sum;
}

static bool copy_merged(const xhprof_merged *from, xhprof_merged *to)
{
	xhprof_spool_record record;
	uint64_t process;
	if (!xhprof_spool_record_make(&record, from, 1)) {
		return false;
	}
	bool copied = xhprof_merged_begin(to, from->tracer.sample_interval_us, from->tracer.samples.clock,
									  from->alloc_bytes, from->tracer.tree.max_nodes, from->max_names) &&
				  xhprof_spool_read_merge(record.bytes, to, &process) && sum_of(to) == sum_of(from);
	xhprof_spool_record_release(&record);
	return copied;
}

/* Makes the tree anew without the chosen routes, so that it keeps neither nodes nor names of those. */
static bool fold_chosen(fold *state, xhprof_merged *merged)
{
	xhprof_merged *copy = xhprof_pages_map(sizeof(*copy));
	bool folded = copy && rename_routes(state, merged) && copy_merged(merged, copy);
	if (folded) {
		xhprof_merged_release(merged);
		memcpy(merged, copy, sizeof(*merged));
	} else {
		restore_names(state, merged);
		if (copy) {
			xhprof_merged_release(copy);
		}
	}
	if (copy) {
		xhprof_pages_unmap(copy, sizeof(*copy));
	}
	return folded;
}

void xhprof_merged_fold(xhprof_merged *merged)
{
	fold *state = xhprof_merged_empty(merged) ? NULL : xhprof_pages_map(sizeof(*state));
	if (state) {
		weigh_routes(state, merged);
		group_routes(state, merged);
		choose_siblings(state, merged->route_count);
		choose_lightest(state, merged);
		if (state->folded) {
			fold_chosen(state, merged);
		}
		xhprof_pages_unmap(state, sizeof(*state));
	}
	uint32_t next = merged->route_count + LOOK_EVERY;
	bool passes = merged->route_count <= XHPROF_FOLD_ROUTES && next > XHPROF_FOLD_ROUTES;
	merged->fold_at = passes ? XHPROF_FOLD_ROUTES + 1 : next;
}

void xhprof_merged_fold_if_many(xhprof_merged *merged)
{
	if (merged->route_count >= (merged->fold_at ? merged->fold_at : LOOK_EVERY)) {
		xhprof_merged_fold(merged);
	}
}
