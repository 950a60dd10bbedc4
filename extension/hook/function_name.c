#include "function_name.h"

#include "call_label.h"
#include "code_place.h"
#include "compat/property_reads.h"
#include "delegation.h"
#include "known_function.h"
#include "operation.h"

#include <string.h>

const char *xhprof_short_path(const char *path, size_t length)
{
	const char *at = path + length;
	int slashes = 0;
	while (at > path) {
		if (at[-1] == '/' || at[-1] == '\\') {
			if (++slashes == 2) {
				break;
			}
		}
		at--;
	}
	return at;
}

xhprof_symbol_ref xhprof_file_symbol(xhprof_symbols *symbols, const char *prefix, const char *path, size_t length,
									 uint32_t flags)
{
	const char *shortened = xhprof_short_path(path, length);
	return xhprof_symbols_join(symbols, prefix, strlen(prefix), "", shortened, (size_t)(path + length - shortened), 0,
							   flags);
}

xhprof_symbol_ref xhprof_compiled_symbol(xhprof_symbols *symbols, const xhprof_compiled *what, uint32_t flags)
{
	xhprof_symbol_ref symbol =
		what->shorten
			? xhprof_file_symbol(symbols, what->prefix, what->path, what->length, flags)
			: xhprof_symbols_join(symbols, what->prefix, strlen(what->prefix), "", what->path, what->length, 0, flags);
	xhprof_place_file(symbols, symbol, what->path, what->length);
	return symbol;
}

static uint64_t hash_word(uint64_t hash, uint64_t word)
{
	return xhprof_hash_mix(hash ^ word);
}

static uint64_t hash_string(uint64_t hash, const zend_string *string)
{
	return xhprof_hash_bytes(ZSTR_VAL(string), ZSTR_LEN(string), hash);
}

static uint64_t hash_literal(const zval *literal, uint64_t hash)
{
	uint32_t type = Z_TYPE_P(literal);
	hash = hash_word(hash, type);
	if (type == IS_STRING) {
		return hash_string(hash, Z_STR_P(literal));
	}
	if (type == IS_LONG || type == IS_DOUBLE) {
		uint64_t bits;
		memcpy(&bits, &literal->value, sizeof(bits));
		return hash_word(hash, bits);
	}
	if (type == IS_ARRAY) {
		zend_ulong index;
		zend_string *key;
		zval *element;
		ZEND_HASH_FOREACH_KEY_VAL(Z_ARRVAL_P(literal), index, key, element) {
			hash = key ? hash_string(hash, key) : hash_word(hash, index);
			hash = hash_literal(element, hash);
		}
		ZEND_HASH_FOREACH_END();
	}
	return hash;
}

static uint64_t hash_operand(uint8_t type, znode_op operand)
{
	return type & (IS_CV | IS_VAR | IS_TMP_VAR) ? operand.var : 0;
}

/* Hashes the code of a closure. Two closures on one line are different functions; copies of one closure, made at every
 * evaluation, are not. Their code distinguishes them in all copies, and between two compilations of a file. Two with
 * identical code are one. */
static uint64_t closure_identity(const zend_op_array *code)
{
	uint64_t hash = hash_word(code->line_end, code->last);
	for (uint32_t i = 0; i < code->last; i++) {
		const zend_op *op = &code->opcodes[i];
		uint32_t shape =
			(uint32_t)op->opcode << 24 | (uint32_t)op->op1_type << 16 | (uint32_t)op->op2_type << 8 | op->result_type;
		hash = hash_word(hash, (uint64_t)op->extended_value << 32 | shape);
		hash = hash_word(hash, hash_operand(op->op1_type, op->op1) << 32 | hash_operand(op->op2_type, op->op2));
	}
	for (uint32_t i = 0; i < (uint32_t)code->last_literal; i++) {
		hash = hash_literal(&code->literals[i], hash);
	}
	for (uint32_t i = 0; code->arg_info && i < code->num_args; i++) {
		hash = hash_word(hash, ZEND_TYPE_FULL_MASK(code->arg_info[i].type));
		if (ZEND_TYPE_HAS_NAME(code->arg_info[i].type)) {
			hash = hash_string(hash, ZEND_TYPE_NAME(code->arg_info[i].type));
		}
	}
	return hash ? hash : 1;
}

/* Puts the name of a closure at `name`, at most `room` bytes: "{closure:dir/file.php:12}". A longer path is cut at its
 * front. */
static size_t closure_name(const zend_op_array *code, char *name, size_t room)
{
	const char *path = ZSTR_VAL(code->filename);
	const char *shortened = xhprof_short_path(path, ZSTR_LEN(code->filename));
	size_t length = (size_t)(path + ZSTR_LEN(code->filename) - shortened);
	size_t max = room - sizeof("{closure::4294967295}");
	if (length > max) {
		shortened += length - max;
		length = max;
	}
	memcpy(name, "{closure:", 9);
	memcpy(name + 9, shortened, length);
	int tail = snprintf(name + 9 + length, room - 9 - length, ":%u}", code->line_start);
	return 9 + length + (size_t)tail;
}

