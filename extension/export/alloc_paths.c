#include "alloc_paths.h"

/* Symbols beyond the tracer's, numbered after its last one. */
enum { ROOT = 1, BEFORE, OTHER_THREADS, BELOW_THRESHOLD, DEEPER, PSEUDO_SYMBOLS };

#define SEVERAL UINT32_MAX /* references of one symbol that differ in their flags */

typedef struct nodes_to_paths {
	uint32_t *path_of; /* id of a node -> index of its path; while marking 1: wanted */
	uint32_t *ref_of;  /* symbol id -> the reference that nodes have, or SEVERAL */
	uint32_t pseudo[PSEUDO_SYMBOLS];
	char *pages;
	size_t size;
} nodes_to_paths;

static bool map_begin(nodes_to_paths *map, const xhprof_alloc_paths *paths)
{
	const size_t nodes = (size_t)paths->dump->nodes + 1, symbols = (size_t)paths->known + 1;
	memset(map, 0, sizeof(*map));
	map->size = (nodes + symbols) * sizeof(uint32_t);
	map->path_of = xhprof_pages_map(map->size);
	if (!map->path_of) {
		return false;
	}
	map->ref_of = map->path_of + nodes;
	return true;
}

/* Marks the nodes whose paths are wanted; returns their number. */
static size_t mark_nodes(nodes_to_paths *map, const xhprof_alloc_dump *dump, bool all)
{
	size_t wanted = 0;
	for (size_t i = 0; i < dump->count; i++) {
		if (dump->rows[i].node <= dump->nodes) {
			map->path_of[dump->rows[i].node] = 1;
		}
	}
	if (dump->nodes) {
		map->path_of[1] = 1; /* main() */
	}
	for (uint32_t id = dump->nodes; id >= 1; id--) {
		const xhprof_node *node = dump->node_of[id], *parent = xhprof_node_parent(node);
		uint32_t *ref = &map->ref_of[XHPROF_SYMBOL_ID(node->symbol)];
		if (all || map->path_of[id]) {
			wanted++;
			map->path_of[id] = 1;
			if (parent) {
				map->path_of[parent->id] = 1;
			}
			*ref = *ref && *ref != node->symbol ? SEVERAL : node->symbol;
		}
	}
	return wanted;
}

static uint32_t add_path(xhprof_alloc_paths *paths, uint32_t parent, uint32_t symbol)
{
	xhprof_alloc_path *path = &paths->items[paths->count];
	path->parent = parent;
	path->symbol = symbol;
	path->depth = paths->items[parent].depth + 1;
	return paths->count++;
}

/* Returns the child of `parent` for `symbol`, found or added; 0 without memory. */
static uint32_t find_or_add_path(xhprof_alloc_paths *paths, uint32_t parent, uint32_t symbol)
{
	uint64_t key = (uint64_t)parent << 32 | symbol;
	uint32_t path = (uint32_t)(uintptr_t)xhprof_table_find(&paths->table, key);
	if (!path && xhprof_table_reserve(&paths->table)) {
		path = add_path(paths, parent, symbol);
		xhprof_table_put(&paths->table, key, (void *)(uintptr_t)path);
	}
	return path;
}

static bool add_nodes(xhprof_alloc_paths *paths, nodes_to_paths *map, uint32_t depth, bool main_is_root)
{
	const uint32_t deeper = paths->known + DEEPER;
	for (uint32_t id = 1; id <= paths->dump->nodes; id++) {
		if (!map->path_of[id]) {
			continue;
		}
		const xhprof_node *node = paths->dump->node_of[id], *above = xhprof_node_parent(node);
		if (!above && main_is_root) {
			map->path_of[id] = 0;
			continue;
		}
		uint32_t parent = above ? map->path_of[above->id] : 0, path;
		uint32_t symbol = XHPROF_SYMBOL_ID(node->symbol);
		if (paths->items[parent].symbol == deeper) {
			path = parent;
		} else if (depth && paths->items[parent].depth + 1 >= depth) {
			path = find_or_add_path(paths, parent, deeper);
		} else if (map->ref_of[symbol] == SEVERAL) { /* the reader sees twins of one name as one */
			path = find_or_add_path(paths, parent, symbol);
		} else {
			path = add_path(paths, parent, symbol);
		}
		if (!path) {
			return false;
		}
		map->path_of[id] = path;
		paths->items[path].calls += node->calls;
	}
	return true;
}

static uint32_t pseudo_path(xhprof_alloc_paths *paths, nodes_to_paths *map, uint32_t which)
{
	if (!map->pseudo[which]) {
		map->pseudo[which] = add_path(paths, 0, paths->known + which);
	}
	return map->pseudo[which];
}

