/* Functions and classes. A function's header, and the tables of a class, mostly lie in the compiler's arena or in opcache's
 * memory: those nodes have no block of their own. What one class has from another, its parent's methods for one, is a weak
 * reference, so that it counts as the class's that declares it. */
#include "walker.h"

#include "zend_attributes.h"
#include "zend_constants.h"

#include "compat/code_layout.h"

/* More of anything in one function or class is taken for damage. */
#define MOST ((uint64_t)1 << 22)
/* Types within types: unions of intersections, and not more. */
#define TYPE_DEPTH 3

static bool plausible(xhprof_walker *walker, uint64_t count)
{
	if (count <= MOST) {
		return true;
	}
	walker->result->unreadable++;
	return false;
}

static xhprof_label part_of(xhprof_text name)
{
	return (xhprof_label){XHPROF_EDGE_PART, 0, name};
}

static xhprof_label inherited(xhprof_label label)
{
	label.kind = XHPROF_EDGE_WEAK;
	return label;
}

/* A literal or default: only what has memory of its own. Strings that are interned are the engine's. */
static void refer_constant(xhprof_walker *walker, const char *part, xhprof_label label, const zval *value)
{
	switch (Z_TYPE_P(value)) {
		case IS_STRING:
			xhprof_walker_name(walker, part, Z_STR_P(value));
			break;
		case IS_ARRAY:
		case IS_OBJECT:
		case IS_RESOURCE:
		case IS_REFERENCE:
		case IS_CONSTANT_AST:
			xhprof_walker_zval(walker, label, value);
			break;
		default:
			break;
	}
}

/* ---- Functions ---------------------------------------------------------------------------------------------------------- */

static void refer_type(xhprof_walker *walker, const zend_type *type, unsigned depth)
{
	if (ZEND_TYPE_HAS_LIST(*type) && depth) {
		uint64_t list = (uintptr_t)ZEND_TYPE_LIST(*type);
		XHPROF_WALKER_LOAD(walker, zend_type_list, head, list);
		if (!head || !plausible(walker, head->num_types)) {
			return;
		}
		uint32_t count = head->num_types;
		uint64_t types = list + XtOffsetOf(zend_type_list, types);
		xhprof_walker_part(walker, XHPROF_HEAP_FUNCTION_PART, "types", list, ZEND_TYPE_LIST_SIZE((uint64_t)count));
		for (uint32_t i = 0; i < count; i++) {
			XHPROF_WALKER_LOAD(walker, zend_type, one, types + i * sizeof(zend_type));
			if (!one) {
				return;
			}
			zend_type copy = *one;
			refer_type(walker, &copy, depth - 1);
		}
	} else if (ZEND_TYPE_HAS_NAME(*type)) {
		xhprof_walker_name(walker, "type", ZEND_TYPE_NAME(*type));
	}
}

static void refer_arguments(xhprof_walker *walker, const zend_op_array *code)
{
	if (!code->arg_info || !plausible(walker, code->num_args)) {
		return;
	}
	uint64_t first = (uintptr_t)code->arg_info, count = code->num_args;
	if (code->fn_flags & ZEND_ACC_HAS_RETURN_TYPE) {
		first -= sizeof(zend_arg_info);
		count++;
	}
	if (code->fn_flags & ZEND_ACC_VARIADIC) {
		count++;
	}
	xhprof_walker_part(walker, XHPROF_HEAP_FUNCTION_PART, "arguments", first, count * sizeof(zend_arg_info));
	for (uint64_t i = 0; i < count; i++) {
		XHPROF_WALKER_LOAD(walker, zend_arg_info, info, first + i * sizeof(zend_arg_info));
		if (!info) {
			return;
		}
		zend_arg_info copy = *info;
		/* The return type's has no name. */
		if (i || !(code->fn_flags & ZEND_ACC_HAS_RETURN_TYPE)) {
			xhprof_walker_name(walker, "argument", copy.name);
			xhprof_walker_name(walker, "default of argument", copy.default_value);
		}
		refer_type(walker, &copy.type, TYPE_DEPTH);
	}
}

