#include "heap_reli_tree.h"

/* In told_by, instead of the number of an edge. */
#define NOWHERE XHPROF_GRAPH_NONE         /* nothing leads to it, or only as a location */
#define AT_TOP (XHPROF_GRAPH_NONE - 1)    /* a root */
#define CONTINUED (XHPROF_GRAPH_NONE - 2) /* too deep: told under "continued" */

/* A context that is being written. */
typedef struct level {
	uint32_t node;
	uint32_t edge; /* the next to be looked at */
	xhprof_reli_group group;
	bool in_group; /* its bracket is open */
	bool wrapped;  /* in a bracket of its own, which ends with this context */
} level;

/* Each level of these has at least one of the JSON. */
#define LEVELS (XHPROF_RELI_DEPTH + 8)

typedef struct state {
	xhprof_reli_tree *tree;
	xhprof_json *json;
	level levels[LEVELS];
	unsigned count;
	char key[XHPROF_RELI_KEY];
} state;

static const xhprof_graph_node *at(const xhprof_reli_tree *tree, uint32_t number)
{
	return xhprof_graph_node_at(tree->graph, number);
}

/* ---- Where each is told ------------------------------------------------------------------------------------------------- */

/* What a script has declared: told under the tables of functions and classes, not where a call or an object leads to it. */
static bool is_declared(const xhprof_graph_node *node)
{
	switch ((xhprof_heap_type)node->type) {
		case XHPROF_HEAP_FUNCTION:
		case XHPROF_HEAP_CLASS:
		case XHPROF_HEAP_CONSTANT:
			return true;
		default:
			return false;
	}
}

enum { VALUES = 1, DECLARED = 2, WEAK = 4 };

/* Puts what a node refers to into the queue, unless it is there. */
static uint32_t spread(xhprof_reli_tree *tree, uint32_t number, unsigned what, uint32_t end)
{
	const xhprof_graph_node *node = at(tree, number);
	for (uint32_t i = 0; i < node->edge_count; i++) {
		const xhprof_graph_edge *edge = xhprof_graph_edge_at(tree->graph, node->first_edge + i);
		if (edge->to == XHPROF_GRAPH_NONE || tree->told_by[edge->to] != NOWHERE) {
			continue;
		}
		unsigned kind = edge->kind == XHPROF_EDGE_WEAK ? WEAK : is_declared(at(tree, edge->to)) ? DECLARED : VALUES;
		if (kind & what && xhprof_reli_group_of(tree->graph, node, i) != XHPROF_RELI_LOCATION) {
			tree->told_by[edge->to] = node->first_edge + i;
			tree->queue[end++] = edge->to;
		}
	}
	return end;
}

static uint32_t root_number(const xhprof_reli_tree *tree, uint64_t root)
{
	uint32_t number = xhprof_graph_find(tree->graph, root);
	return number != XHPROF_GRAPH_NONE && at(tree, number)->known ? number : XHPROF_GRAPH_NONE;
}

/* Breadth first, so that the tree is as flat as can be: what calls hold in their variables, then global variables, then the
 * rest. What is held comes before what is only referred to, and the list of all objects is the last resort. */
static void find_places(xhprof_reli_tree *tree)
{
	static const uint8_t stages[] = {VALUES, VALUES, VALUES | DECLARED, VALUES | DECLARED | WEAK,
									 VALUES | DECLARED | WEAK};
	uint32_t end = 0, store = root_number(tree, XHPROF_HEAP_ROOT_OBJECTS_STORE);
	for (uint64_t root = 1; root <= XHPROF_HEAP_ROOTS; root++) {
		uint32_t number = root_number(tree, root);
		if (number != XHPROF_GRAPH_NONE) {
			tree->told_by[number] = AT_TOP;
		}
	}
	for (unsigned stage = 0; stage < sizeof(stages); stage++) {
		if (stage < 3) {
			for (uint64_t root = stage + 1; root <= (stage == 2 ? XHPROF_HEAP_ROOTS : stage + 1); root++) {
				uint32_t number = root_number(tree, root);
				if (number != XHPROF_GRAPH_NONE) {
					tree->queue[end++] = number;
				}
			}
		}
		for (uint32_t next = 0; next < end; next++) {
			if (stage == 4 || tree->queue[next] != store) {
				end = spread(tree, tree->queue[next], stages[stage], end);
			}
		}
	}
}