static uint32_t path_of_row(xhprof_alloc_paths *paths, nodes_to_paths *map, const xhprof_alloc_row *row)
{
	if (row->node == XHPROF_NODE_BEFORE) {
		return pseudo_path(paths, map, BEFORE);
	}
	if (row->node == XHPROF_NODE_OTHER_THREADS) {
		return pseudo_path(paths, map, OTHER_THREADS);
	}
	return row->node && row->node <= paths->dump->nodes ? map->path_of[row->node]
														: pseudo_path(paths, map, BELOW_THRESHOLD);
}

/* Charges the rows to their paths, which list them in the dump's order. */
static void add_rows(xhprof_alloc_paths *paths, nodes_to_paths *map)
{
	const xhprof_alloc_dump *dump = paths->dump;
	for (size_t i = dump->count; i-- > 0;) {
		xhprof_alloc_path *path = &paths->items[path_of_row(paths, map, &dump->rows[i])];
		path->own_bytes += dump->rows[i].bytes;
		path->own_blocks += dump->rows[i].blocks;
		paths->next_row[i] = path->first_row;
		path->first_row = (uint32_t)i + 1;
	}
	if (dump->rest_rows || dump->rest_bytes || dump->rest_blocks) {
		xhprof_alloc_path *path = &paths->items[pseudo_path(paths, map, BELOW_THRESHOLD)];
		path->own_bytes += dump->rest_bytes;
		path->own_blocks += dump->rest_blocks;
	}
}

static void link_and_sum(xhprof_alloc_paths *paths)
{
	for (uint32_t i = paths->count; i-- > 0;) {
		xhprof_alloc_path *path = &paths->items[i];
		path->bytes += path->own_bytes;
		path->blocks += path->own_blocks;
		if (i) {
			xhprof_alloc_path *parent = &paths->items[path->parent];
			parent->bytes += path->bytes;
			parent->blocks += path->blocks;
			path->next_sibling = parent->first_child;
			parent->first_child = i;
		}
	}
}

static bool add_paths(xhprof_alloc_paths *paths, nodes_to_paths *map, uint32_t depth, unsigned flags)
{
	size_t wanted = mark_nodes(map, paths->dump, flags & XHPROF_ALLOC_EMPTY_PATHS) + PSEUDO_SYMBOLS;
	size_t rows = paths->dump->count;
	paths->items = xhprof_arena_alloc(&paths->arena, wanted * sizeof(*paths->items), 8);
	paths->next_row = xhprof_arena_alloc(&paths->arena, (rows + 1) * sizeof(*paths->next_row), 4);
	if (rows >= UINT32_MAX || !paths->items || !paths->next_row) {
		return false;
	}
	paths->items[0].symbol = paths->known + ROOT;
	paths->items[0].calls = 1;
	paths->count = 1;
	if (!add_nodes(paths, map, depth, flags & XHPROF_ALLOC_MAIN_IS_ROOT)) {
		return false;
	}
	add_rows(paths, map);
	link_and_sum(paths);
	return true;
}

bool xhprof_alloc_paths_begin(xhprof_alloc_paths *paths, const xhprof_alloc_dump *dump, uint32_t depth, unsigned flags)
{
	nodes_to_paths map;
	paths->dump = dump;
	paths->known = dump->tracer->symbols.count;
	paths->symbols = paths->known + PSEUDO_SYMBOLS;
	bool complete = map_begin(&map, paths) && add_paths(paths, &map, depth, flags);
	xhprof_pages_unmap(map.path_of, map.size);
	xhprof_table_release(&paths->table);
	return complete;
}

void xhprof_alloc_paths_release(xhprof_alloc_paths *paths)
{
	xhprof_table_release(&paths->table);
	xhprof_arena_release(&paths->arena);
	memset(paths, 0, sizeof(*paths));
}

const char *xhprof_alloc_symbol_name(const xhprof_alloc_paths *paths, uint32_t symbol, size_t *length)
{
	const char *name;
	if (symbol <= paths->known) {
		const xhprof_symbol *known = xhprof_symbols_get(&paths->dump->tracer->symbols, symbol);
		*length = known->length;
		return known->name;
	}
	switch (symbol - paths->known) {
		case BEFORE:
			name = xhprof_alloc_pseudo_name(XHPROF_NODE_BEFORE);
			break;
		case OTHER_THREADS:
			name = xhprof_alloc_pseudo_name(XHPROF_NODE_OTHER_THREADS);
			break;
		case BELOW_THRESHOLD:
			name = "(below threshold)";
			break;
		case DEEPER:
			name = "(deeper)";
			break;
		default:
			name = "root";
	}
	*length = strlen(name);
	return name;
}

bool xhprof_alloc_walk_next(const xhprof_alloc_paths *paths, xhprof_alloc_walk *walk)
{
	const xhprof_alloc_path *path = &paths->items[walk->path];
	if (!walk->leaving) {
		if (path->first_child) {
			walk->path = path->first_child;
		} else {
			walk->leaving = true;
		}
		return true;
	}
	if (!walk->path) {
		return false;
	}
	walk->leaving = !path->next_sibling;
	walk->path = path->next_sibling ? path->next_sibling : path->parent;
	return true;
}