static void refer_variables(xhprof_walker *walker, const zend_op_array *code)
{
	if (!code->vars || code->last_var <= 0 || !plausible(walker, (uint64_t)code->last_var)) {
		return;
	}
	uint64_t at = (uintptr_t)code->vars;
	xhprof_walker_part(walker, XHPROF_HEAP_FUNCTION_PART, "variables", at, (uint64_t)code->last_var * sizeof(void *));
	for (int i = 0; i < code->last_var; i++) {
		XHPROF_WALKER_LOAD(walker, uint64_t, name, at + (uint64_t)i * sizeof(void *));
		if (!name) {
			return;
		}
		xhprof_walker_name(walker, "variable", (const void *)(uintptr_t)*name);
	}
}

static void refer_opcodes(xhprof_walker *walker, const zend_op_array *code)
{
	uint64_t opcodes = (uintptr_t)code->opcodes, literals = (uintptr_t)code->literals;
	if (!plausible(walker, code->last) || code->last_literal < 0 || !plausible(walker, (uint64_t)code->last_literal)) {
		return;
	}
	uint64_t size = (uint64_t)code->last * sizeof(zend_op);
	uint64_t literals_size = (uint64_t)code->last_literal * sizeof(zval);
	/* While a function is compiled they are apart. */
	bool behind = literals == opcodes + ZEND_MM_ALIGNED_SIZE_EX(size, 16);
	if (opcodes) {
		xhprof_walker_part(walker, XHPROF_HEAP_OPCODES, "opcodes", opcodes,
						   behind ? ZEND_MM_ALIGNED_SIZE_EX(size, 16) + literals_size : size);
	}
	if (literals && literals_size && !behind) {
		xhprof_walker_part(walker, XHPROF_HEAP_FUNCTION_PART, "literals", literals, literals_size);
	}
	for (int i = 0; literals && i < code->last_literal; i++) {
		XHPROF_WALKER_LOAD(walker, zval, value, literals + (uint64_t)i * sizeof(zval));
		if (!value) {
			return;
		}
		if (Z_TYPE_P(value) >= IS_STRING) {
			zval copy = *value;
			refer_constant(walker, "literal", XHPROF_PART("literal"), &copy);
		}
	}
}

static void refer_declared(xhprof_walker *walker, const zend_op_array *code)
{
	uint64_t at = (uintptr_t)code->dynamic_func_defs, count = code->num_dynamic_func_defs;
	if (!at || !count || !plausible(walker, count)) {
		return;
	}
	xhprof_walker_part(walker, XHPROF_HEAP_FUNCTION_PART, "declared functions", at, count * sizeof(void *));
	for (uint64_t i = 0; i < count; i++) {
		XHPROF_WALKER_LOAD(walker, uint64_t, function, at + i * sizeof(void *));
		if (!function) {
			return;
		}
		xhprof_walker_refer(walker, XHPROF_PART("declared function"), XHPROF_VISIT_FUNCTION,
							(const void *)(uintptr_t)*function, 0);
	}
}

static void refer_user_function(xhprof_walker *walker, const zend_op_array *code)
{
	xhprof_walker_name(walker, "file", code->filename);
	xhprof_walker_name(walker, "doc comment", code->doc_comment);
	refer_opcodes(walker, code);
	refer_variables(walker, code);
	refer_arguments(walker, code);
	if (code->refcount) {
		xhprof_walker_part(walker, XHPROF_HEAP_FUNCTION_PART, "refcount", (uintptr_t)code->refcount, sizeof(uint32_t));
	}
	if (code->live_range && code->last_live_range > 0) {
		xhprof_walker_part(walker, XHPROF_HEAP_FUNCTION_PART, "live ranges", (uintptr_t)code->live_range,
						   (uint64_t)code->last_live_range * sizeof(zend_live_range));
	}
	if (code->try_catch_array && code->last_try_catch > 0) {
		xhprof_walker_part(walker, XHPROF_HEAP_FUNCTION_PART, "try/catch", (uintptr_t)code->try_catch_array,
						   (uint64_t)code->last_try_catch * sizeof(zend_try_catch_element));
	}
	refer_declared(walker, code);

	uint64_t statics = xhprof_walker_map_ptr(walker, ZEND_MAP_PTR(code->static_variables_ptr));
	if (statics) {
		xhprof_walker_refer(walker, XHPROF_PART("static variables"), XHPROF_VISIT_ARRAY,
							(const void *)(uintptr_t)statics, 0);
	}
	if (code->static_variables && (uintptr_t)code->static_variables != statics) {
		xhprof_walker_refer(walker, XHPROF_PART("static variables at first"), XHPROF_VISIT_ARRAY,
							code->static_variables, 0);
	}
	uint64_t cache = xhprof_walker_map_ptr(walker, ZEND_MAP_PTR(code->run_time_cache));
	if (cache && code->cache_size > 0) {
		xhprof_walker_part(walker, XHPROF_HEAP_RUNTIME_CACHE, "runtime cache", cache, (uint64_t)code->cache_size);
	}
}

