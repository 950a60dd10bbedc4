/* Classes. References to inherited parts (a parent's methods, for one) are weak, so that they count as the declaring
 * class's. */
#include "walk_code.h"
#include "walk_parts.h"

#include "zend_attributes.h"
#include "zend_constants.h"

#include "compat/code_layout.h"

static xhprof_edge_label part_of(xhprof_text name)
{
	return (xhprof_edge_label){XHPROF_EDGE_PART, 0, name};
}

static xhprof_edge_label as_weak(xhprof_edge_label label)
{
	label.kind = XHPROF_EDGE_WEAK;
	return label;
}

/* ---- Attributes, constants ---------------------------------------------------------------------------------------------- */

static bool refer_attribute(xhprof_walker *walker, const xhprof_element *element, void *context)
{
	xhprof_addr at = (xhprof_addr)Z_PTR_P(element->value);
	XHPROF_WALKER_LOAD(walker, zend_attribute, attribute, at);
	if (!attribute || !xhprof_walk_code_plausible(walker, attribute->argc)) {
		return false;
	}
	xhprof_walker_part(walker, XHPROF_HEAP_CLASS_PART, "attribute", at, ZEND_ATTRIBUTE_SIZE((uint64_t)attribute->argc));
	xhprof_walker_name(walker, "name", attribute->name);
	xhprof_walker_name(walker, "name", attribute->lcname);
	for (uint32_t i = 0; i < attribute->argc; i++) {
		uint64_t argument = at + offsetof(zend_attribute, args) + i * sizeof(zend_attribute_arg);
		XHPROF_WALKER_LOAD(walker, zend_attribute_arg, arg, argument);
		if (!arg) {
			return false;
		}
		xhprof_walker_name(walker, "argument", arg->name);
		xhprof_walk_code_constant(walker, "argument", XHPROF_PART("argument"), &arg->value);
	}
	return true;
}

void xhprof_walk_attributes(xhprof_walker *walker, const xhprof_item *item)
{
	XHPROF_WALKER_LOAD_OR(return, walker, HashTable, table, item->address);
	xhprof_walker_plain_node(walker, item->address, XHPROF_HEAP_CLASS_PART, sizeof(*table), XHPROF_TEXT("attributes"));
	xhprof_walker_table_part(walker, table, XHPROF_HEAP_CLASS_PART, "table");
	xhprof_walker_elements(walker, table, refer_attribute, NULL);
}

void xhprof_walk_constant(xhprof_walker *walker, const xhprof_item *item)
{
	XHPROF_WALKER_LOAD_OR(return, walker, zend_constant, constant, item->address);
	xhprof_walker_plain_node(walker, item->address, XHPROF_HEAP_CONSTANT, sizeof(*constant),
							 xhprof_walker_text(walker, constant->name));
	xhprof_walker_name(walker, "name", constant->name);
	xhprof_walker_zval(walker, XHPROF_NAMED(XHPROF_TEXT("value")), &constant->value);
}

/* Visits a class constant. `extra`: address of its name. */
void xhprof_walk_class_constant(xhprof_walker *walker, const xhprof_item *item)
{
	XHPROF_WALKER_LOAD_OR(return, walker, zend_class_constant, constant, item->address);
	xhprof_text scope = xhprof_walker_class_at(walker, constant->ce)->name; /* first: it may use up all texts */
	xhprof_text name = xhprof_walker_join(walker, scope, "::", xhprof_walker_text(walker, (xhprof_addr)item->extra));
	xhprof_walker_plain_node(walker, item->address, XHPROF_HEAP_CONSTANT, sizeof(*constant), name);
	xhprof_walker_name(walker, "doc comment", constant->doc_comment);
	xhprof_walker_refer(walker, XHPROF_PART("attributes"), XHPROF_VISIT_ATTRIBUTES, constant->attributes, 0);
	const zend_type *type = xhprof_layout_constant_type(constant);
	if (type) {
		xhprof_walk_code_type(walker, type);
	}
	xhprof_walker_zval(walker, XHPROF_NAMED(XHPROF_TEXT("value")), &constant->value);
}

