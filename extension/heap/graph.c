#include "graph.h"
#include "utf8_cut.h"

#define FIRST_CAPACITY 4096u
#define SCALARS_MAX ((uint32_t)1 << 29)

/* A zeroed item at the end of a list, or NULL. */
static void *append(xhprof_graph_list *list)
{
	uint32_t segment = list->count >> XHPROF_GRAPH_SEGMENT_BITS;
	if (list->count == XHPROF_GRAPH_NONE - 1) {
		return NULL;
	}
	if (!(list->count & (XHPROF_GRAPH_SEGMENT - 1))) {
		if (segment >= list->segment_capacity &&
			!xhprof_pages_double((void **)&list->segments, sizeof(*list->segments), &list->segment_capacity, 512)) {
			return NULL;
		}
		if (!(list->segments[segment] = xhprof_pages_map(XHPROF_GRAPH_SEGMENT * list->item_size))) {
			return NULL;
		}
	}
	return xhprof_graph_item(list, list->count++);
}

static void release(xhprof_graph_list *list)
{
	for (size_t i = 0; i < list->segment_capacity; i++) {
		xhprof_pages_unmap(list->segments[i], XHPROF_GRAPH_SEGMENT * list->item_size);
	}
	xhprof_pages_unmap(list->segments, list->segment_capacity * sizeof(*list->segments));
	list->segments = NULL;
	list->segment_capacity = 0;
	list->count = 0;
}

static uint32_t mix(uint64_t key)
{
	return (uint32_t)((key * UINT64_C(0x9E3779B97F4A7C15)) >> 32);
}

static uint32_t hash_of_text(const char *bytes, size_t length)
{
	uint64_t hash = length, word;
	for (; length >= 8; bytes += 8, length -= 8) {
		memcpy(&word, bytes, 8);
		hash = (hash ^ word) * UINT64_C(0x9E3779B97F4A7C15);
		hash ^= hash >> 29;
	}
	word = 0;
	memcpy(&word, bytes, length);
	hash = (hash ^ word) * UINT64_C(0x9E3779B97F4A7C15);
	return mix(hash ^ hash >> 32);
}

/* Room for one more in a table that is at most three quarters full; hash_at() tells where an item belongs. */
static bool table_room(xhprof_graph *graph, uint32_t **table, size_t *capacity, uint32_t used,
					   uint32_t (*hash_at)(const xhprof_graph *graph, uint32_t number))
{
	if (*capacity && used < *capacity / 4 * 3) {
		return true;
	}
	size_t grown_capacity = *capacity ? *capacity * 2 : FIRST_CAPACITY;
	uint32_t *grown = xhprof_pages_map(grown_capacity * sizeof(*grown));
	if (!grown) {
		return false;
	}
	for (uint32_t number = 0; number < used; number++) {
		size_t at = hash_at(graph, number) & (grown_capacity - 1);
		while (grown[at]) {
			at = (at + 1) & (grown_capacity - 1);
		}
		grown[at] = number + 1;
	}
	xhprof_pages_unmap(*table, *capacity * sizeof(**table));
	*table = grown;
	*capacity = grown_capacity;
	return true;
}

static uint32_t address_hash_at(const xhprof_graph *graph, uint32_t number)
{
	return mix(xhprof_graph_node_at(graph, number)->address);
}

static uint32_t text_hash_at(const xhprof_graph *graph, uint32_t number)
{
	return xhprof_graph_string_at(graph, number)->hash;
}

/* Where the node of an address is in the table, or belongs. */
static size_t address_slot(const xhprof_graph *graph, uint64_t address)
{
	size_t at = mix(address) & (graph->address_capacity - 1);
	while (graph->by_address[at] && xhprof_graph_node_at(graph, graph->by_address[at] - 1)->address != address) {
		at = (at + 1) & (graph->address_capacity - 1);
	}
	return at;
}

uint32_t xhprof_graph_find(const xhprof_graph *graph, uint64_t address)
{
	return graph->address_capacity ? graph->by_address[address_slot(graph, address)] - 1 : XHPROF_GRAPH_NONE;
}

static uint32_t number_of(xhprof_graph *graph, uint64_t address)
{
	if (!table_room(graph, &graph->by_address, &graph->address_capacity, graph->nodes.count, address_hash_at)) {
		graph->no_memory = true;
		return XHPROF_GRAPH_NONE;
	}
	size_t at = address_slot(graph, address);
	if (!graph->by_address[at]) {
		xhprof_graph_node *node = append(&graph->nodes);
		if (!node) {
			graph->no_memory = true;
			return XHPROF_GRAPH_NONE;
		}
		node->address = address;
		graph->by_address[at] = graph->nodes.count;
	}
	return graph->by_address[at] - 1;
}

/* 0 for no text, for the empty one, and when there is no memory. */
static uint32_t intern(xhprof_graph *graph, const char *bytes, size_t length)
{
	if (!bytes || !length) {
		return 0;
	}
	if (length > INT32_MAX ||
		!table_room(graph, &graph->by_text, &graph->text_capacity, graph->strings.count, text_hash_at)) {
		graph->no_memory = true;
		return 0;
	}
	uint32_t hash = hash_of_text(bytes, length);
	size_t at = hash & (graph->text_capacity - 1);
	for (; graph->by_text[at]; at = (at + 1) & (graph->text_capacity - 1)) {
		const xhprof_graph_string *known = xhprof_graph_string_at(graph, graph->by_text[at] - 1);
		if (known->hash == hash && known->length == length && !memcmp(known->bytes, bytes, length)) {
			return graph->by_text[at] - 1;
		}
	}
	char *copy = xhprof_arena_alloc(&graph->arena, length, 1);
	xhprof_graph_string *string = copy ? append(&graph->strings) : NULL;
	if (!string) {
		graph->no_memory = true;
		return 0;
	}
	memcpy(copy, bytes, length);
	*string = (xhprof_graph_string){copy, (uint32_t)length, hash};
	graph->by_text[at] = graph->strings.count;
	return graph->strings.count - 1;
}