void xhprof_walk_function_parts(xhprof_walker *walker, const zend_function *function, uint64_t address)
{
	(void)address;
	const zend_internal_function *head = &function->internal_function;
	xhprof_walker_name(walker, "name", head->function_name);
	xhprof_walker_refer(walker, XHPROF_WEAK(XHPROF_TEXT("class")), XHPROF_VISIT_CLASS, head->scope, 0);
	xhprof_walker_refer(walker, XHPROF_PART("attributes"), XHPROF_VISIT_ATTRIBUTES, head->attributes, 0);
	xhprof_walker_name(walker, "doc comment", xhprof_layout_function_comment(head));
	if (function->type == ZEND_USER_FUNCTION) {
		refer_user_function(walker, &function->op_array);
	}
}

void xhprof_walk_function(xhprof_walker *walker, const xhprof_item *item)
{
	zend_function function;
	XHPROF_WALKER_LOAD(walker, zend_internal_function, head, item->address);
	if (!head || (head->type != ZEND_USER_FUNCTION && head->type != ZEND_INTERNAL_FUNCTION)) {
		walker->result->unreadable++;
		return;
	}
	xhprof_heap_node node = {.address = item->address, .type = XHPROF_HEAP_FUNCTION, .size = sizeof(*head)};
	if (head->type == ZEND_USER_FUNCTION) {
		XHPROF_WALKER_LOAD(walker, zend_op_array, code, item->address);
		if (!code) {
			walker->result->unreadable++;
			return;
		}
		function.op_array = *code;
		node.size = sizeof(*code);
		node.line = code->line_start;
		xhprof_text file = xhprof_walker_text(walker, function.op_array.filename);
		node.file = file.bytes;
		node.file_length = file.length;
	} else {
		function.internal_function = *head;
	}
	xhprof_text name = xhprof_walker_function_name(walker, &function);
	node.name = name.bytes;
	node.name_length = name.length;
	xhprof_walker_node(walker, &node, item->address);
	xhprof_walk_function_parts(walker, &function, item->address);
}

/* ---- Attributes, constants ---------------------------------------------------------------------------------------------- */

static bool refer_attribute(xhprof_walker *walker, const xhprof_element *element, void *context)
{
	(void)context;
	uint64_t at = (uintptr_t)Z_PTR_P(element->value);
	XHPROF_WALKER_LOAD(walker, zend_attribute, attribute, at);
	if (!attribute || !plausible(walker, attribute->argc)) {
		return false;
	}
	zend_attribute head = *attribute;
	xhprof_walker_part(walker, XHPROF_HEAP_CLASS_PART, "attribute", at, ZEND_ATTRIBUTE_SIZE((uint64_t)head.argc));
	xhprof_walker_name(walker, "name", head.name);
	xhprof_walker_name(walker, "name", head.lcname);
	for (uint32_t i = 0; i < head.argc; i++) {
		uint64_t argument = at + XtOffsetOf(zend_attribute, args) + i * sizeof(zend_attribute_arg);
		XHPROF_WALKER_LOAD(walker, zend_attribute_arg, arg, argument);
		if (!arg) {
			return false;
		}
		zend_attribute_arg copy = *arg;
		xhprof_walker_name(walker, "argument", copy.name);
		refer_constant(walker, "argument", XHPROF_PART("argument"), &copy.value);
	}
	return true;
}

