#include "kept_blocks.h"

#include "spool_read.h"

#include "hook/hook_alloc.h"

#include <string.h>

#define PATHS 16384u
#define NAMES ((size_t)1024 * 1024)
#define DEEPEST 256u      /* of a path; what is below counts for it */
#define SPARE 1024u       /* nodes of `paths` that one request may need */
#define RECOUNT_EVERY 64u /* turns */
#define BRING_EVERY 64u   /* turns */

static xhprof_merged *make_merged(const xhprof_aggregate_place *place)
{
	xhprof_merged *merged = xhprof_pages_map(sizeof(*merged));
	if (merged && !xhprof_merged_begin(merged, place->interval_us, place->clock, place->alloc_bytes, PATHS, NAMES)) {
		xhprof_merged_release(merged);
		xhprof_pages_unmap(merged, sizeof(*merged));
		merged = NULL;
	}
	return merged;
}

static void release_merged(xhprof_merged **merged)
{
	if (*merged) {
		xhprof_merged_release(*merged);
		xhprof_pages_unmap(*merged, sizeof(**merged));
		*merged = NULL;
	}
}

static void forget(xhprof_kept_blocks *kept, bool dropped)
{
	xhprof_carry_forget(&XHPROF_G(alloc).carry, dropped);
	memset(kept->routes, 0, sizeof(kept->routes));
	release_merged(&kept->paths);
}

static void empty_changes(xhprof_kept_blocks *kept)
{
	const xhprof_aggregate_place *place = &kept->place;
	kept->changed = false;
	kept->turns = 0;
	if (kept->changes &&
		!xhprof_merged_begin(kept->changes, place->interval_us, place->clock, place->alloc_bytes, PATHS, NAMES)) {
		release_merged(&kept->changes);
	}
}

static bool make_room(xhprof_kept_blocks *kept, const xhprof_aggregate_place *place)
{
	kept->paths = kept->paths ? kept->paths : make_merged(place);
	kept->changes = kept->changes ? kept->changes : make_merged(place);
	return kept->paths && kept->changes;
}

/* Returns the copy in `to`, below `into`, of the path that leads from `top` to `node`. */
static xhprof_node *copy_path(xhprof_merged *to, xhprof_node *into, const xhprof_tracer *from, const xhprof_node *node,
							  const xhprof_node *top)
{
	const xhprof_node *path[DEEPEST];
	uint32_t depth = 0;
	for (const xhprof_node *at = node; at && at != top; at = xhprof_node_parent(at)) {
		depth++;
	}
	for (; depth > DEEPEST; depth--) {
		node = xhprof_node_parent(node);
	}
	for (uint32_t i = depth; i--; node = xhprof_node_parent(node)) {
		path[i] = node;
	}
	for (uint32_t i = 0; i < depth; i++) {
		uint32_t id = XHPROF_SYMBOL_ID(path[i]->symbol);
		xhprof_symbol_ref symbol = XHPROF_SYMBOL_TRUNCATED_REF;
		if (id != XHPROF_SYMBOL_TRUNCATED) {
			const xhprof_symbol *own = xhprof_symbols_get(&from->symbols, id);
			symbol = xhprof_merged_symbol(to, own->name, own->length, own->flags);
			xhprof_merged_place(to, symbol, &own->place);
		}
		xhprof_node *child = xhprof_merged_child(to, into, symbol);
		if (child != into) { /* as in a full tree */
			xhprof_merged_call_line(child, *xhprof_node_call_line(path[i]));
		}
		into = child;
	}
	return into;
}

/* Returns the copy in `to` of a node of `from`, with its route. NULL without memory. */
static xhprof_node *copy_node(xhprof_merged *to, xhprof_merged_route **route, const xhprof_merged *from, uint32_t id)
{
	const xhprof_node *node = xhprof_calltree_node(&from->tracer.tree, id), *top = node;
	for (const xhprof_node *above; (above = xhprof_node_parent(top)) && above != from->tracer.tree.root;) {
		top = above;
	}
	const xhprof_symbol *name = xhprof_symbols_get(&from->tracer.symbols, XHPROF_SYMBOL_ID(top->symbol));
	*route = xhprof_merged_find(to, name->name, name->length);
	return *route ? copy_path(to, (*route)->node, &from->tracer, node, top) : NULL;
}