/* ---- Classes ------------------------------------------------------------------------------------------------------------ */

void xhprof_walk_property_info(xhprof_walker *walker, const xhprof_item *item)
{
	static const char *const hook_names[] = {"get hook", "set hook"};
	XHPROF_WALKER_LOAD_OR(return, walker, zend_property_info, info, item->address);
	xhprof_walker_plain_node(walker, item->address, XHPROF_HEAP_CLASS_PART, sizeof(*info), XHPROF_TEXT("property"));
	xhprof_walker_name(walker, "name", info->name);
	xhprof_walker_name(walker, "doc comment", info->doc_comment);
	xhprof_walker_refer(walker, XHPROF_PART("attributes"), XHPROF_VISIT_ATTRIBUTES, info->attributes, 0);
	xhprof_walk_code_type(walker, &info->type);
	xhprof_addr hooks = (xhprof_addr)xhprof_layout_hooks(info);
	if (hooks) {
		xhprof_walker_part(walker, XHPROF_HEAP_CLASS_PART, "hooks", hooks, XHPROF_LAYOUT_HOOKS * sizeof(void *));
	}
	unsigned count = XHPROF_LAYOUT_HOOKS;
	for (unsigned i = 0; hooks && i < count; i++) {
		xhprof_addr hook = xhprof_walker_pointer(walker, hooks + i * sizeof(void *));
		if (hook) {
			xhprof_text name = {hook_names[i & 1], strlen(hook_names[i & 1])};
			xhprof_walker_refer(walker, part_of(name), XHPROF_VISIT_FUNCTION, hook, 0);
		}
	}
}

/* A class whose tables are being visited. */
typedef struct class_visit {
	xhprof_addr address;
	const zend_class_entry *entry;
	uint64_t statics; /* address of the values of this request */
	bool at_first;    /* now visiting the original constants; this request has its own computed ones */
} class_visit;

static bool refer_method(xhprof_walker *walker, const xhprof_element *element, void *context)
{
	const class_visit *visit = context;
	const void *function = Z_PTR_P(element->value);
	XHPROF_WALKER_LOAD_OR(return true, walker, zend_internal_function, head, function);
	bool own = (xhprof_addr)head->scope == visit->address;
	xhprof_text key = xhprof_walker_text(walker, element->key);
	xhprof_edge_label label = XHPROF_NAMED(xhprof_walker_join(walker, key, "()", XHPROF_TEXT("")));
	xhprof_walker_refer(walker, own ? label : as_weak(label), XHPROF_VISIT_FUNCTION, function, 0);
	xhprof_walker_name(walker, "key", element->key);
	return true;
}

static bool refer_property(xhprof_walker *walker, const xhprof_element *element, void *context)
{
	const class_visit *visit = context;
	const void *at = Z_PTR_P(element->value);
	XHPROF_WALKER_LOAD_OR(return true, walker, zend_property_info, info, at);
	xhprof_edge_label label = XHPROF_PART("property");
	bool own = (xhprof_addr)info->ce == visit->address;
	xhprof_walker_refer(walker, own ? label : as_weak(label), XHPROF_VISIT_PROPERTY_INFO, at, 0);
	xhprof_walker_name(walker, "key", element->key);
	if (!(info->flags & ZEND_ACC_STATIC) || !visit->statics ||
		(uint64_t)info->offset >= (uint64_t)visit->entry->default_static_members_count) {
		return true;
	}
	XHPROF_WALKER_LOAD(walker, zval, value, visit->statics + (uint64_t)info->offset * sizeof(zval));
	if (value && Z_TYPE_P(value) != IS_INDIRECT) { /* its parent's otherwise */
		xhprof_text name = xhprof_walker_text(walker, element->key);
		xhprof_walker_zval(walker, XHPROF_NAMED(xhprof_walker_join(walker, XHPROF_TEXT(""), "::$", name)), value);
	}
	return true;
}