void xhprof_walk_attributes(xhprof_walker *walker, const xhprof_item *item)
{
	XHPROF_WALKER_LOAD(walker, HashTable, loaded, item->address);
	if (!loaded) {
		walker->result->unreadable++;
		return;
	}
	HashTable table = *loaded;
	xhprof_heap_node node = {
		.address = item->address,
		.type = XHPROF_HEAP_CLASS_PART,
		.size = sizeof(HashTable),
		.name = "attributes",
		.name_length = sizeof("attributes") - 1,
	};
	xhprof_walker_node(walker, &node, item->address);
	xhprof_walker_table_part(walker, &table, XHPROF_HEAP_CLASS_PART, "table");
	xhprof_walker_elements(walker, &table, refer_attribute, NULL);
}

void xhprof_walk_constant(xhprof_walker *walker, const xhprof_item *item)
{
	XHPROF_WALKER_LOAD(walker, zend_constant, loaded, item->address);
	if (!loaded) {
		walker->result->unreadable++;
		return;
	}
	zend_constant constant = *loaded;
	xhprof_text name = xhprof_walker_text(walker, constant.name);
	xhprof_heap_node node = {
		.address = item->address,
		.type = XHPROF_HEAP_CONSTANT,
		.size = sizeof(zend_constant),
		.name = name.bytes,
		.name_length = name.length,
	};
	xhprof_walker_node(walker, &node, item->address);
	xhprof_walker_name(walker, "name", constant.name);
	xhprof_walker_zval(walker, XHPROF_NAMED(XHPROF_TEXT("value")), &constant.value);
}

/* `extra` is its name's address. */
void xhprof_walk_class_constant(xhprof_walker *walker, const xhprof_item *item)
{
	XHPROF_WALKER_LOAD(walker, zend_class_constant, loaded, item->address);
	if (!loaded) {
		walker->result->unreadable++;
		return;
	}
	zend_class_constant constant = *loaded;
	xhprof_text name = xhprof_walker_join(walker, xhprof_walker_class_at(walker, (uintptr_t)constant.ce)->name,
										  "::", xhprof_walker_text(walker, (const void *)(uintptr_t)item->extra));
	xhprof_heap_node node = {
		.address = item->address,
		.type = XHPROF_HEAP_CONSTANT,
		.size = sizeof(zend_class_constant),
		.name = name.bytes,
		.name_length = name.length,
	};
	xhprof_walker_node(walker, &node, item->address);
	xhprof_walker_name(walker, "doc comment", constant.doc_comment);
	xhprof_walker_refer(walker, XHPROF_PART("attributes"), XHPROF_VISIT_ATTRIBUTES, constant.attributes, 0);
	const zend_type *type = xhprof_layout_constant_type(&constant);
	if (type) {
		refer_type(walker, type, TYPE_DEPTH);
	}
	xhprof_walker_zval(walker, XHPROF_NAMED(XHPROF_TEXT("value")), &constant.value);
}

/* ---- Classes ------------------------------------------------------------------------------------------------------------ */

