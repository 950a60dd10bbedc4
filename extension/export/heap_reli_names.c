#include "heap_reli_names.h"
#include "writer.h"

const xhprof_reli_group_name xhprof_reli_groups[XHPROF_RELI_GROUPS] = {
	[XHPROF_RELI_ELEMENTS] = {"array_elements", "ArrayElementsContext", true, NULL},
	[XHPROF_RELI_PROPERTIES] = {"object_properties", "ObjectPropertiesContext", true, NULL},
	[XHPROF_RELI_CLOSURE] = {"closure", "ClosureContext", true, NULL},
	[XHPROF_RELI_OP_ARRAY] = {"op_array", "OpArrayContext", true, NULL},
	[XHPROF_RELI_LOCALS] = {"local_variables", "CallFrameVariableTableContext", true, NULL},
	[XHPROF_RELI_METHODS] = {"methods", "DefinedFunctionsContext", false, "methods"},
	[XHPROF_RELI_STATICS] = {"static_properties", "ClassStaticPropertiesContext", false, "static members"},
	[XHPROF_RELI_CONSTANTS] = {"constants", "ClassConstantsContext", false, "constants"},
	[XHPROF_RELI_PROPERTY_INFO] = {"property_info", "PropertiesInfoContext", false, "properties"},
	[XHPROF_RELI_KEYS] = {"keys", "KeysContext", false, NULL},
};

#define BIT(group) (1u << XHPROF_RELI_##group)

typedef struct names {
	const char *name; /* of the node; NULL: any */
	const char *context, *location;
} names;

static const struct {
	names names[5]; /* the one for any other name is the last */
	uint32_t groups;
} types[XHPROF_HEAP_TYPE_COUNT] = {
	[XHPROF_HEAP_ROOT] = {{{NULL, "RootContext", NULL}}, BIT(DIRECT) | BIT(KEYS)},
	[XHPROF_HEAP_STRING] = {{{NULL, "StringContext", "ZendStringMemoryLocation"}}, BIT(DIRECT)},
	[XHPROF_HEAP_ARRAY] = {{{NULL, "ArrayHeaderContext", "ZendArrayMemoryLocation"}}, BIT(DIRECT) | BIT(ELEMENTS)},
	[XHPROF_HEAP_ARRAY_TABLE] = {{{NULL, "ArrayTableContext", "ZendArrayTableMemoryLocation"}}, BIT(DIRECT)},
	[XHPROF_HEAP_OBJECT] = {{{NULL, "ObjectContext", "ZendObjectMemoryLocation"}}, BIT(DIRECT) | BIT(PROPERTIES)},
	[XHPROF_HEAP_CLOSURE] = {{{NULL, "ObjectContext", "ZendObjectMemoryLocation"}}, BIT(DIRECT) | BIT(CLOSURE)},
	[XHPROF_HEAP_GENERATOR] = {{{NULL, "ObjectContext", "ZendObjectMemoryLocation"}}, BIT(DIRECT) | BIT(PROPERTIES)},
	[XHPROF_HEAP_FIBER] = {{{NULL, "ObjectContext", "ZendObjectMemoryLocation"}}, BIT(DIRECT) | BIT(PROPERTIES)},
	[XHPROF_HEAP_ENUM_CASE] = {{{NULL, "ObjectContext", "ZendObjectMemoryLocation"}}, BIT(DIRECT) | BIT(PROPERTIES)},
	[XHPROF_HEAP_REFERENCE] = {{{NULL, "PhpReferenceContext", "ZendReferenceMemoryLocation"}}, BIT(DIRECT)},
	[XHPROF_HEAP_RESOURCE] = {{{NULL, "ResourceContext", "ZendResourceMemoryLocation"}}, BIT(DIRECT)},
	[XHPROF_HEAP_CONSTANT_EXPRESSION] = {{{NULL, "ConstantExpressionContext", "ZendAstMemoryLocation"}}, BIT(DIRECT)},
	[XHPROF_HEAP_FUNCTION] = {{{NULL, "UserFunctionDefinitionContext", "ZendOpArrayHeaderMemoryLocation"}},
							  BIT(DIRECT) | BIT(OP_ARRAY)},
	[XHPROF_HEAP_OPCODES] = {{{NULL, "OpArrayBodyContext", "ZendOpArrayBodyMemoryLocation"}}, BIT(DIRECT)},
	[XHPROF_HEAP_FUNCTION_PART] =
		{{{"arguments", "ArgInfosContext", "ZendArgInfosMemoryLocation"},
		  {"variables", "LocalVariableNameTableContext", "LocalVariableNameTableMemoryLocation"},
		  {"declared functions", "DynamicFuncDefsContext", "DynamicFuncDefsTableMemoryLocation"},
		  {NULL, "FunctionPartContext", "FunctionPartMemoryLocation"}},
		 BIT(DIRECT)},
	[XHPROF_HEAP_RUNTIME_CACHE] = {{{NULL, "RuntimeCacheContext", "RuntimeCacheMemoryLocation"}}, BIT(DIRECT)},
	[XHPROF_HEAP_CLASS] = {{{NULL, "ClassDefinitionContext", "ZendClassEntryMemoryLocation"}},
						   BIT(DIRECT) | BIT(METHODS) | BIT(STATICS) | BIT(CONSTANTS) | BIT(PROPERTY_INFO) | BIT(KEYS)},
	[XHPROF_HEAP_CLASS_PART] =
		{{{"property", "PropertyInfoContext", "ZendPropertyInfoMemoryLocation"},
		  {"default properties", "DefaultPropertiesTableContext", "DefaultPropertiesTableMemoryLocation"},
		  {"default static members", "DefaultStaticPropertiesContext", "DefaultStaticMembersTableMemoryLocation"},
		  {"static members", "StaticMembersTableContext", "StaticMembersTableMemoryLocation"},
		  {NULL, "ClassPartContext", "ClassPartMemoryLocation"}},
		 BIT(DIRECT)},
	[XHPROF_HEAP_CONSTANT] = {{{NULL, "GlobalConstantContext", "ZendConstantMemoryLocation"}}, BIT(DIRECT)},
	[XHPROF_HEAP_FRAME] = {{{NULL, "CallFrameContext", "CallFrameHeaderMemoryLocation"}}, BIT(DIRECT) | BIT(LOCALS)},
	[XHPROF_HEAP_VM_STACK] = {{{NULL, "VmStackContext", "VmStackMemoryLocation"}}, BIT(DIRECT)},
	[XHPROF_HEAP_ARENA] = {{{NULL, "ArenaContext", "ZendArenaMemoryLocation"}}, BIT(DIRECT)},
	[XHPROF_HEAP_ENGINE] = {{{NULL, "EngineContext", "EngineMemoryLocation"}}, BIT(DIRECT)},
	[XHPROF_HEAP_OUTPUT] = {{{NULL, "OutputBufferContext", "OutputBufferMemoryLocation"}}, BIT(DIRECT)},
	[XHPROF_HEAP_NATIVE] = {{{NULL, "NativeContext", "NativeMemoryLocation"}}, BIT(DIRECT)},
	[XHPROF_HEAP_UNREACHABLE] = {{{NULL, "UnreachableContext", "UnreachableMemoryLocation"}}, BIT(DIRECT)},
};