static bool refer_class_constant(xhprof_walker *walker, const xhprof_element *element, void *context)
{
	const class_visit *visit = context;
	const void *at = Z_PTR_P(element->value);
	XHPROF_WALKER_LOAD_OR(return true, walker, zend_class_constant, constant, at);
	bool own = (xhprof_addr)constant->ce == visit->address;
	if (visit->at_first) {
		if (own && Z_TYPE(constant->value) == IS_CONSTANT_AST) {
			xhprof_walker_refer(walker, XHPROF_PART("constant at first"), XHPROF_VISIT_CLASS_CONSTANT, at,
								element->key);
		}
		return true;
	}
	xhprof_text key = xhprof_walker_text(walker, element->key);
	xhprof_edge_label label = XHPROF_NAMED(xhprof_walker_join(walker, XHPROF_TEXT(""), "::", key));
	xhprof_walker_refer(walker, own ? label : as_weak(label), XHPROF_VISIT_CLASS_CONSTANT, at, element->key);
	xhprof_walker_name(walker, "key", element->key);
	return true;
}

/* Reports initial values of objects or of the class. */
static void refer_defaults(xhprof_walker *walker, const char *part, uint64_t at, int count,
						   const xhprof_walker_class *names)
{
	if (!at || count <= 0 || !xhprof_walk_code_plausible(walker, (uint64_t)count)) {
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
		xhprof_text name = {NULL, 0};
		if (names && names->properties && (uint32_t)i < names->property_count) {
			name = names->properties[i];
		}
		xhprof_edge_label label = name.bytes
									  ? part_of(xhprof_walker_join(walker, XHPROF_TEXT("default of $"), "", name))
									  : XHPROF_PART("default");
		xhprof_walk_code_constant(walker, "default", label, value);
	}
}

static void refer_classes(xhprof_walker *walker, const char *part, uint64_t at, uint64_t count)
{
	if (!at || !count || !xhprof_walk_code_plausible(walker, count)) {
		return;
	}
	xhprof_walker_part(walker, XHPROF_HEAP_CLASS_PART, part, at, count * sizeof(void *));
	for (uint64_t i = 0; i < count; i++) {
		XHPROF_WALKER_LOAD(walker, uint64_t, class_entry, at + i * sizeof(void *));
		if (!class_entry) {
			return;
		}
		xhprof_walker_refer(walker, XHPROF_PART("interface"), XHPROF_VISIT_CLASS, *class_entry, 0);
	}
}

static void refer_class_names(xhprof_walker *walker, const char *part, uint64_t at, uint64_t count)
{
	if (!at || !count || !xhprof_walk_code_plausible(walker, count)) {
		return;
	}
	xhprof_walker_part(walker, XHPROF_HEAP_CLASS_PART, part, at, count * sizeof(zend_class_name));
	for (uint64_t i = 0; i < count; i++) {
		XHPROF_WALKER_LOAD(walker, zend_class_name, name, at + i * sizeof(zend_class_name));
		if (!name) {
			return;
		}
		xhprof_walker_name(walker, "name", name->name);
		xhprof_walker_name(walker, "name", name->lc_name);
	}
}

static void refer_aliases(xhprof_walker *walker, uint64_t at)
{
	/* Both lists end with a NULL. */
	for (uint64_t i = 0; at && i < XHPROF_WALK_CODE_MAX; i++) {
		xhprof_addr one = xhprof_walker_pointer(walker, at + i * sizeof(void *));
		XHPROF_WALKER_LOAD(walker, zend_trait_alias, alias, one);
		if (!one || !alias) {
			xhprof_walker_part(walker, XHPROF_HEAP_CLASS_PART, "trait aliases", at, (i + 1) * sizeof(void *));
			return;
		}
		xhprof_walker_part(walker, XHPROF_HEAP_CLASS_PART, "trait alias", one, sizeof(*alias));
		xhprof_walker_name(walker, "name", alias->trait_method.method_name);
		xhprof_walker_name(walker, "name", alias->trait_method.class_name);
		xhprof_walker_name(walker, "name", alias->alias);
	}
}

