#include "heap_devtools.h"

#include <stdio.h>

/* As V8 writes them: its node_types and edge_types. */
#define NODE_TYPES(X)              \
	X(HIDDEN, "hidden")            \
	X(ARRAY, "array")              \
	X(STRING, "string")            \
	X(OBJECT, "object")            \
	X(CODE, "code")                \
	X(CLOSURE, "closure")          \
	X(REGEXP, "regexp")            \
	X(NUMBER, "number")            \
	X(NATIVE, "native")            \
	X(SYNTHETIC, "synthetic")      \
	X(CONS, "concatenated string") \
	X(SLICED, "sliced string")     \
	X(SYMBOL, "symbol")            \
	X(BIGINT, "bigint")            \
	X(SHAPE, "object shape")
#define EDGE_TYPES(X)       \
	X(CONTEXT, "context")   \
	X(ELEMENT, "element")   \
	X(PROPERTY, "property") \
	X(INTERNAL, "internal") \
	X(HIDDEN, "hidden")     \
	X(SHORTCUT, "shortcut") \
	X(WEAK, "weak")
#define NODE_TYPE(id, name) NODE_##id,
#define EDGE_TYPE(id, name) EDGE_##id,
enum { NODE_TYPES(NODE_TYPE) };
enum { EDGE_TYPES(EDGE_TYPE) };
#undef NODE_TYPE
#undef EDGE_TYPE

#define NODE_FIELDS 7

/* Strings in front of the graph's. DevTools knows "Array" and "elements". */
static const char *const fixed[] = {"", "(GC roots)", "(held weakly only)", "Array", "elements"};
enum { FIXED_EMPTY, FIXED_GC_ROOTS, FIXED_WEAKLY, FIXED_ARRAY, FIXED_ELEMENTS, FIXED };

/* Nodes in front of the graph's. */
enum { AT_ROOT, AT_GC_ROOTS, AT_WEAKLY, AT_NODES };

typedef struct devtools {
	xhprof_writer *writer;
	const xhprof_graph *graph;
	uint32_t *positions; /* by node of the graph: its number in the file */
	uint32_t *held;      /* nodes that "(held weakly only)" has to hold */
	uint32_t *scalars;   /* by string: the number of the node of a scalar that it is, or 0 */
	uint32_t *ids;       /* those given to nodes, open addressing */
	size_t held_capacity, scalar_size, id_capacity;
	uint32_t held_count, scalar_count;
	uint64_t nodes, edges;   /* counted, or written, so far */
	uint32_t composed;       /* strings that are put together, so far */
	bool writing, composing; /* else only counting */
} devtools;

static unsigned node_type(const xhprof_graph_node *node)
{
	switch ((xhprof_heap_type)node->type) {
		case XHPROF_HEAP_ROOT:
			/* What leads from the root through no synthetic node has a distance in DevTools. */
			return node->address <= XHPROF_HEAP_ROOT_CONSTANTS ? NODE_OBJECT : NODE_SYNTHETIC;
		case XHPROF_HEAP_STRING:
			return NODE_STRING;
		case XHPROF_HEAP_ARRAY:
		case XHPROF_HEAP_OBJECT:
		case XHPROF_HEAP_GENERATOR:
		case XHPROF_HEAP_FIBER:
		case XHPROF_HEAP_ENUM_CASE:
			return NODE_OBJECT;
		case XHPROF_HEAP_ARRAY_TABLE:
			return NODE_ARRAY;
		case XHPROF_HEAP_CLOSURE:
			return NODE_CLOSURE;
		case XHPROF_HEAP_FUNCTION:
		case XHPROF_HEAP_OPCODES:
		case XHPROF_HEAP_FUNCTION_PART:
		case XHPROF_HEAP_RUNTIME_CACHE:
		case XHPROF_HEAP_CLASS:
		case XHPROF_HEAP_CLASS_PART:
		case XHPROF_HEAP_CONSTANT_EXPRESSION:
			return NODE_CODE;
		case XHPROF_HEAP_RESOURCE:
		case XHPROF_HEAP_NATIVE:
		case XHPROF_HEAP_UNREACHABLE:
			return NODE_NATIVE;
		default:
			return NODE_HIDDEN;
	}
}