static const char *const roots[XHPROF_HEAP_ROOTS_END] = {
	[XHPROF_HEAP_ROOT_CALL_FRAMES] = "CallFramesContext",
	[XHPROF_HEAP_ROOT_GLOBALS] = "GlobalVariablesContext",
	[XHPROF_HEAP_ROOT_FUNCTIONS] = "DefinedFunctionsContext",
	[XHPROF_HEAP_ROOT_CLASSES] = "DefinedClassesContext",
	[XHPROF_HEAP_ROOT_CONSTANTS] = "GlobalConstantsContext",
	[XHPROF_HEAP_ROOT_INCLUDED_FILES] = "IncludedFilesContext",
	[XHPROF_HEAP_ROOT_INTERNED_STRINGS] = "ArrayHeaderContext",
	[XHPROF_HEAP_ROOT_OBJECTS_STORE] = "ObjectsStoreContext",
	[XHPROF_HEAP_ROOT_RESOURCES] = "ResourcesContext",
	[XHPROF_HEAP_ROOT_ENGINE_STATE] = "EngineContext",
	[XHPROF_HEAP_ROOT_NATIVE_MEMORY] = "NativeMemoryContext",
	[XHPROF_HEAP_ROOT_LEAK_CANDIDATES] = "UnreachableContext",
	[XHPROF_HEAP_ROOT_COLLECTOR] = "GarbageCollectorContext",
};

/* Of parts. Any other is called as it is, with "_" for spaces. */
static const char *const part_keys[][2] = {
	{"arguments", "arg_infos"},
	{"declared functions", "dynamic_function_definitions"},
	{"default static members", "default_static_properties"},
	{"file", "filename"},
	{"properties", "dynamic_properties"},
	{"runtime cache", "run_time_cache"},
	{"variables", "variable_name_table"},
};

bool xhprof_reli_is(const xhprof_graph *graph, uint32_t string, const char *text)
{
	const xhprof_graph_string *named = xhprof_graph_string_at(graph, string);
	return named->length == strlen(text) && !memcmp(named->bytes, text, named->length);
}