bool xhprof_reli_tree_begin(xhprof_reli_tree *tree, const xhprof_graph *graph)
{
	*tree = (xhprof_reli_tree){.graph = graph, .room = (size_t)graph->nodes.count + 1};
	tree->told_by = xhprof_pages_map(tree->room * sizeof(*tree->told_by));
	tree->queue = xhprof_pages_map(tree->room * sizeof(*tree->queue));
	if (!tree->told_by || !tree->queue) {
		xhprof_reli_tree_release(tree);
		return false;
	}
	memset(tree->told_by, 0xff, tree->room * sizeof(*tree->told_by)); /* NOWHERE */
	find_places(tree);
	tree->ids = graph->nodes.count;
	return true;
}

void xhprof_reli_tree_release(xhprof_reli_tree *tree)
{
	xhprof_pages_unmap(tree->told_by, tree->room * sizeof(*tree->told_by));
	xhprof_pages_unmap(tree->queue, tree->room * sizeof(*tree->queue));
	tree->told_by = tree->queue = NULL;
}

/* ---- Writing ------------------------------------------------------------------------------------------------------------ */

static void text_member(state *to, const char *key, uint32_t string)
{
	if (string) {
		const xhprof_graph_string *text = xhprof_graph_string_at(to->tree->graph, string);
		xhprof_json_string(to->json, key, text->bytes, text->length);
	}
}

static void begin_context(state *to, uint64_t id, const char *type)
{
	xhprof_json_open(to->json, '{');
	xhprof_json_uint(to->json, "#node_id", id);
	xhprof_json_text(to->json, "#type", type);
}

static void begin_own_context(state *to, const char *type)
{
	begin_context(to, to->tree->ids++, type);
}

static void location(state *to, const xhprof_graph_node *node)
{
	xhprof_json *json = to->json;
	xhprof_json_item(json);
	xhprof_json_open(json, '{');
	xhprof_json_uint(json, "address", node->address);
	xhprof_json_uint(json, "size", node->size);
	if (node->has_refcount) {
		xhprof_json_uint(json, "refcount", node->refcount);
	}
	switch ((xhprof_heap_type)node->type) {
		case XHPROF_HEAP_STRING:
			text_member(to, "value", node->value);
			if (node->length > xhprof_graph_string_at(to->tree->graph, node->value)->length) {
				xhprof_json_uint(to->json, "length", node->length);
			}
			break;
		case XHPROF_HEAP_OBJECT:
		case XHPROF_HEAP_CLOSURE:
		case XHPROF_HEAP_GENERATOR:
		case XHPROF_HEAP_FIBER:
		case XHPROF_HEAP_ENUM_CASE:
		case XHPROF_HEAP_CLASS:
			text_member(to, "class_name", node->name);
			break;
		case XHPROF_HEAP_FUNCTION:
			text_member(to, "function_name", node->name);
			break;
		default:
			text_member(to, "name", node->name);
	}
	text_member(to, "file", node->file);
	if (node->line) {
		xhprof_json_uint(json, "line_start", node->line);
	}
	xhprof_json_close(json, '}');
}

/* "#locations" of a context, or of one of its groups: its own memory, and that of parts that are no contexts. */
static void locations(state *to, const xhprof_graph_node *node, xhprof_reli_group group, bool own)
{
	const xhprof_graph *graph = to->tree->graph;
	const char *part = xhprof_reli_groups[group].location;
	bool open = false;
	if (own) {
		xhprof_json_name(to->json, "#locations");
		xhprof_json_open(to->json, '[');
		location(to, node);
		open = true;
	}
	for (uint32_t i = 0; i < node->edge_count; i++) {
		const xhprof_graph_edge *edge = xhprof_graph_edge_at(graph, node->first_edge + i);
		if (edge->kind != XHPROF_EDGE_PART || xhprof_reli_group_of(graph, node, i) != XHPROF_RELI_LOCATION) {
			continue;
		}
		if (part ? xhprof_reli_is(graph, edge->name, part) : node->type != XHPROF_HEAP_CLASS) {
			if (!open) {
				xhprof_json_name(to->json, "#locations");
				xhprof_json_open(to->json, '[');
				open = true;
			}
			location(to, at(to->tree, edge->to));
		}
	}
	if (open) {
		xhprof_json_close(to->json, ']');
	}
}

static bool has_location_group(const xhprof_graph_node *node)
{
	return node->type == XHPROF_HEAP_ARRAY || node->type == XHPROF_HEAP_CLOSURE || node->type == XHPROF_HEAP_FUNCTION;
}