static bool is_root(const xhprof_graph_node *node, uint64_t root)
{
	return node->type == XHPROF_HEAP_ROOT && node->address == root;
}

/* The number of a string that is put together of parts: counted, or written, in the same order each time. */
static uint32_t compose(devtools *to, const char *text, size_t length)
{
	if (to->composing) {
		xhprof_write_bytes(to->writer, ",\n", 2);
		xhprof_write_json_string(to->writer, text, length);
	}
	return FIXED + to->graph->strings.count + to->composed++;
}

static uint32_t node_name(devtools *to, const xhprof_graph_node *node)
{
	char text[64];
	switch ((xhprof_heap_type)node->type) {
		case XHPROF_HEAP_ARRAY:
			return FIXED_ARRAY;
		case XHPROF_HEAP_STRING:
			if (node->value) {
				return FIXED + node->value;
			}
			if (!node->length) {
				return FIXED_EMPTY;
			}
			return compose(to, text,
						   (size_t)snprintf(text, sizeof(text), "(%llu bytes)", (unsigned long long)node->length));
		case XHPROF_HEAP_FRAME:
			if (node->name && node->line) { /* "Foo::bar:12" */
				const xhprof_graph_string *name = xhprof_graph_string_at(to->graph, node->name);
				char frame[1200];
				size_t length = name->length < 1100 ? name->length : 1100;
				memcpy(frame, name->bytes, length);
				frame[length++] = ':';
				return compose(to, frame, (size_t)(xhprof_format_uint(frame + length, node->line) - frame));
			}
			return FIXED + node->name;
		default:
			if (node->name) {
				return FIXED + node->name;
			}
			const char *type = xhprof_heap_type_name((xhprof_heap_type)node->type);
			return compose(to, type, strlen(type));
	}
}

typedef struct edge {
	unsigned type;
	uint32_t name, to;
} edge;

/* An edge as it is in the file. False for one that is not. */
static bool edge_of(devtools *to, const xhprof_graph_node *from, const xhprof_graph_edge *told, edge *out)
{
	if (told->to != XHPROF_GRAPH_NONE) {
		out->to = to->positions[told->to];
	} else if (!told->scalar || !to->scalars || !(out->to = to->scalars[told->scalar])) {
		return false;
	}
	switch ((xhprof_edge_kind)told->kind) {
		case XHPROF_EDGE_INDEX:
			if (told->index >= 0 && told->index <= INT32_MAX) {
				out->type = EDGE_ELEMENT;
				out->name = (uint32_t)told->index;
			} else {
				char text[XHPROF_NUMBER_ROOM];
				out->type = EDGE_PROPERTY;
				out->name = compose(to, text, (size_t)(xhprof_format_int(text, told->index) - text));
			}
			return true;
		case XHPROF_EDGE_PART:
			out->type = EDGE_INTERNAL;
			out->name = FIXED + told->name;
			if (from->type == XHPROF_HEAP_ARRAY && told->to != XHPROF_GRAPH_NONE &&
				xhprof_graph_node_at(to->graph, told->to)->type == XHPROF_HEAP_ARRAY_TABLE) {
				out->name = FIXED_ELEMENTS;
			}
			return true;
		case XHPROF_EDGE_WEAK:
			/* What nothing refers to has to be somewhere. */
			out->type = is_root(from, XHPROF_HEAP_ROOT_LEAK_CANDIDATES) ? EDGE_PROPERTY : EDGE_WEAK;
			out->name = FIXED + told->name;
			return true;
		default:
			out->type = EDGE_PROPERTY;
			out->name = FIXED + told->name;
			return true;
	}
}

static void put_edge(devtools *to, unsigned type, uint32_t name, uint32_t node)
{
	if (to->writing) {
		char *at = xhprof_writer_reserve(to->writer, 64);
		if (to->edges) {
			*at++ = ',';
		}
		at = xhprof_format_uint(at, type);
		*at++ = ',';
		at = xhprof_format_uint(at, name);
		*at++ = ',';
		at = xhprof_format_uint(at, (uint64_t)node * NODE_FIELDS);
		*at++ = '\n';
		xhprof_writer_commit(to->writer, at);
	}
	to->edges++;
}

