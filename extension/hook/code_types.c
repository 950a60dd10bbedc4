#include "code_types.h"

#include "zend_arena.h"
#include "zend_closures.h"

typedef struct code_walk {
	void (*found)(void *context, const void *block, uint16_t type);
	void *context;
	uint16_t type; /* of compiled code */
} code_walk;

static void tell(const code_walk *walk, const void *block)
{
	if (block) {
		walk->found(walk->context, block, walk->type);
	}
}

static void tell_comment(const code_walk *walk, const zend_string *comment)
{
	if (comment) {
		walk->found(walk->context, comment, XHPROF_TYPE_STRING);
	}
}

static void tell_slots(const code_walk *walk, const HashTable *table)
{
	if (!(HT_FLAGS(table) & HASH_FLAG_UNINITIALIZED)) {
		tell(walk, HT_GET_DATA_ADDR(table));
	}
}

static void tell_attributes(const code_walk *walk, HashTable *attributes)
{
	void *attribute;
	if (!attributes) {
		return;
	}
	tell(walk, attributes);
	tell_slots(walk, attributes);
	ZEND_HASH_PACKED_FOREACH_PTR(attributes, attribute)
	{
		tell(walk, attribute);
	}
	ZEND_HASH_FOREACH_END();
}

/* Expressions that wait to be computed, among the values in code and classes. */
static void tell_expressions(const code_walk *walk, const zval *values, int count)
{
	for (int i = 0; values && i < count; i++) {
		if (Z_TYPE(values[i]) == IS_CONSTANT_AST) {
			tell(walk, Z_AST(values[i]));
		}
	}
}

static void tell_code(const code_walk *walk, const zend_op_array *code)
{
	const zend_arg_info *arguments = code->arg_info;
	if (!(code->fn_flags & ZEND_ACC_DONE_PASS_TWO)) {
		return; /* still being compiled */
	}
	tell(walk, code->opcodes); /* and the constants behind them */
	tell(walk, code->refcount);
	tell(walk, code->vars);
	tell(walk, arguments && code->fn_flags & ZEND_ACC_HAS_RETURN_TYPE ? arguments - 1 : arguments);
	tell(walk, code->live_range);
	tell(walk, code->try_catch_array);
	tell(walk, code->dynamic_func_defs);
	tell_comment(walk, code->doc_comment);
	tell_attributes(walk, code->attributes);
	tell_expressions(walk, code->literals, code->last_literal);
	if (code->fn_flags & ZEND_ACC_HEAP_RT_CACHE && ZEND_MAP_PTR(code->run_time_cache)) {
		tell(walk, ZEND_MAP_PTR_GET(code->run_time_cache));
	}
	for (uint32_t i = 0; i < code->num_dynamic_func_defs; i++) {
		tell_code(walk, code->dynamic_func_defs[i]);
	}
}

static void tell_function(zend_function *function, void *walk)
{
	if (function->type == ZEND_USER_FUNCTION) {
		tell_code(walk, &function->op_array);
	}
}

static void tell_functions(code_walk *walk, HashTable *functions)
{
	zend_function *function;
	ZEND_HASH_MAP_FOREACH_PTR(functions, function) {
		tell_function(function, walk);
	}
	ZEND_HASH_FOREACH_END();
}

static void tell_class(code_walk *walk, zend_class_entry *class_entry)
{
	const zend_property_info *property;
	const zend_class_constant *constant;
	if (class_entry->type != ZEND_USER_CLASS || !(class_entry->ce_flags & ZEND_ACC_LINKED)) {
		return;
	}
	tell_slots(walk, &class_entry->function_table);
	tell_slots(walk, &class_entry->properties_info);
	tell_slots(walk, &class_entry->constants_table);
	tell(walk, class_entry->default_properties_table);
	tell(walk, class_entry->default_static_members_table);
	tell_expressions(walk, class_entry->default_properties_table, class_entry->default_properties_count);
	tell(walk, class_entry->interfaces);
	tell(walk, class_entry->trait_names);
	tell_comment(walk, xhprof_compat_class_comment(class_entry));
	tell_attributes(walk, class_entry->attributes);
	ZEND_HASH_MAP_FOREACH_PTR(&class_entry->properties_info, property) {
		tell_comment(walk, property->doc_comment);
		tell_attributes(walk, property->attributes);
	}
	ZEND_HASH_FOREACH_END();
	ZEND_HASH_MAP_FOREACH_PTR(&class_entry->constants_table, constant) {
		tell_comment(walk, constant->doc_comment);
		tell_expressions(walk, &constant->value, 1);
	}
	ZEND_HASH_FOREACH_END();
	xhprof_compat_each_property_hook(class_entry, tell_function, walk);
	tell_functions(walk, &class_entry->function_table);
}

static void tell_closures(code_walk *walk)
{
	const zend_objects_store *store = &EG(objects_store);
	for (uint32_t i = 1; i < store->top; i++) {
		zend_object *object = store->object_buckets[i];
		if (IS_OBJ_VALID(object) && object->ce == zend_ce_closure) {
			tell_function((zend_function *)zend_get_closure_method_def(object), walk);
		}
	}
}

void xhprof_code_types_walk(xhprof_alloc_types *types, void (*found)(void *context, const void *block, uint16_t type),
							void *context)
{
	code_walk walk = {found, context, xhprof_alloc_types_other(types, "compiled code")};
	zval *entry;
	for (const zend_arena *arena = CG(arena); arena; arena = arena->prev) {
		tell(&walk, arena);
	}
	for (const zend_execute_data *call = EG(current_execute_data); call; call = call->prev_execute_data) {
		if (call->func) {
			tell_function(call->func, &walk); /* files' own code too */
		}
	}
	tell_functions(&walk, EG(function_table));
	ZEND_HASH_MAP_FOREACH_VAL(EG(class_table), entry)
	{
		if (Z_TYPE_P(entry) == IS_PTR) { /* no alias */
			tell_class(&walk, Z_PTR_P(entry));
		}
	}
	ZEND_HASH_FOREACH_END();
	tell_closures(&walk);
}