/* Copying of the paths that are in use to a tree of their own. */
typedef struct renewal {
	const xhprof_merged *from;
	xhprof_merged *to;
} renewal;

static uint32_t renumber(void *context, uint32_t path)
{
	const renewal *renewing = context;
	xhprof_merged_route *route;
	const xhprof_node *node = copy_node(renewing->to, &route, renewing->from, path);
	return node ? node->id : 0;
}

/* Makes the paths anew, without those of blocks that are gone. */
static void renew_paths(xhprof_kept_blocks *kept)
{
	renewal renewing = {kept->paths, make_merged(&kept->place)};
	if (!renewing.to) {
		forget(kept, true);
		return;
	}
	xhprof_carry_renumber(&XHPROF_G(alloc).carry, renumber, &renewing);
	for (size_t i = 0; i < sizeof(kept->routes) / sizeof(*kept->routes); i++) {
		kept->routes[i] = kept->routes[i] ? renumber(&renewing, kept->routes[i]) : 0;
	}
	release_merged(&kept->paths);
	kept->paths = renewing.to;
	if (xhprof_merged_full(kept->paths, SPARE)) {
		forget(kept, true);
	}
}

/* What is known of a span whose blocks are taken over. */
typedef struct taking {
	xhprof_kept_blocks *kept;
	const xhprof_tracer *profile;
	const xhprof_merged_route *route; /* in `paths` */
} taking;

static uint32_t path_of(void *context, uint32_t node)
{
	const taking *span = context;
	const xhprof_calltree *tree = &span->profile->tree;
	return span->route ? copy_path(span->kept->paths, span->route->node, span->profile,
								   xhprof_calltree_node(tree, node), tree->root)
							 ->id
					   : 0;
}

/* Finds the route that a span's blocks belong to; NULL if they are not followed. */
static const xhprof_merged_route *route_of(xhprof_kept_blocks *kept, const xhprof_counting *counting)
{
	if (XHPROF_G(alloc).carry.turn < XHPROF_CARRY_TURNS || !make_room(kept, &counting->place)) {
		return NULL;
	}
	if (xhprof_merged_full(kept->paths, SPARE)) {
		renew_paths(kept);
	}
	return kept->paths ? xhprof_merged_find(kept->paths, counting->route, counting->route_length) : NULL;
}

void xhprof_kept_blocks_take(xhprof_kept_blocks *kept, const xhprof_counting *counting, const xhprof_tracer *profile)
{
	taking span = {kept, profile, route_of(kept, counting)};
	if (!xhprof_hook_alloc_close(path_of, &span)) {
		forget(kept, true); /* whatever was freed meanwhile was not seen */
	}
}

void xhprof_kept_blocks_close(xhprof_kept_blocks *kept, const xhprof_counting *counting, const void *owner)
{
	xhprof_carry *carry = &XHPROF_G(alloc).carry;
	if (carry->open.first) {
		taking span = {kept, &XHPROF_G(tracer), route_of(kept, counting)};
		xhprof_carry_close(carry, owner, path_of, &span);
	}
}

void xhprof_kept_blocks_drop(const void *owner)
{
	xhprof_carry_close(&XHPROF_G(alloc).carry, owner, NULL, NULL);
}

static void change(xhprof_kept_blocks *kept, uint32_t path, const xhprof_node_kept *by)
{
	xhprof_merged_route *route;
	const xhprof_node *node = copy_node(kept->changes, &route, kept->paths, path);
	if (node) {
		xhprof_merged_add_kept(kept->changes, node, by);
		kept->changed = true;
	}
}

static void on_kept(void *context, uint32_t path, xhprof_alloc_weight weight)
{
	change(context, path, &(xhprof_node_kept){.kept_bytes = weight.bytes, .kept_blocks = weight.blocks});
}