static uint32_t id_for(devtools *to, uint64_t address)
{
	/* Of the address, so that snapshots of one process can be compared; 16 GB apart there may be others, then the next. */
	uint32_t id = (uint32_t)(address >> 3 & 0x7fffffff) * 2 + 1;
	for (;; id += 2) {
		size_t at = (id * UINT64_C(0x9E3779B97F4A7C15)) >> 20 & (to->id_capacity - 1);
		while (to->ids[at] && to->ids[at] != id) {
			at = (at + 1) & (to->id_capacity - 1);
		}
		if (!to->ids[at]) {
			to->ids[at] = id;
			return id;
		}
	}
}

static void put_node(devtools *to, unsigned type, uint32_t name, uint32_t id, uint64_t size, uint64_t edges)
{
	if (to->writing) {
		const uint64_t numbers[] = {type, name, id, size < UINT32_MAX ? size : UINT32_MAX, edges};
		char *at = xhprof_writer_reserve(to->writer, 128);
		if (to->nodes) {
			*at++ = ',';
		}
		for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++) {
			at = xhprof_format_uint(at, numbers[i]);
			*at++ = ',';
		}
		memcpy(at, "0,0\n", 4); /* trace_node_id, detachedness */
		xhprof_writer_commit(to->writer, at + 4);
	}
	to->nodes++;
}

/* The nodes of the graph, in the order of the file. */
#define EACH_NODE(to, node)                                                                                   \
	for (uint32_t number_ = 0; number_ < (to)->graph->nodes.count; number_++)                                 \
		for (const xhprof_graph_node *node = xhprof_graph_node_at((to)->graph, number_); node && node->known; \
			 node = NULL)

/* The next root of those that DevTools are to see as the program's own, or of the others; NONE after the last. */
static uint32_t next_root(const devtools *to, bool synthetic, uint64_t *root)
{
	while (++*root <= XHPROF_HEAP_ROOTS) {
		uint32_t number = xhprof_graph_find(to->graph, *root);
		if (number != XHPROF_GRAPH_NONE && xhprof_graph_node_at(to->graph, number)->known &&
			(node_type(xhprof_graph_node_at(to->graph, number)) == NODE_SYNTHETIC) == synthetic) {
			return number;
		}
	}
	return XHPROF_GRAPH_NONE;
}

static uint32_t root_count(const devtools *to, bool synthetic)
{
	uint32_t count = 0;
	for (uint64_t root = 0; next_root(to, synthetic, &root) != XHPROF_GRAPH_NONE; count++) {
	}
	return count;
}

static bool is_scalar(const devtools *to, const xhprof_graph_edge *edge)
{
	return edge->to == XHPROF_GRAPH_NONE && edge->scalar && to->scalars;
}

static void put_nodes(devtools *to)
{
	to->nodes = 0;
	put_node(to, NODE_SYNTHETIC, FIXED_EMPTY, id_for(to, 0), 0, 2 + root_count(to, false));
	put_node(to, NODE_SYNTHETIC, FIXED_GC_ROOTS, id_for(to, 0), 0, root_count(to, true));
	put_node(to, NODE_SYNTHETIC, FIXED_WEAKLY, id_for(to, 0), 0, to->held_count);
	EACH_NODE(to, node)
	{
		uint32_t edges = 0;
		for (uint32_t i = 0; i < node->edge_count; i++) {
			const xhprof_graph_edge *edge = xhprof_graph_edge_at(to->graph, node->first_edge + i);
			edges += edge->to != XHPROF_GRAPH_NONE || is_scalar(to, edge);
		}
		put_node(to, node_type(node), node_name(to, node), id_for(to, node->address), node->block, edges);
	}
	for (uint32_t string = 1, id = 2; to->scalar_count && string < to->graph->strings.count; string++) {
		if (to->scalars[string]) {
			put_node(to, NODE_NUMBER, FIXED + string, id, 0, 0);
			id += 2;
		}
	}
}