void xhprof_walk_property_info(xhprof_walker *walker, const xhprof_item *item)
{
	static const char *const hook_names[] = {"get hook", "set hook"};
	XHPROF_WALKER_LOAD(walker, zend_property_info, loaded, item->address);
	if (!loaded) {
		walker->result->unreadable++;
		return;
	}
	zend_property_info info = *loaded;
	xhprof_heap_node node = {
		.address = item->address,
		.type = XHPROF_HEAP_CLASS_PART,
		.size = sizeof(zend_property_info),
		.name = "property",
		.name_length = sizeof("property") - 1,
	};
	xhprof_walker_node(walker, &node, item->address);
	xhprof_walker_name(walker, "name", info.name);
	xhprof_walker_name(walker, "doc comment", info.doc_comment);
	xhprof_walker_refer(walker, XHPROF_PART("attributes"), XHPROF_VISIT_ATTRIBUTES, info.attributes, 0);
	refer_type(walker, &info.type, TYPE_DEPTH);
	uint64_t hooks = (uintptr_t)xhprof_layout_hooks(&info);
	if (hooks) {
		xhprof_walker_part(walker, XHPROF_HEAP_CLASS_PART, "hooks", hooks, XHPROF_LAYOUT_HOOKS * sizeof(void *));
	}
	unsigned count = XHPROF_LAYOUT_HOOKS;
	for (unsigned i = 0; hooks && i < count; i++) {
		uint64_t hook = xhprof_walker_pointer(walker, hooks + i * sizeof(void *));
		if (hook) {
			xhprof_text name = {hook_names[i & 1], strlen(hook_names[i & 1])};
			xhprof_walker_refer(walker, part_of(name), XHPROF_VISIT_FUNCTION, (const void *)(uintptr_t)hook, 0);
		}
	}
}

/* A class while its tables are gone through. */
typedef struct class_visit {
	uint64_t address;
	const zend_class_entry *entry;
	uint64_t statics; /* address of the values of this request */
} class_visit;

static bool refer_method(xhprof_walker *walker, const xhprof_element *element, void *context)
{
	const class_visit *visit = context;
	const void *function = Z_PTR_P(element->value);
	XHPROF_WALKER_LOAD(walker, zend_internal_function, head, (uintptr_t)function);
	if (!head) {
		walker->result->unreadable++;
		return true;
	}
	bool own = (uintptr_t)head->scope == visit->address;
	xhprof_text key = xhprof_walker_text(walker, (const void *)(uintptr_t)element->key);
	xhprof_label label = XHPROF_NAMED(xhprof_walker_join(walker, key, "()", XHPROF_TEXT("")));
	xhprof_walker_refer(walker, own ? label : inherited(label), XHPROF_VISIT_FUNCTION, function, 0);
	xhprof_walker_name(walker, "key", (const void *)(uintptr_t)element->key);
	return true;
}

static bool refer_property(xhprof_walker *walker, const xhprof_element *element, void *context)
{
	const class_visit *visit = context;
	const void *at = Z_PTR_P(element->value);
	XHPROF_WALKER_LOAD(walker, zend_property_info, loaded, (uintptr_t)at);
	if (!loaded) {
		walker->result->unreadable++;
		return true;
	}
	zend_property_info info = *loaded;
	xhprof_label label = XHPROF_PART("property");
	bool own = (uintptr_t)info.ce == visit->address;
	xhprof_walker_refer(walker, own ? label : inherited(label), XHPROF_VISIT_PROPERTY_INFO, at, 0);
	xhprof_walker_name(walker, "key", (const void *)(uintptr_t)element->key);
	if (!(info.flags & ZEND_ACC_STATIC) || !visit->statics ||
		(uint64_t)info.offset >= (uint64_t)visit->entry->default_static_members_count) {
		return true;
	}
	XHPROF_WALKER_LOAD(walker, zval, value, visit->statics + (uint64_t)info.offset * sizeof(zval));
	if (value && Z_TYPE_P(value) != IS_INDIRECT) { /* its parent's otherwise */
		zval copy = *value;
		xhprof_text name = xhprof_walker_text(walker, (const void *)(uintptr_t)element->key);
		xhprof_walker_zval(walker, XHPROF_NAMED(xhprof_walker_join(walker, XHPROF_TEXT(""), "::$", name)), &copy);
	}
	return true;
}