static const names *names_of(const xhprof_graph *graph, const xhprof_graph_node *node)
{
	const names *each = types[node->type].names;
	while (each->name && !xhprof_reli_is(graph, node->name, each->name)) {
		each++;
	}
	return each;
}

static bool is_interned(const xhprof_graph_node *node)
{
	return node->type == XHPROF_HEAP_ROOT && node->address == XHPROF_HEAP_ROOT_INTERNED_STRINGS;
}

bool xhprof_reli_is_user(const xhprof_graph *graph, const xhprof_graph_node *node)
{
	for (uint32_t i = 0; !node->file && i < node->edge_count; i++) {
		const xhprof_graph_edge *edge = xhprof_graph_edge_at(graph, node->first_edge + i);
		if (edge->to != XHPROF_GRAPH_NONE && xhprof_graph_node_at(graph, edge->to)->type == XHPROF_HEAP_OPCODES) {
			return true;
		}
	}
	return node->file != 0;
}

uint32_t xhprof_reli_groups_of(const xhprof_graph *graph, const xhprof_graph_node *node)
{
	if (is_interned(node)) {
		return BIT(DIRECT) | BIT(ELEMENTS);
	}
	if (node->type == XHPROF_HEAP_FUNCTION && !xhprof_reli_is_user(graph, node)) {
		return BIT(DIRECT);
	}
	return types[node->type].groups;
}

static bool starts_with(const xhprof_graph_string *text, const char *start)
{
	size_t length = strlen(start);
	return text->length >= length && !memcmp(text->bytes, start, length);
}

xhprof_reli_group xhprof_reli_group_of(const xhprof_graph *graph, const xhprof_graph_node *node, uint32_t number)
{
	const xhprof_graph_edge *edge = xhprof_graph_edge_at(graph, node->first_edge + number);
	const xhprof_graph_node *to = edge->to == XHPROF_GRAPH_NONE ? NULL : xhprof_graph_node_at(graph, edge->to);
	bool part = edge->kind == XHPROF_EDGE_PART, weak = edge->kind == XHPROF_EDGE_WEAK;
	bool key = part && to && to->type == XHPROF_HEAP_STRING && xhprof_reli_is(graph, edge->name, "key");
	switch ((xhprof_heap_type)node->type) {
		case XHPROF_HEAP_ROOT:
			if (part && to && to->type != XHPROF_HEAP_STRING && !to->edge_count) {
				return XHPROF_RELI_LOCATION;
			}
			if (is_interned(node) && !part) {
				return XHPROF_RELI_ELEMENTS;
			}
			return key && !is_interned(node) ? XHPROF_RELI_KEYS : XHPROF_RELI_DIRECT;
		case XHPROF_HEAP_ARRAY:
			if (part && to && to->type == XHPROF_HEAP_ARRAY_TABLE) {
				return XHPROF_RELI_LOCATION;
			}
			if (key && number) {
				const xhprof_graph_edge *before = xhprof_graph_edge_at(graph, node->first_edge + number - 1);
				if (before->kind == XHPROF_EDGE_NAMED) {
					return XHPROF_RELI_KEY_OF;
				}
			}
			return part || weak ? XHPROF_RELI_DIRECT : XHPROF_RELI_ELEMENTS;
		case XHPROF_HEAP_OBJECT:
		case XHPROF_HEAP_GENERATOR:
		case XHPROF_HEAP_FIBER:
		case XHPROF_HEAP_ENUM_CASE:
			return part || weak ? XHPROF_RELI_DIRECT : XHPROF_RELI_PROPERTIES;
		case XHPROF_HEAP_CLOSURE:
			return to && to->type == XHPROF_HEAP_OPCODES ? XHPROF_RELI_LOCATION : XHPROF_RELI_CLOSURE;
		case XHPROF_HEAP_FUNCTION:
			if (to && to->type == XHPROF_HEAP_OPCODES) {
				return XHPROF_RELI_LOCATION;
			}
			return (part && xhprof_reli_is(graph, edge->name, "name")) || !xhprof_reli_is_user(graph, node)
					   ? XHPROF_RELI_DIRECT
					   : XHPROF_RELI_OP_ARRAY;
		case XHPROF_HEAP_FRAME:
			if (part || weak || (edge->kind == XHPROF_EDGE_NAMED && xhprof_reli_is(graph, edge->name, "this"))) {
				return XHPROF_RELI_DIRECT;
			}
			return XHPROF_RELI_LOCALS;
		case XHPROF_HEAP_CLASS:
			if (key) {
				return XHPROF_RELI_KEYS;
			}
			if (part && xhprof_reli_is(graph, edge->name, "property")) {
				return XHPROF_RELI_PROPERTY_INFO;
			}
			if (part && to && to->type == XHPROF_HEAP_CLASS_PART && !to->edge_count) {
				for (unsigned group = 0; group < XHPROF_RELI_GROUPS; group++) {
					const char *location = xhprof_reli_groups[group].location;
					if (location && xhprof_reli_is(graph, edge->name, location)) {
						return XHPROF_RELI_LOCATION;
					}
				}
			}
			if (edge->kind == XHPROF_EDGE_NAMED) {
				const xhprof_graph_string *name = xhprof_graph_string_at(graph, edge->name);
				return starts_with(name, "::$")  ? XHPROF_RELI_STATICS
					   : starts_with(name, "::") ? XHPROF_RELI_CONSTANTS
												 : XHPROF_RELI_METHODS;
			}
			return XHPROF_RELI_DIRECT;
		default:
			return XHPROF_RELI_DIRECT;
	}
}