static void put_edges(devtools *to)
{
	uint32_t number, index = 0;
	to->edges = 0;
	put_edge(to, EDGE_ELEMENT, 1, AT_GC_ROOTS);
	put_edge(to, EDGE_ELEMENT, 2, AT_WEAKLY);
	for (uint64_t root = 0; (number = next_root(to, false, &root)) != XHPROF_GRAPH_NONE;) {
		put_edge(to, EDGE_PROPERTY, FIXED + xhprof_graph_node_at(to->graph, number)->name, to->positions[number]);
	}
	for (uint64_t root = 0; (number = next_root(to, true, &root)) != XHPROF_GRAPH_NONE;) {
		put_edge(to, EDGE_ELEMENT, ++index, to->positions[number]);
	}
	for (uint32_t i = 0; i < to->held_count; i++) {
		put_edge(to, EDGE_ELEMENT, i + 1, to->positions[to->held[i]]);
	}
	EACH_NODE(to, node)
	{
		for (uint32_t i = 0; i < node->edge_count; i++) {
			edge out;
			if (edge_of(to, node, xhprof_graph_edge_at(to->graph, node->first_edge + i), &out)) {
				put_edge(to, out.type, out.name, out.to);
			}
		}
	}
}

/* Marks what `number` holds, itself included, and has its place in the queue for it. */
static void reach(const devtools *to, uint32_t number, uint8_t *reached, uint32_t *queue)
{
	uint32_t first = 0, end = 0;
	if (reached[number]) {
		return;
	}
	reached[number] = 1;
	queue[end++] = number;
	while (first < end) {
		const xhprof_graph_node *node = xhprof_graph_node_at(to->graph, queue[first++]);
		bool weak = !is_root(node, XHPROF_HEAP_ROOT_LEAK_CANDIDATES);
		for (uint32_t i = 0; i < node->edge_count; i++) {
			const xhprof_graph_edge *edge = xhprof_graph_edge_at(to->graph, node->first_edge + i);
			if (edge->to != XHPROF_GRAPH_NONE && !reached[edge->to] && !(weak && edge->kind == XHPROF_EDGE_WEAK)) {
				reached[edge->to] = 1;
				queue[end++] = edge->to;
			}
		}
	}
}

/* Finds what no root holds, and one of each such group to be held by "(held weakly only)". */
static bool find_held(devtools *to)
{
	uint32_t count = to->graph->nodes.count;
	size_t room = (size_t)count + 1;
	uint8_t *reached = xhprof_pages_map(room);
	uint32_t *queue = xhprof_pages_map(room * sizeof(*queue));
	bool fine = reached && queue;
	for (uint64_t root = 1; fine && root <= XHPROF_HEAP_ROOTS; root++) {
		uint32_t number = xhprof_graph_find(to->graph, root);
		if (number != XHPROF_GRAPH_NONE) {
			reach(to, number, reached, queue);
		}
	}
	for (uint32_t number = 0; fine && number < count; number++) {
		if (reached[number] || !xhprof_graph_node_at(to->graph, number)->known) {
			continue;
		}
		fine = to->held_count < to->held_capacity ||
			   xhprof_pages_double((void **)&to->held, sizeof(*to->held), &to->held_capacity, 1024);
		if (fine) {
			to->held[to->held_count++] = number;
			reach(to, number, reached, queue);
		}
	}
	xhprof_pages_unmap(reached, room);
	xhprof_pages_unmap(queue, room * sizeof(*queue));
	return fine;
}

/* Gives numbers to nodes, and to each scalar that differs from the others. */
static bool prepare(devtools *to)
{
	size_t count = to->graph->nodes.count;
	uint32_t position = AT_NODES;
	if (!(to->positions = xhprof_pages_map((count + 1) * sizeof(*to->positions)))) {
		return false;
	}
	for (to->id_capacity = 4096; to->id_capacity / 2 < count + AT_NODES; to->id_capacity *= 2) {
	}
	if (!(to->ids = xhprof_pages_map(to->id_capacity * sizeof(*to->ids)))) {
		return false;
	}
	for (uint32_t i = 0; i < count; i++) {
		if (xhprof_graph_node_at(to->graph, i)->known) {
			to->positions[i] = position++;
		}
	}
	for (uint32_t i = 0; i < to->graph->edges.count; i++) {
		const xhprof_graph_edge *edge = xhprof_graph_edge_at(to->graph, i);
		if (edge->to != XHPROF_GRAPH_NONE || !edge->scalar) {
			continue;
		}
		if (!to->scalars) {
			to->scalar_size = to->graph->strings.count * sizeof(*to->scalars);
			if (!(to->scalars = xhprof_pages_map(to->scalar_size))) {
				return false;
			}
		}
		to->scalar_count += !to->scalars[edge->scalar];
		to->scalars[edge->scalar] = 1;
	}
	for (uint32_t i = 0; to->scalar_count && i < to->graph->strings.count; i++) {
		if (to->scalars[i]) {
			to->scalars[i] = position++;
		}
	}
	return find_held(to);
}