static bool refer_class_constant(xhprof_walker *walker, const xhprof_element *element, void *context)
{
	const class_visit *visit = context;
	const void *at = Z_PTR_P(element->value);
	XHPROF_WALKER_LOAD(walker, zend_class_constant, constant, (uintptr_t)at);
	if (!constant) {
		walker->result->unreadable++;
		return true;
	}
	bool own = (uintptr_t)constant->ce == visit->address;
	xhprof_text key = xhprof_walker_text(walker, (const void *)(uintptr_t)element->key);
	xhprof_label label = XHPROF_NAMED(xhprof_walker_join(walker, XHPROF_TEXT(""), "::", key));
	xhprof_walker_refer(walker, own ? label : inherited(label), XHPROF_VISIT_CLASS_CONSTANT, at, element->key);
	xhprof_walker_name(walker, "key", (const void *)(uintptr_t)element->key);
	return true;
}

/* Values that objects or the class begin with. */
static void refer_defaults(xhprof_walker *walker, const char *part, uint64_t at, int count,
						   const xhprof_walker_class *names)
{
	if (!at || count <= 0 || !plausible(walker, (uint64_t)count)) {
		return;
	}
	xhprof_walker_part(walker, XHPROF_HEAP_CLASS_PART, part, at, (uint64_t)count * sizeof(zval));
	for (int i = 0; i < count; i++) {
		XHPROF_WALKER_LOAD(walker, zval, value, at + (uint64_t)i * sizeof(zval));
		if (!value) {
			return;
		}
		if (Z_TYPE_P(value) < IS_STRING || Z_TYPE_P(value) == IS_INDIRECT) {
			continue;
		}
		zval copy = *value;
		xhprof_text name = {NULL, 0};
		if (names && names->properties && (uint32_t)i < names->property_count) {
			name = names->properties[i];
		}
		xhprof_label label = name.bytes ? part_of(xhprof_walker_join(walker, XHPROF_TEXT("default of $"), "", name))
										: XHPROF_PART("default");
		refer_constant(walker, "default", label, &copy);
	}
}

static void refer_classes(xhprof_walker *walker, const char *part, uint64_t at, uint64_t count)
{
	if (!at || !count || !plausible(walker, count)) {
		return;
	}
	xhprof_walker_part(walker, XHPROF_HEAP_CLASS_PART, part, at, count * sizeof(void *));
	for (uint64_t i = 0; i < count; i++) {
		XHPROF_WALKER_LOAD(walker, uint64_t, class_entry, at + i * sizeof(void *));
		if (!class_entry) {
			return;
		}
		xhprof_walker_refer(walker, XHPROF_PART("interface"), XHPROF_VISIT_CLASS, (const void *)(uintptr_t)*class_entry,
							0);
	}
}

static void refer_class_names(xhprof_walker *walker, const char *part, uint64_t at, uint64_t count)
{
	if (!at || !count || !plausible(walker, count)) {
		return;
	}
	xhprof_walker_part(walker, XHPROF_HEAP_CLASS_PART, part, at, count * sizeof(zend_class_name));
	for (uint64_t i = 0; i < count; i++) {
		XHPROF_WALKER_LOAD(walker, zend_class_name, name, at + i * sizeof(zend_class_name));
		if (!name) {
			return;
		}
		zend_class_name copy = *name;
		xhprof_walker_name(walker, "name", copy.name);
		xhprof_walker_name(walker, "name", copy.lc_name);
	}
}

static void refer_aliases(xhprof_walker *walker, uint64_t at)
{
	/* Both lists end with a NULL. */
	for (uint64_t i = 0; at && i < MOST; i++) {
		uint64_t one = xhprof_walker_pointer(walker, at + i * sizeof(void *));
		XHPROF_WALKER_LOAD(walker, zend_trait_alias, alias, one);
		if (!one || !alias) {
			xhprof_walker_part(walker, XHPROF_HEAP_CLASS_PART, "trait aliases", at, (i + 1) * sizeof(void *));
			return;
		}
		zend_trait_alias copy = *alias;
		xhprof_walker_part(walker, XHPROF_HEAP_CLASS_PART, "trait alias", one, sizeof(copy));
		xhprof_walker_name(walker, "name", copy.trait_method.method_name);
		xhprof_walker_name(walker, "name", copy.trait_method.class_name);
		xhprof_walker_name(walker, "name", copy.alias);
	}
}

