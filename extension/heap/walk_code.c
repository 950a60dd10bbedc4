/* Functions. Their headers mostly lie in the compiler's arena or in opcache's memory: those nodes have no block of their own. */
#include "walk_code.h"
#include "walk_parts.h"

#include "compat/code_layout.h"

/* The most types within types: unions of intersections, and not more. */
#define TYPE_DEPTH 3

bool xhprof_walk_code_plausible(xhprof_walker *walker, uint64_t count)
{
	if (count <= XHPROF_WALK_CODE_MAX) {
		return true;
	}
	walker->result->unreadable++;
	return false;
}

void xhprof_walk_code_constant(xhprof_walker *walker, const char *part, xhprof_edge_label label, const zval *value)
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

static void refer_types(xhprof_walker *walker, const zend_type *type, unsigned depth)
{
	if (ZEND_TYPE_HAS_LIST(*type) && depth) {
		xhprof_addr list = (xhprof_addr)ZEND_TYPE_LIST(*type);
		XHPROF_WALKER_LOAD(walker, zend_type_list, head, list);
		if (!head || !xhprof_walk_code_plausible(walker, head->num_types)) {
			return;
		}
		uint32_t count = head->num_types;
		uint64_t types = list + offsetof(zend_type_list, types);
		xhprof_walker_part(walker, XHPROF_HEAP_FUNCTION_PART, "types", list, ZEND_TYPE_LIST_SIZE((uint64_t)count));
		for (uint32_t i = 0; i < count && xhprof_walker_may_continue(walker); i++) {
			XHPROF_WALKER_LOAD(walker, zend_type, one, types + i * sizeof(zend_type));
			if (!one) {
				return;
			}
			refer_types(walker, one, depth - 1);
		}
	} else if (ZEND_TYPE_HAS_NAME(*type)) {
		xhprof_walker_name(walker, "type", ZEND_TYPE_NAME(*type));
	}
}

void xhprof_walk_code_type(xhprof_walker *walker, const zend_type *type)
{
	refer_types(walker, type, TYPE_DEPTH);
}

static void refer_arguments(xhprof_walker *walker, const zend_op_array *code)
{
	if (!code->arg_info || !xhprof_walk_code_plausible(walker, code->num_args)) {
		return;
	}
	xhprof_addr first = (xhprof_addr)code->arg_info, count = code->num_args;
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
		/* The return type's entry has no name. Defaults are in the opcodes: their field here is never written. */
		if (i || !(code->fn_flags & ZEND_ACC_HAS_RETURN_TYPE)) {
			xhprof_walker_name(walker, "argument", info->name);
			xhprof_walker_name(walker, "doc comment", xhprof_layout_argument_comment(info));
		}
		xhprof_walk_code_type(walker, &info->type);
	}
}

static void refer_variables(xhprof_walker *walker, const zend_op_array *code)
{
	if (!code->vars || code->last_var <= 0 || !xhprof_walk_code_plausible(walker, (uint64_t)code->last_var)) {
		return;
	}
	xhprof_addr at = (xhprof_addr)code->vars;
	xhprof_walker_part(walker, XHPROF_HEAP_FUNCTION_PART, "variables", at, (uint64_t)code->last_var * sizeof(void *));
	for (int i = 0; i < code->last_var; i++) {
		XHPROF_WALKER_LOAD(walker, uint64_t, name, at + (uint64_t)i * sizeof(void *));
		if (!name) {
			return;
		}
		xhprof_walker_name(walker, "variable", *name);
	}
}

static void refer_opcodes(xhprof_walker *walker, const zend_op_array *code)
{
	xhprof_addr opcodes = (xhprof_addr)code->opcodes, literals = (xhprof_addr)code->literals;
	if (!xhprof_walk_code_plausible(walker, code->last) ||
		!xhprof_walk_code_plausible(walker, (uint32_t)code->last_literal)) {
		return;
	}
	uint64_t size = (uint64_t)code->last * sizeof(zend_op);
	uint64_t literals_size = (uint64_t)(uint32_t)code->last_literal * sizeof(zval);
	/* They are separate while a function is being compiled. */
	bool behind = literals == opcodes + ZEND_MM_ALIGNED_SIZE_EX(size, 16);
	if (opcodes) {
		xhprof_walker_part(walker, XHPROF_HEAP_OPCODES, "opcodes", opcodes,
						   behind ? ZEND_MM_ALIGNED_SIZE_EX(size, 16) + literals_size : size);
	}
	if (literals && literals_size && !behind) {
		xhprof_walker_part(walker, XHPROF_HEAP_FUNCTION_PART, "literals", literals, literals_size);
	}
	for (uint32_t i = 0; literals && i < (uint32_t)code->last_literal; i++) {
		XHPROF_WALKER_LOAD(walker, zval, value, literals + (uint64_t)i * sizeof(zval));
		if (!value) {
			return;
		}
		if (Z_TYPE_P(value) >= IS_STRING) {
			xhprof_walk_code_constant(walker, "literal", XHPROF_PART("literal"), value);
		}
	}
}