#define QUOTED(id, name) ",\"" name "\""
static const char meta[] =
	"{\"snapshot\":{\"meta\":{"
	"\"node_fields\":[\"type\",\"name\",\"id\",\"self_size\",\"edge_count\",\"trace_node_id\",\"detachedness\"],\n"
	"\"node_types\":[[" NODE_TYPES(
		QUOTED) "],\"string\",\"number\",\"number\",\"number\",\"number\",\"number\"],\n"
				"\"edge_fields\":[\"type\",\"name_or_index\",\"to_node\"],\n"
				"\"edge_types\":[[" EDGE_TYPES(
					QUOTED) "],\"string_or_number\",\"node\"],\n"
							"\"trace_function_info_fields\":[\"function_id\",\"name\",\"script_name\",\"script_id\","
							"\"line\",\"column\"],\n"
							"\"trace_node_fields\":[\"id\",\"function_info_index\",\"count\",\"size\",\"children\"],\n"
							"\"sample_fields\":[\"timestamp_us\",\"last_assigned_id\"],\n"
							"\"location_fields\":[\"object_index\",\"script_id\",\"line\",\"column\"]},\n";

static void write_all(devtools *to)
{
	xhprof_writer *writer = to->writer;
	put_nodes(to);
	put_edges(to);
	memset(to->ids, 0, to->id_capacity * sizeof(*to->ids));
	/* The macros put a comma in front of each name: the first one is left out. */
	for (const char *at = meta, *end; *at; at = end) {
		end = strstr(at, "[[,");
		size_t length = end ? (size_t)(end - at) + 2 : strlen(at);
		xhprof_write_bytes(writer, at, length);
		end = at + length + (end != NULL);
	}
	xhprof_write_string(writer, "\"node_count\":");
	xhprof_write_uint(writer, to->nodes);
	xhprof_write_string(writer, ",\"edge_count\":");
	xhprof_write_uint(writer, to->edges);
	xhprof_write_string(writer, ",\"trace_function_count\":0},\n\"nodes\":[");
	to->writing = true;
	to->composed = 0;
	put_nodes(to);
	xhprof_write_string(writer, "],\n\"edges\":[");
	put_edges(to);
	xhprof_write_string(writer, "],\n\"trace_function_infos\":[],\n\"trace_tree\":[],\n\"samples\":[],\n"
								"\"locations\":[],\n\"strings\":[\"\"");
	for (unsigned i = 1; i < FIXED; i++) {
		xhprof_write_bytes(writer, ",\n", 2);
		xhprof_write_json_string(writer, fixed[i], strlen(fixed[i]));
	}
	for (uint32_t i = 0; i < to->graph->strings.count; i++) {
		const xhprof_graph_string *string = xhprof_graph_string_at(to->graph, i);
		xhprof_write_bytes(writer, ",\n", 2);
		xhprof_write_json_string(writer, string->bytes, string->length);
	}
	to->writing = false;
	to->composing = true;
	to->composed = 0;
	memset(to->ids, 0, to->id_capacity * sizeof(*to->ids));
	put_nodes(to);
	put_edges(to);
	xhprof_write_string(writer, "]}\n");
}

bool xhprof_heap_devtools_write(xhprof_writer *writer, const xhprof_graph *graph)
{
	devtools to = {.writer = writer, .graph = graph};
	bool fine = prepare(&to);
	if (fine) {
		write_all(&to);
	}
	xhprof_pages_unmap(to.positions, (graph->nodes.count + (size_t)1) * sizeof(*to.positions));
	xhprof_pages_unmap(to.held, to.held_capacity * sizeof(*to.held));
	xhprof_pages_unmap(to.scalars, to.scalar_size);
	xhprof_pages_unmap(to.ids, to.id_capacity * sizeof(*to.ids));
	return fine;
}