static void on_released(void *context, uint32_t path, xhprof_alloc_weight weight)
{
	change(context, path, &(xhprof_node_kept){.released_bytes = weight.bytes, .released_blocks = weight.blocks});
}

/* Counts the request of a route, whose blocks are kept or freed by now. */
static void count_followed(xhprof_kept_blocks *kept, uint32_t route_node)
{
	xhprof_merged_route *route;
	if (copy_node(kept->changes, &route, kept->paths, route_node) &&
		xhprof_calltree_count_kept(&kept->changes->tracer.tree)) {
		route->followed = xhprof_distribution_sum(route->followed, 1);
		kept->changed = true;
	}
}

void xhprof_kept_blocks_end(xhprof_kept_blocks *kept, const xhprof_counting *counting,
							const xhprof_aggregate_place *place)
{
	xhprof_carry *carry = &XHPROF_G(alloc).carry;
	if (!carry->entries) {
		return;
	}
	if (!xhprof_aggregate_place_is(&kept->place, place)) { /* routes of one site do not go to another's folder */
		if (carry->turn) { /* else it is the first: blocks of the other open requests are there */
			forget(kept, true);
		}
		kept->place = *place;
		empty_changes(kept);
	}
	if (carry->turn >= XHPROF_CARRY_TURNS && make_room(kept, place)) {
		const xhprof_merged_route *route = xhprof_merged_find(kept->paths, counting->route, counting->route_length);
		kept->routes[carry->turn % (XHPROF_CARRY_TURNS + 1)] = route ? route->node->id : 0;
	}
	if (kept->paths && kept->changes) {
		xhprof_carry_end_turn(carry, on_kept, on_released, kept);
		uint32_t *oldest = &kept->routes[carry->turn % (XHPROF_CARRY_TURNS + 1)];
		if (*oldest) {
			count_followed(kept, *oldest);
			*oldest = 0;
		}
		kept->changes->unfollowed = xhprof_distribution_sum(kept->changes->unfollowed, carry->dropped);
		kept->changed = kept->changed || carry->dropped;
		carry->dropped = 0;
	} else {
		carry->turn++; /* a first one, of which nothing is carried */
	}
	if (carry->turn % RECOUNT_EVERY == 0 || carry->turn == XHPROF_CARRY_TURNS) {
		xhprof_carry_count_places(carry);
	}
	kept->turns++;
}

bool xhprof_kept_blocks_are_of(const xhprof_kept_blocks *kept, const xhprof_aggregate_slot *slot)
{
	return kept->changed && slot->merged.tracer.tree.root && xhprof_aggregate_place_is(&kept->place, &slot->place);
}

bool xhprof_kept_blocks_due(const xhprof_kept_blocks *kept)
{
	return kept->changed && kept->turns >= BRING_EVERY;
}

int xhprof_kept_blocks_bring(xhprof_kept_blocks *kept, xhprof_aggregate_slot *slot)
{
	xhprof_spool_record record;
	uint64_t process;
	int error = 0;
	if (!xhprof_kept_blocks_are_of(kept, slot) || xhprof_merged_empty(&slot->merged)) {
		return 0;
	}
	xhprof_merged_span(kept->changes, slot->merged.from, slot->merged.from + 1);
	if (xhprof_spool_record_make(&record, kept->changes, slot->process)) {
		xhprof_spool_read_merge(record.bytes, &slot->merged, &process);
		error = xhprof_journal_add_record(&slot->journal, &record, &slot->merged, slot->process);
		xhprof_spool_record_release(&record);
	}
	empty_changes(kept);
	return error;
}

void xhprof_kept_blocks_rinit(xhprof_kept_blocks *kept)
{
	forget(kept, false);
}

void xhprof_kept_blocks_forked(xhprof_kept_blocks *kept)
{
	forget(kept, false);
	release_merged(&kept->changes);
	kept->changed = false;
}

void xhprof_kept_blocks_release(xhprof_kept_blocks *kept)
{
	release_merged(&kept->paths);
	release_merged(&kept->changes);
	kept->changed = false;
}