bool xhprof_graph_begin(xhprof_graph *graph, size_t max_string, bool redact)
{
	*graph = (xhprof_graph){.nodes.item_size = sizeof(xhprof_graph_node),
							.edges.item_size = sizeof(xhprof_graph_edge),
							.strings.item_size = sizeof(xhprof_graph_string),
							.current = XHPROF_GRAPH_NONE,
							.max_string = max_string,
							.redact = redact};
	xhprof_graph_string *none = append(&graph->strings);
	if (none) {
		none->bytes = "";
		return true;
	}
	graph->no_memory = true;
	return false;
}

void xhprof_graph_release(xhprof_graph *graph)
{
	release(&graph->nodes);
	release(&graph->edges);
	release(&graph->strings);
	xhprof_pages_unmap(graph->by_address, graph->address_capacity * sizeof(*graph->by_address));
	xhprof_pages_unmap(graph->by_text, graph->text_capacity * sizeof(*graph->by_text));
	graph->by_address = graph->by_text = NULL;
	graph->address_capacity = graph->text_capacity = 0;
	xhprof_arena_release(&graph->arena);
}

static void graph_node(void *context, const xhprof_heap_node *told)
{
	xhprof_graph *graph = context;
	graph->current = number_of(graph, told->address);
	xhprof_graph_node *node = graph->current == XHPROF_GRAPH_NONE ? NULL : xhprof_graph_node_at(graph, graph->current);
	if (!node || node->known) { /* told twice: the first counts */
		graph->current = XHPROF_GRAPH_NONE;
		return;
	}
	node->known = true;
	node->type = (uint8_t)told->type;
	node->size = told->size;
	node->block = told->block;
	node->length = told->length;
	node->shared = told->shared;
	node->has_refcount = told->has_refcount;
	node->refcount = told->refcount;
	node->line = told->line;
	node->path = told->path;
	node->name = intern(graph, told->name, told->name_length);
	node->file = intern(graph, told->file, told->file_length);
	if (told->value && !graph->redact) {
		node->value = intern(graph, told->value,
							 xhprof_utf8_cut(told->value, told->value_length, told->length, graph->max_string));
	}
	node->first_edge = graph->edges.count;
}

static void graph_edge(void *context, const xhprof_heap_edge *told)
{
	xhprof_graph *graph = context;
	if (graph->current == XHPROF_GRAPH_NONE || (!told->to && !told->scalar)) {
		return;
	}
	uint32_t to = told->to ? number_of(graph, told->to) : XHPROF_GRAPH_NONE;
	xhprof_graph_edge *edge = told->to && to == XHPROF_GRAPH_NONE ? NULL : append(&graph->edges);
	if (!edge) {
		graph->no_memory = true;
		return;
	}
	uint32_t scalar = to == XHPROF_GRAPH_NONE && !graph->redact ? intern(graph, told->scalar, strlen(told->scalar)) : 0;
	edge->kind = told->kind;
	if (told->kind == XHPROF_EDGE_INDEX) {
		edge->index = told->index;
	} else {
		edge->name = intern(graph, told->name, told->name_length);
	}
	edge->to = to;
	edge->scalar = scalar < SCALARS_MAX ? scalar : 0;
	xhprof_graph_node_at(graph, graph->current)->edge_count++;
}

xhprof_heap_visitor xhprof_graph_visitor(xhprof_graph *graph)
{
	return (xhprof_heap_visitor){.context = graph, .node = graph_node, .edge = graph_edge};
}

/* Numbers the references of a node that have the same name. `seen`: by string, the node + 1 and how many. */
static void number_repeated(xhprof_graph *graph, uint32_t number, uint32_t (*seen)[2])
{
	const xhprof_graph_node *node = xhprof_graph_node_at(graph, number);
	for (uint32_t i = 0; i < node->edge_count; i++) {
		xhprof_graph_edge *edge = xhprof_graph_edge_at(graph, node->first_edge + i);
		if (edge->kind == XHPROF_EDGE_INDEX) {
			continue;
		}
		uint32_t *last = seen[edge->name];
		if (last[0] != number + 1) {
			last[0] = number + 1;
			last[1] = 0;
		}
		edge->repeat = last[1]++;
	}
}

bool xhprof_graph_finish(xhprof_graph *graph)
{
	size_t seen_size = graph->strings.count * sizeof(uint32_t[2]);
	uint32_t(*seen)[2] = xhprof_pages_map(seen_size);
	graph->current = XHPROF_GRAPH_NONE;
	graph->no_memory |= !seen;
	for (uint32_t i = 0; i < graph->nodes.count; i++) {
		xhprof_graph_node *node = xhprof_graph_node_at(graph, i);
		uint32_t kept = node->first_edge;
		graph->known += node->known;
		for (uint32_t from = node->first_edge, end = from + node->edge_count; from < end; from++) {
			xhprof_graph_edge edge = *xhprof_graph_edge_at(graph, from);
			if (edge.to == XHPROF_GRAPH_NONE || xhprof_graph_node_at(graph, edge.to)->known) {
				*xhprof_graph_edge_at(graph, kept++) = edge;
			} else {
				graph->dropped++;
			}
		}
		node->edge_count = kept - node->first_edge;
		if (seen) {
			number_repeated(graph, i, seen);
		}
	}
	xhprof_pages_unmap(seen, seen_size);
	return !graph->no_memory;
}