static void refer_precedences(xhprof_walker *walker, uint64_t at)
{
	for (uint64_t i = 0; at && i < MOST; i++) {
		uint64_t one = xhprof_walker_pointer(walker, at + i * sizeof(void *));
		XHPROF_WALKER_LOAD(walker, zend_trait_precedence, precedence, one);
		if (!one || !precedence || !plausible(walker, precedence->num_excludes)) {
			xhprof_walker_part(walker, XHPROF_HEAP_CLASS_PART, "trait precedences", at, (i + 1) * sizeof(void *));
			return;
		}
		zend_trait_precedence copy = *precedence;
		uint64_t excluded = one + XtOffsetOf(zend_trait_precedence, exclude_class_names);
		uint64_t size = sizeof(copy) + ((uint64_t)copy.num_excludes - 1) * sizeof(void *);
		xhprof_walker_part(walker, XHPROF_HEAP_CLASS_PART, "trait precedence", one,
						   copy.num_excludes ? size : sizeof(copy));
		xhprof_walker_name(walker, "name", copy.trait_method.method_name);
		xhprof_walker_name(walker, "name", copy.trait_method.class_name);
		for (uint32_t k = 0; k < copy.num_excludes; k++) {
			uint64_t name = xhprof_walker_pointer(walker, excluded + k * sizeof(void *));
			if (!name) {
				break;
			}
			xhprof_walker_name(walker, "name", (const void *)(uintptr_t)name);
		}
	}
}

static void refer_relatives(xhprof_walker *walker, const zend_class_entry *entry)
{
	bool internal = entry->type == ZEND_INTERNAL_CLASS;
	if (internal || entry->ce_flags & (ZEND_ACC_LINKED | ZEND_ACC_RESOLVED_PARENT)) {
		xhprof_walker_refer(walker, XHPROF_PART("parent"), XHPROF_VISIT_CLASS, entry->parent, 0);
	} else {
		xhprof_walker_name(walker, "parent's name", entry->parent_name);
	}
	if (internal || entry->ce_flags & ZEND_ACC_RESOLVED_INTERFACES) {
		refer_classes(walker, "interfaces", (uintptr_t)entry->interfaces, entry->num_interfaces);
	} else {
		refer_class_names(walker, "interfaces", (uintptr_t)entry->interface_names, entry->num_interfaces);
	}
	if (!internal && entry->num_traits) {
		refer_class_names(walker, "traits", (uintptr_t)entry->trait_names, entry->num_traits);
		refer_aliases(walker, (uintptr_t)entry->trait_aliases);
		refer_precedences(walker, (uintptr_t)entry->trait_precedences);
	}
	XHPROF_WALKER_LOAD(walker, zend_inheritance_cache_entry, cache, (uintptr_t)entry->inheritance_cache);
	if (entry->inheritance_cache && cache) {
		xhprof_walker_part(walker, XHPROF_HEAP_CLASS_PART, "inheritance cache", (uintptr_t)entry->inheritance_cache,
						   sizeof(*cache));
	}
}

/* What this request alone knows of a class that others use too. */
static void refer_own_data(xhprof_walker *walker, class_visit *visit, const xhprof_walker_class *names)
{
	uint64_t at = xhprof_walker_map_ptr(walker, ZEND_MAP_PTR(visit->entry->mutable_data));
	XHPROF_WALKER_LOAD(walker, zend_class_mutable_data, loaded, at);
	if (!at || !loaded) {
		return;
	}
	zend_class_mutable_data data = *loaded;
	xhprof_walker_part(walker, XHPROF_HEAP_CLASS_PART, "request's data", at, sizeof(data));
	refer_defaults(walker, "request's default properties", (uintptr_t)data.default_properties_table,
				   visit->entry->default_properties_count, names);
	xhprof_walker_refer(walker, XHPROF_PART("enum table"), XHPROF_VISIT_ARRAY, data.backed_enum_table, 0);
	XHPROF_WALKER_LOAD(walker, HashTable, constants, (uintptr_t)data.constants_table);
	if (data.constants_table && constants) {
		HashTable table = *constants;
		xhprof_walker_part(walker, XHPROF_HEAP_CLASS_PART, "request's constants", (uintptr_t)data.constants_table,
						   sizeof(table));
		xhprof_walker_table_part(walker, &table, XHPROF_HEAP_CLASS_PART, "request's constants' table");
		xhprof_walker_elements(walker, &table, refer_class_constant, visit);
	}
}