static void refer_precedences(xhprof_walker *walker, uint64_t at)
{
	for (uint64_t i = 0; at && i < XHPROF_WALK_CODE_MAX; i++) {
		xhprof_addr one = xhprof_walker_pointer(walker, at + i * sizeof(void *));
		XHPROF_WALKER_LOAD(walker, zend_trait_precedence, precedence, one);
		if (!one || !precedence || !xhprof_walk_code_plausible(walker, precedence->num_excludes)) {
			xhprof_walker_part(walker, XHPROF_HEAP_CLASS_PART, "trait precedences", at, (i + 1) * sizeof(void *));
			return;
		}
		uint64_t excluded = one + offsetof(zend_trait_precedence, exclude_class_names);
		uint64_t count = precedence->num_excludes;
		xhprof_walker_part(walker, XHPROF_HEAP_CLASS_PART, "trait precedence", one,
						   sizeof(*precedence) + (count ? count - 1 : 0) * sizeof(void *));
		xhprof_walker_name(walker, "name", precedence->trait_method.method_name);
		xhprof_walker_name(walker, "name", precedence->trait_method.class_name);
		for (uint32_t k = 0; k < count; k++) {
			xhprof_addr name = xhprof_walker_pointer(walker, excluded + k * sizeof(void *));
			if (!name) {
				break;
			}
			xhprof_walker_name(walker, "name", name);
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
		refer_classes(walker, "interfaces", (xhprof_addr)entry->interfaces, entry->num_interfaces);
	} else {
		refer_class_names(walker, "interfaces", (xhprof_addr)entry->interface_names, entry->num_interfaces);
	}
	if (!internal && entry->num_traits) {
		refer_class_names(walker, "traits", (xhprof_addr)entry->trait_names, entry->num_traits);
		refer_aliases(walker, (xhprof_addr)entry->trait_aliases);
		refer_precedences(walker, (xhprof_addr)entry->trait_precedences);
	}
	if (entry->ce_flags & ZEND_ACC_CACHED) { /* other classes have not stored it */
		xhprof_walker_part(walker, XHPROF_HEAP_CLASS_PART, "inheritance cache", entry->inheritance_cache,
						   sizeof(zend_inheritance_cache_entry));
	}
}

/* Reports and returns the data that this request keeps of a shared class; all 0 if it keeps no such data. */
static zend_class_mutable_data refer_own_data(xhprof_walker *walker, class_visit *visit,
											  const xhprof_walker_class *names)
{
	zend_class_mutable_data data = {0};
	uint64_t at = xhprof_walker_map_ptr(walker, ZEND_MAP_PTR(visit->entry->mutable_data));
	XHPROF_WALKER_LOAD(walker, zend_class_mutable_data, loaded, at);
	if (!at || !loaded) {
		return data;
	}
	data = *loaded;
	xhprof_walker_part(walker, XHPROF_HEAP_CLASS_PART, "request's data", at, sizeof(data));
	refer_defaults(walker, "request's default properties", (xhprof_addr)data.default_properties_table,
				   visit->entry->default_properties_count, names);
	xhprof_walker_refer(walker, XHPROF_PART("enum table"), XHPROF_VISIT_ARRAY, data.backed_enum_table, 0);
	XHPROF_WALKER_LOAD(walker, HashTable, constants, data.constants_table);
	if (data.constants_table && constants) {
		xhprof_walker_part(walker, XHPROF_HEAP_CLASS_PART, "request's constants", data.constants_table,
						   sizeof(*constants));
		xhprof_walker_table_part(walker, constants, XHPROF_HEAP_CLASS_PART, "request's constants' table");
		xhprof_walker_elements(walker, constants, refer_class_constant, visit);
		visit->at_first = true;
	}
	return data;
}

static void refer_members(xhprof_walker *walker, class_visit *visit)
{
	const zend_class_entry *entry = visit->entry;
	const xhprof_walker_class *names = xhprof_walker_class_at(walker, visit->address);
	zend_class_mutable_data data = refer_own_data(walker, visit, names);

	xhprof_walker_table_part(walker, &entry->function_table, XHPROF_HEAP_CLASS_PART, "methods");
	xhprof_walker_elements(walker, &entry->function_table, refer_method, visit);
	xhprof_walker_table_part(walker, &entry->constants_table, XHPROF_HEAP_CLASS_PART, "constants");
	xhprof_walker_elements(walker, &entry->constants_table, refer_class_constant, visit);

	int statics = entry->default_static_members_count;
	visit->statics = xhprof_walker_map_ptr(walker, ZEND_MAP_PTR(entry->static_members_table));
	refer_defaults(walker, "default properties", (xhprof_addr)entry->default_properties_table,
				   entry->default_properties_count, data.default_properties_table ? NULL : names);
	if (visit->statics != (xhprof_addr)entry->default_static_members_table) {
		refer_defaults(walker, "default static members", (xhprof_addr)entry->default_static_members_table, statics,
					   NULL);
	}
	if (visit->statics && statics > 0 && xhprof_walk_code_plausible(walker, (uint64_t)statics)) {
		xhprof_walker_part(walker, XHPROF_HEAP_CLASS_PART, "static members", visit->statics,
						   (uint64_t)statics * sizeof(zval));
	}
	xhprof_walker_table_part(walker, &entry->properties_info, XHPROF_HEAP_CLASS_PART, "properties");
	xhprof_walker_elements(walker, &entry->properties_info, refer_property, visit);
	if (entry->properties_info_table && entry->default_properties_count > 0 &&
		xhprof_walk_code_plausible(walker, (uint64_t)entry->default_properties_count)) {
		xhprof_walker_part(walker, XHPROF_HEAP_CLASS_PART, "properties by slot", entry->properties_info_table,
						   (uint64_t)entry->default_properties_count * sizeof(void *));
	}
	xhprof_walker_refer(walker, XHPROF_PART("enum table"), XHPROF_VISIT_ARRAY, entry->backed_enum_table, 0);
}

void xhprof_walk_class(xhprof_walker *walker, const xhprof_item *item)
{
	XHPROF_WALKER_LOAD(walker, zend_class_entry, entry, item->address);
	if (!entry || (entry->type != ZEND_USER_CLASS && entry->type != ZEND_INTERNAL_CLASS)) {
		walker->result->unreadable++;
		return;
	}
	bool user = entry->type == ZEND_USER_CLASS;
	xhprof_text name = xhprof_walker_text(walker, entry->name);
	xhprof_text file = user ? xhprof_walker_text(walker, entry->info.user.filename) : (xhprof_text){NULL, 0};
	xhprof_heap_node node = {
		.address = item->address,
		.type = XHPROF_HEAP_CLASS,
		.size = sizeof(zend_class_entry),
		.name = name.bytes,
		.name_length = name.length,
		.line = user ? entry->info.user.line_start : 0,
		.file = file.bytes,
		.file_length = file.length,
	};
	xhprof_walker_node(walker, &node, item->address);
	xhprof_walker_name(walker, "name", entry->name);
	if (user) {
		xhprof_walker_name(walker, "file", entry->info.user.filename);
	}
	xhprof_walker_name(walker, "doc comment", xhprof_layout_class_comment(entry));
	xhprof_walker_refer(walker, XHPROF_PART("attributes"), XHPROF_VISIT_ATTRIBUTES, entry->attributes, 0);
	refer_relatives(walker, entry);
	class_visit visit = {.address = item->address, .entry = entry};
	refer_members(walker, &visit);
}