/* Returns whether this is the callback that takes the place of a program's (request/worker_callback.h), which has not
 * called it. */
static bool is_our_callback(const zend_function *function)
{
	return function->internal_function.module == &xhprof_module_entry && function->common.scope &&
		   zend_string_equals_literal(function->common.function_name, "__invoke");
}

static uint32_t function_flags(const zend_function *function)
{
	bool examined = function->common.fn_flags & ZEND_ACC_GENERATOR || xhprof_compat_is_property_hook(function) ||
					xhprof_delegation_may_call(function);
	uint32_t flags = examined ? XHPROF_SYMBOL_EXAMINED : 0;
	if (function->type == ZEND_INTERNAL_FUNCTION) {
		flags |= XHPROF_SYMBOL_INTERNAL;
		bool hidden = XHPROF_G(tracer).flags & XHPROF_TRACE_NO_BUILTINS || is_our_callback(function);
		flags |= hidden ? XHPROF_SYMBOL_TRANSPARENT : 0;
	}
	return flags;
}

/* Returns whether a file was not called. The script that PHP itself runs is main(), in samples too: only files included
 * by others are functions of their own. */
static bool nothing_called(const zend_function *script)
{
	const zend_execute_data *call = EG(current_execute_data);
	return call && call->func == script && !call->prev_execute_data;
}

/* Returns the flags of a named function. */
static uint32_t named_flags(const zend_function *function, const xhprof_operation_function *operation)
{
	uint32_t recorded = xhprof_operation_flags(operation);
	return function_flags(function) | (recorded ? recorded : xhprof_call_label_flags(function));
}

static xhprof_symbol_ref name_function(xhprof_symbols *symbols, const zend_function *function,
									   const xhprof_operation_function *operation)
{
	const zend_class_entry *scope = function->common.scope;
	const zend_string *function_name = function->common.function_name;
	if (!function_name) {
		uint32_t flags = function_flags(function);
		const zend_string *file = function->type == ZEND_INTERNAL_FUNCTION ? NULL : function->op_array.filename;
		flags |= nothing_called(function) ? XHPROF_SYMBOL_TRANSPARENT : 0;
		return file ? xhprof_file_symbol(symbols, "run_init::", ZSTR_VAL(file), ZSTR_LEN(file),
										 flags | XHPROF_SYMBOL_RUN_INIT)
					: xhprof_symbols_intern(symbols, "(unknown)", sizeof("(unknown)") - 1, 0, flags);
	}

	char closure[4352]; /* a path of PATH_MAX and more */
	const char *name = ZSTR_VAL(function_name);
	size_t length = ZSTR_LEN(function_name);
	uint64_t identity = 0;
	if ((function->common.fn_flags & (ZEND_ACC_CLOSURE | ZEND_ACC_FAKE_CLOSURE)) == ZEND_ACC_CLOSURE &&
		function->type == ZEND_USER_FUNCTION) {
		name = closure;
		length = closure_name(&function->op_array, closure, sizeof(closure));
		identity = closure_identity(&function->op_array);
	}
	uint32_t flags = named_flags(function, operation);
	if (!scope) {
		return xhprof_symbols_intern(symbols, name, length, identity, flags);
	}
	/* An anonymous class is named "class@anonymous\0/path/file.php:12$0". */
	size_t scope_length = scope->ce_flags & ZEND_ACC_ANON_CLASS ? strlen(ZSTR_VAL(scope->name)) : ZSTR_LEN(scope->name);
	return xhprof_symbols_join(symbols, ZSTR_VAL(scope->name), scope_length, "::", name, length, identity, flags);
}

static xhprof_symbol_ref new_symbol(xhprof_symbols *symbols, const zend_function *function)
{
	const xhprof_operation_function *operation = xhprof_operation_of(function, function->common.scope);
	xhprof_symbol_ref symbol = name_function(symbols, function, operation);
	xhprof_place_function(symbols, symbol, function);
	xhprof_known_function_add(function, symbol, operation);
	return symbol;
}

xhprof_symbol_ref xhprof_function_symbol(xhprof_symbols *symbols, const zend_function *function)
{
	const xhprof_known_function *known = xhprof_known_function_find(function);
	if (!known) {
		return new_symbol(symbols, function);
	}
	xhprof_symbol_ref symbol = xhprof_symbols_use(symbols, known->symbol, named_flags(function, known->operation));
	if (known->file) {
		xhprof_file_list_expect(&symbols->files, known->file);
	}
	xhprof_place_function(symbols, symbol, function);
	return symbol;
}