/* A context's own members, and its bracket. */
static void begin_node(state *to, uint32_t number, const xhprof_graph_node *parent)
{
	const xhprof_graph_node *node = at(to->tree, number);
	const xhprof_graph *graph = to->tree->graph;
	uint32_t groups = xhprof_reli_groups_of(graph, node);
	begin_context(to, number, xhprof_reli_context(graph, node, parent));
	if (node->type == XHPROF_HEAP_FUNCTION || node->type == XHPROF_HEAP_CLASS) {
		bool user = node->type == XHPROF_HEAP_CLASS ? node->file != 0 : xhprof_reli_is_user(graph, node);
		xhprof_json_flag(to->json, "#is_internal", !user);
	}
	if (node->type == XHPROF_HEAP_ROOT) {
		uint64_t members = 0;
		for (uint32_t i = 0; i < node->edge_count; i++) {
			xhprof_reli_group group = xhprof_reli_group_of(graph, node, i);
			members += group != XHPROF_RELI_LOCATION && group != XHPROF_RELI_KEYS;
		}
		xhprof_json_uint(to->json, "#count", members);
		if (!(groups & 1u << XHPROF_RELI_ELEMENTS)) {
			locations(to, node, XHPROF_RELI_DIRECT, false);
		}
	} else if (node->type == XHPROF_HEAP_CLASS) {
		xhprof_json_name(to->json, "class_entry");
		begin_own_context(to, "ClassEntryContext");
		locations(to, node, XHPROF_RELI_DIRECT, true);
		xhprof_json_close(to->json, '}');
	} else if (node->type != XHPROF_HEAP_FUNCTION || !(groups & 1u << XHPROF_RELI_OP_ARRAY)) {
		xhprof_json_name(to->json, "#locations");
		xhprof_json_open(to->json, '[');
		location(to, node);
		xhprof_json_close(to->json, ']');
	}
	if (node->type == XHPROF_HEAP_FRAME) {
		const xhprof_graph_string *name = xhprof_graph_string_at(graph, node->name);
		bool main = xhprof_reli_is(graph, node->name, "{main}");
		xhprof_json_string(to->json, "function_name", main ? "<main>" : name->bytes, name->length);
		if (node->line) {
			xhprof_json_uint(to->json, "lineno", node->line);
		}
	}
}

static uint64_t count_of(const xhprof_graph *graph, const xhprof_graph_node *node, xhprof_reli_group group)
{
	uint64_t count = 0;
	for (uint32_t i = 0; i < node->edge_count; i++) {
		count += xhprof_reli_group_of(graph, node, i) == group;
	}
	return count;
}

/* The bracket of a group; false when nothing is in it. */
static bool begin_group(state *to, const xhprof_graph_node *node, xhprof_reli_group group)
{
	const xhprof_reli_group_name *names = &xhprof_reli_groups[group];
	uint64_t count = count_of(to->tree->graph, node, group);
	if (!count && !names->always) {
		return false;
	}
	xhprof_json_name(to->json, names->key);
	begin_own_context(to, names->type);
	if (node->type == XHPROF_HEAP_ARRAY && node->length > count) {
		count = node->length; /* values that are not told */
	}
	if (group == XHPROF_RELI_ELEMENTS || names->location || has_location_group(node)) {
		locations(to, node, group, group == XHPROF_RELI_OP_ARRAY);
	}
	if (group != XHPROF_RELI_OP_ARRAY && group != XHPROF_RELI_CLOSURE) {
		xhprof_json_uint(to->json, "#count", count);
	}
	return true;
}

static void reference(state *to, uint32_t number)
{
	xhprof_json_open(to->json, '{');
	xhprof_json_uint(to->json, "#reference_node_id", number);
	xhprof_json_close(to->json, '}');
}

/* The value of a reference, behind its key. True when it is a context that has been begun, and put on the stack. */
static bool begin_value(state *to, const xhprof_graph_node *node, uint32_t number)
{
	xhprof_reli_tree *tree = to->tree;
	const xhprof_graph_edge *edge = xhprof_graph_edge_at(tree->graph, number);
	if (edge->to == XHPROF_GRAPH_NONE) {
		begin_own_context(to, "ScalarValueContext");
		if (edge->scalar) {
			const char *value = xhprof_graph_string_at(tree->graph, edge->scalar)->bytes;
			size_t length = xhprof_graph_string_at(tree->graph, edge->scalar)->length;
			char text[64];
			memcpy(text, value, length < sizeof(text) ? length : 0);
			text[length < sizeof(text) ? length : 0] = '\0';
			xhprof_json_name(to->json, "#value");
			xhprof_heap_write_scalar(to->json->writer, text);
			xhprof_json_name(to->json, "value");
			xhprof_heap_write_scalar(to->json->writer, text);
		}
		xhprof_json_close(to->json, '}');
		return false;
	}
	if (tree->told_by[edge->to] != number) {
		reference(to, edge->to);
		return false;
	}
	if (to->json->depth + 8 > XHPROF_RELI_DEPTH || to->count == LEVELS) {
		tree->told_by[edge->to] = CONTINUED;
		tree->queue[tree->continued++] = edge->to;
		reference(to, edge->to);
		return false;
	}
	begin_node(to, edge->to, node);
	to->levels[to->count++] = (level){.node = edge->to};
	return true;
}