/* Without what tells methods, static properties and constants apart in the name. */
static xhprof_graph_string class_member(xhprof_graph_string name)
{
	if (starts_with(&name, "::")) {
		size_t skip = starts_with(&name, "::$") ? 3 : 2;
		return (xhprof_graph_string){name.bytes + skip, (uint32_t)(name.length - skip), 0};
	}
	if (name.length > 2 && !memcmp(name.bytes + name.length - 2, "()", 2)) {
		name.length -= 2;
	}
	return name;
}

static size_t part_key(const xhprof_graph *graph, uint32_t string, char *key, size_t length)
{
	for (size_t i = 0; i < sizeof(part_keys) / sizeof(*part_keys); i++) {
		if (xhprof_reli_is(graph, string, part_keys[i][0])) {
			return strlen(strcpy(key, part_keys[i][1]));
		}
	}
	for (size_t i = 0; i < length; i++) {
		key[i] = key[i] == ' ' ? '_' : key[i];
	}
	return length;
}

size_t xhprof_reli_key(const xhprof_graph *graph, const xhprof_graph_node *node, const xhprof_graph_edge *edge,
					   char *key)
{
	if (edge->kind == XHPROF_EDGE_INDEX) {
		return (size_t)(xhprof_format_int(key, edge->index) - key);
	}
	xhprof_graph_string name = *xhprof_graph_string_at(graph, edge->name);
	if (edge->kind == XHPROF_EDGE_NAMED) {
		if (node->type == XHPROF_HEAP_CLASS) {
			name = class_member(name);
		} else if (node->type == XHPROF_HEAP_REFERENCE && xhprof_reli_is(graph, edge->name, "value")) {
			name = (xhprof_graph_string){"referenced", 10, 0};
		} else if (node->type == XHPROF_HEAP_CLOSURE && xhprof_reli_is(graph, edge->name, "this")) {
			name = (xhprof_graph_string){"this_ptr", 8, 0};
		}
	}
	size_t length = 0, most = XHPROF_RELI_KEY - 32;
	if (node->type == XHPROF_HEAP_ROOT && edge->kind == XHPROF_EDGE_WEAK && starts_with(&name, "#")) {
		name = (xhprof_graph_string){name.bytes + 1, name.length - 1, 0}; /* the number of an object or resource */
	}
	if (name.length && name.bytes[0] == '#') { /* those are the format's */
		key[length++] = '#';
	}
	size_t copied = name.length < most ? name.length : most;
	memcpy(key + length, name.bytes, copied);
	length += copied;
	if (edge->kind != XHPROF_EDGE_NAMED) {
		length = part_key(graph, edge->name, key, length);
	}
	if (edge->repeat) {
		key[length++] = '#';
		length = (size_t)(xhprof_format_uint(key + length, (uint64_t)edge->repeat + 1) - key);
	}
	return length;
}

const char *xhprof_reli_context(const xhprof_graph *graph, const xhprof_graph_node *node,
								const xhprof_graph_node *parent)
{
	if (node->type == XHPROF_HEAP_ROOT && node->address < XHPROF_HEAP_ROOTS_END) {
		return roots[node->address];
	}
	if (node->type == XHPROF_HEAP_CONSTANT && parent && parent->type == XHPROF_HEAP_CLASS) {
		return "ClassConstantContext";
	}
	if (node->type == XHPROF_HEAP_FUNCTION && !xhprof_reli_is_user(graph, node)) {
		return "InternalFunctionDefinitionContext";
	}
	return names_of(graph, node)->context;
}

const char *xhprof_reli_location(const xhprof_graph *graph, const xhprof_graph_node *node)
{
	return names_of(graph, node)->location;
}