static void refer_declared(xhprof_walker *walker, const zend_op_array *code)
{
	xhprof_addr at = (xhprof_addr)code->dynamic_func_defs, count = code->num_dynamic_func_defs;
	if (!at || !count || !xhprof_walk_code_plausible(walker, count)) {
		return;
	}
	xhprof_walker_part(walker, XHPROF_HEAP_FUNCTION_PART, "declared functions", at, count * sizeof(void *));
	for (uint64_t i = 0; i < count; i++) {
		XHPROF_WALKER_LOAD(walker, uint64_t, function, at + i * sizeof(void *));
		if (!function) {
			return;
		}
		xhprof_walker_refer(walker, XHPROF_PART("declared function"), XHPROF_VISIT_FUNCTION, *function, 0);
	}
}

static void refer_user_function(xhprof_walker *walker, const zend_op_array *code, bool in_closure)
{
	xhprof_walker_name(walker, "file", code->filename);
	refer_opcodes(walker, code);
	refer_variables(walker, code);
	refer_arguments(walker, code);
	if (code->refcount) {
		xhprof_walker_part(walker, XHPROF_HEAP_FUNCTION_PART, "refcount", code->refcount, sizeof(uint32_t));
	}
	if (code->live_range && code->last_live_range > 0) {
		xhprof_walker_part(walker, XHPROF_HEAP_FUNCTION_PART, "live ranges", code->live_range,
						   (uint64_t)code->last_live_range * sizeof(zend_live_range));
	}
	if (code->try_catch_array && code->last_try_catch > 0) {
		xhprof_walker_part(walker, XHPROF_HEAP_FUNCTION_PART, "try/catch", code->try_catch_array,
						   (uint64_t)code->last_try_catch * sizeof(zend_try_catch_element));
	}
	refer_declared(walker, code);

	uint64_t statics = xhprof_walker_map_ptr(walker, ZEND_MAP_PTR(code->static_variables_ptr));
	if (statics) {
		xhprof_walker_refer(walker, XHPROF_PART("static variables"), XHPROF_VISIT_ARRAY, statics, 0);
	}
	bool borrowed = in_closure && XHPROF_LAYOUT_CLOSURE_BORROWS_STATICS;
	if (code->static_variables && (xhprof_addr)code->static_variables != statics && !borrowed) {
		xhprof_walker_refer(walker, XHPROF_PART("static variables at first"), XHPROF_VISIT_ARRAY,
							code->static_variables, 0);
	}
	uint64_t cache = xhprof_walker_map_ptr(walker, ZEND_MAP_PTR(code->run_time_cache));
	/* A cache of 0 bytes is a block, too. */
	if (cache && (code->cache_size > 0 || (code->fn_flags & ZEND_ACC_HEAP_RT_CACHE && code->cache_size == 0))) {
		xhprof_walker_part(walker, XHPROF_HEAP_RUNTIME_CACHE, "runtime cache", cache, (uint64_t)code->cache_size);
	}
}

void xhprof_walk_function_parts(xhprof_walker *walker, const zend_function *function, bool in_closure)
{
	const zend_internal_function *head = &function->internal_function;
	xhprof_walker_name(walker, "name", head->function_name);
	xhprof_walker_refer(walker, XHPROF_WEAK(XHPROF_TEXT("class")), XHPROF_VISIT_CLASS, head->scope, 0);
	xhprof_walker_refer(walker, XHPROF_PART("attributes"), XHPROF_VISIT_ATTRIBUTES, head->attributes, 0);
	xhprof_walker_name(walker, "doc comment", xhprof_layout_function_comment(function));
	if (ZEND_USER_CODE(function->type)) {
		refer_user_function(walker, &function->op_array, in_closure);
	}
}

void xhprof_walk_function(xhprof_walker *walker, const xhprof_item *item)
{
	zend_function copy;
	const zend_function *function = xhprof_walker_load_function(walker, (xhprof_addr)item->address, &copy);
	if (!function) {
		walker->result->unreadable++;
		return;
	}
	xhprof_text name = xhprof_walker_function_name(walker, function);
	xhprof_heap_node node = {
		.address = item->address,
		.type = XHPROF_HEAP_FUNCTION,
		.size = sizeof(zend_internal_function),
		.name = name.bytes,
		.name_length = name.length,
	};
	if (ZEND_USER_CODE(function->type)) {
		xhprof_text file = xhprof_walker_text(walker, function->op_array.filename);
		node.size = sizeof(zend_op_array);
		node.line = function->op_array.line_start;
		node.file = file.bytes;
		node.file_length = file.length;
	}
	xhprof_walker_node(walker, &node, item->address);
	xhprof_walk_function_parts(walker, function, false);
}