/* A string: has no references. */
static void key_of_element(state *to, const xhprof_graph_node *node, uint32_t number)
{
	xhprof_json_name(to->json, "key");
	if (begin_value(to, node, number)) {
		xhprof_json_close(to->json, '}');
		to->count--;
	}
}

/* A whole tree from the context on the stack. */
static void write_contexts(state *to)
{
	const xhprof_graph *graph = to->tree->graph;
	while (to->count) {
		level *top = &to->levels[to->count - 1];
		const xhprof_graph_node *node = at(to->tree, top->node);
		if (top->edge == node->edge_count) {
			if (top->in_group) {
				xhprof_json_close(to->json, '}');
				top->in_group = false;
			}
			uint32_t groups = xhprof_reli_groups_of(graph, node);
			do {
				top->group++;
			} while (top->group < XHPROF_RELI_GROUPS && !(groups & 1u << top->group));
			if (top->group < XHPROF_RELI_GROUPS) {
				top->in_group = begin_group(to, node, top->group);
				top->edge = top->in_group ? 0 : node->edge_count;
				continue;
			}
			bool wrapped = top->wrapped;
			xhprof_json_close(to->json, '}');
			to->count--;
			if (wrapped) {
				xhprof_json_close(to->json, '}');
			}
			continue;
		}
		uint32_t i = top->edge++, number = node->first_edge + i;
		if (xhprof_reli_group_of(graph, node, i) != top->group) {
			continue;
		}
		const xhprof_graph_edge *edge = xhprof_graph_edge_at(graph, number);
		bool wraps = top->group == XHPROF_RELI_ELEMENTS;
		xhprof_json_key(to->json, to->key, xhprof_reli_key(graph, node, edge, to->key));
		if (wraps) {
			begin_own_context(to, "ArrayElementContext");
			if (node->type == XHPROF_HEAP_ROOT) { /* interned strings: the key is the value */
				key_of_element(to, node, number);
				xhprof_json_name(to->json, "value");
				reference(to, edge->to);
				xhprof_json_close(to->json, '}');
				continue;
			}
			if (i + 1 < node->edge_count && xhprof_reli_group_of(graph, node, i + 1) == XHPROF_RELI_KEY_OF) {
				key_of_element(to, node, number + 1);
			}
			xhprof_json_name(to->json, "value");
		}
		if (begin_value(to, node, number)) {
			to->levels[to->count - 1].wrapped = wraps;
		} else if (wraps) {
			xhprof_json_close(to->json, '}');
		}
	}
}

static void write_tree(state *to, uint32_t number)
{
	begin_node(to, number, NULL);
	to->levels[to->count++] = (level){.node = number};
	write_contexts(to);
}

void xhprof_reli_tree_write(xhprof_reli_tree *tree, xhprof_json *json)
{
	state to = {.tree = tree, .json = json};
	for (uint64_t root = 1; root <= XHPROF_HEAP_ROOTS; root++) {
		uint32_t number = root_number(tree, root);
		if (number == XHPROF_GRAPH_NONE) {
			continue;
		}
		const xhprof_graph_string *name = xhprof_graph_string_at(tree->graph, at(tree, number)->name);
		xhprof_json_key(json, name->bytes, name->length);
		write_tree(&to, number);
	}
	if (tree->continued) {
		xhprof_json_name(json, "continued");
		begin_own_context(&to, "ContinuedContext");
		for (uint32_t i = 0; i < tree->continued; i++) {
			char key[XHPROF_NUMBER_ROOM];
			xhprof_json_key(json, key, (size_t)(xhprof_format_uint(key, tree->queue[i]) - key));
			write_tree(&to, tree->queue[i]);
		}
		xhprof_json_close(json, '}');
	}
}