static void refer_members(xhprof_walker *walker, class_visit *visit)
{
	const zend_class_entry *entry = visit->entry;
	const xhprof_walker_class *names = xhprof_walker_class_at(walker, visit->address);

	xhprof_walker_table_part(walker, &entry->function_table, XHPROF_HEAP_CLASS_PART, "methods");
	xhprof_walker_elements(walker, &entry->function_table, refer_method, visit);
	xhprof_walker_table_part(walker, &entry->constants_table, XHPROF_HEAP_CLASS_PART, "constants");
	xhprof_walker_elements(walker, &entry->constants_table, refer_class_constant, visit);

	int statics = entry->default_static_members_count;
	visit->statics = xhprof_walker_map_ptr(walker, ZEND_MAP_PTR(entry->static_members_table));
	refer_defaults(walker, "default properties", (uintptr_t)entry->default_properties_table,
				   entry->default_properties_count, names);
	if (visit->statics != (uintptr_t)entry->default_static_members_table) {
		refer_defaults(walker, "default static members", (uintptr_t)entry->default_static_members_table, statics, NULL);
	}
	if (visit->statics && statics > 0 && plausible(walker, (uint64_t)statics)) {
		xhprof_walker_part(walker, XHPROF_HEAP_CLASS_PART, "static members", visit->statics,
						   (uint64_t)statics * sizeof(zval));
	}
	xhprof_walker_table_part(walker, &entry->properties_info, XHPROF_HEAP_CLASS_PART, "properties");
	xhprof_walker_elements(walker, &entry->properties_info, refer_property, visit);
	if (entry->properties_info_table && entry->default_properties_count > 0 &&
		plausible(walker, (uint64_t)entry->default_properties_count)) {
		xhprof_walker_part(walker, XHPROF_HEAP_CLASS_PART, "properties by slot",
						   (uintptr_t)entry->properties_info_table,
						   (uint64_t)entry->default_properties_count * sizeof(void *));
	}
	xhprof_walker_refer(walker, XHPROF_PART("enum table"), XHPROF_VISIT_ARRAY, entry->backed_enum_table, 0);
	refer_own_data(walker, visit, names);
}

void xhprof_walk_class(xhprof_walker *walker, const xhprof_item *item)
{
	XHPROF_WALKER_LOAD(walker, zend_class_entry, loaded, item->address);
	if (!loaded || (loaded->type != ZEND_USER_CLASS && loaded->type != ZEND_INTERNAL_CLASS)) {
		walker->result->unreadable++;
		return;
	}
	zend_class_entry entry = *loaded;
	bool user = entry.type == ZEND_USER_CLASS;
	xhprof_text name = xhprof_walker_text(walker, entry.name);
	xhprof_text file = user ? xhprof_walker_text(walker, entry.info.user.filename) : (xhprof_text){NULL, 0};
	xhprof_heap_node node = {
		.address = item->address,
		.type = XHPROF_HEAP_CLASS,
		.size = sizeof(zend_class_entry),
		.name = name.bytes,
		.name_length = name.length,
		.line = user ? entry.info.user.line_start : 0,
		.file = file.bytes,
		.file_length = file.length,
	};
	xhprof_walker_node(walker, &node, item->address);
	xhprof_walker_name(walker, "name", entry.name);
	if (user) {
		xhprof_walker_name(walker, "file", entry.info.user.filename);
	}
	xhprof_walker_name(walker, "doc comment", xhprof_layout_class_comment(&entry));
	xhprof_walker_refer(walker, XHPROF_PART("attributes"), XHPROF_VISIT_ATTRIBUTES, entry.attributes, 0);
	refer_relatives(walker, &entry);
	class_visit visit = {.address = item->address, .entry = &entry};
	refer_members(walker, &visit);
}
