#include "function_cache.h"

#include "compat/engine_layout.h"

#define MAX_FUNCTIONS 500000
#define MAX_OPCODES 100000000u

/* Reads the text of a zend_string, cut at size - 1 bytes. Returns its length; SIZE_MAX on failure. */
static size_t read_text(xhprof_remote *remote, xhprof_addr address, char *to, size_t size)
{
	zend_string string;
	const size_t header = offsetof(zend_string, val);
	if (address % 8 || !xhprof_remote_get(remote, address, &string, header) || GC_TYPE(&string) != IS_STRING) {
		return SIZE_MAX;
	}
	size_t length = string.len < size - 1 ? string.len : size - 1;
	if (!xhprof_remote_get(remote, address + header, to, length)) {
		return SIZE_MAX;
	}
	to[length] = '\0';
	return length;
}

/* Returns the last two parts of a path, as profiles name files. */
static const char *short_path(const char *path, size_t length)
{
	const char *at = path + length;
	for (int slashes = 0; at > path; at--) {
		if (at[-1] == '/' && ++slashes == 2) {
			break;
		}
	}
	return at;
}

/* Writes the name of a function: "f", "Class::m", "{closure:dir/file.php:12}", "run_init::dir/file.php". Returns its
 * length; 0: it cannot be read. */
static size_t write_name(xhprof_remote *remote, const xhprof_function *known, char *to, size_t size)
{
	char name[XHPROF_NAME_LENGTH], path[4096];
	size_t used = 0;
	bool closure = known->code && (known->flags & (ZEND_ACC_CLOSURE | ZEND_ACC_FAKE_CLOSURE)) == ZEND_ACC_CLOSURE;
	if (closure || known->nameless) {
		size_t length = read_text(remote, known->file, path, sizeof(path));
		if (length == SIZE_MAX) {
			return 0;
		}
		const char *shortened = short_path(path, length);
		if (known->nameless) {
			return xhprof_print_to(to, size, "run_init::%s", shortened);
		}
		xhprof_print_to(name, sizeof(name), "{closure:%s:%u}", shortened, known->line);
	} else if (read_text(remote, known->name_address, name, sizeof(name)) == SIZE_MAX) {
		return 0;
	}
	if (known->scope) {
		zend_class_entry class;
		char scope[XHPROF_NAME_LENGTH]; /* an anonymous class's continues after a zero byte */
		if (!xhprof_remote_get(remote, known->scope, &class, offsetof(zend_class_entry, refcount)) ||
			(class.type != ZEND_INTERNAL_CLASS && class.type != ZEND_USER_CLASS) ||
			read_text(remote, (xhprof_addr) class.name, scope, sizeof(scope)) == SIZE_MAX) {
			return 0;
		}
		used = xhprof_print_to(to, size, "%s::", scope);
	}
	return used + xhprof_print_to(to + used, size - used, "%s", name);
}

/* Reads the fields that distinguish a function beside its address, as addresses are reused. */
static bool read_function(xhprof_remote *remote, xhprof_addr address, xhprof_function *known)
{
	const size_t common = offsetof(zend_internal_function, handler);
	zend_function function;
	memset(known, 0, sizeof(*known));
	if (address % 8 || !xhprof_remote_get(remote, address, &function, common)) {
		return false;
	}
	known->flags = function.common.fn_flags;
	known->name_address = (xhprof_addr)function.common.function_name;
	known->scope = (xhprof_addr)function.common.scope;
	if (function.type == ZEND_INTERNAL_FUNCTION) {
		return true;
	}
	if ((function.type != ZEND_USER_FUNCTION && function.type != ZEND_EVAL_CODE) ||
		!xhprof_remote_get(remote, address, &function, sizeof(zend_op_array)) || function.op_array.last > MAX_OPCODES) {
		return false;
	}
	known->code = true;
	known->nameless = known->name_address == 0;
	known->line = function.op_array.line_start;
	known->opcodes = (xhprof_addr)function.op_array.opcodes;
	known->last = function.op_array.last;
	known->file = (xhprof_addr)function.op_array.filename;
	return true;
}

static bool same_function(const xhprof_function *a, const xhprof_function *b)
{
	return a->flags == b->flags && a->name_address == b->name_address && a->scope == b->scope && a->code == b->code &&
		   a->line == b->line && a->opcodes == b->opcodes && a->file == b->file && a->last == b->last;
}

const xhprof_function *xhprof_function_at(xhprof_function_cache *cache, xhprof_at where)
{
	xhprof_addr address = where.number;
	char text[2 * XHPROF_NAME_LENGTH + 64];
	xhprof_function known;
	if (!read_function(cache->remote, address, &known)) {
		return NULL;
	}
	xhprof_function *found = xhprof_table_find(&cache->functions, address);
	if (found && same_function(found, &known) && found->generation == cache->generation) {
		return found;
	}
	/* False for calls by __call() that have not begun, and the engine's own code. */
	bool counts = (known.name_address || known.code) && !(known.flags & ZEND_ACC_CALL_VIA_TRAMPOLINE);
	if (counts) {
		size_t length = write_name(cache->remote, &known, text, sizeof(text));
		known.name = length ? xhprof_names_intern(cache->names, text, length) : NULL;
		if (!known.name) {
			return NULL;
		}
	}
	known.generation = cache->generation;
	if (!found) {
		if (cache->functions.used >= MAX_FUNCTIONS) {
			xhprof_table_clear(&cache->functions);
			xhprof_arena_reset(&cache->arena);
		}
		found = xhprof_arena_alloc(&cache->arena, sizeof(*found), 8);
		if (!found || !xhprof_table_put(&cache->functions, address, found)) {
			return NULL;
		}
	}
	*found = known;
	return found;
}

bool xhprof_function_file(xhprof_function_cache *cache, const xhprof_function *function, char *to, size_t size)
{
	return function->code && read_text(cache->remote, function->file, to, size) != SIZE_MAX;
}

uint32_t xhprof_function_line(xhprof_function_cache *cache, const xhprof_function *function, xhprof_at where)
{
	xhprof_addr opline = where.number;
	uint64_t offset = opline - function->opcodes;
	uint32_t line = 0;
	if (opline < function->opcodes || offset % sizeof(zend_op) != 0 || offset / sizeof(zend_op) >= function->last) {
		return 0;
	}
	return xhprof_remote_get(cache->remote, opline + offsetof(zend_op, lineno), &line, sizeof(line)) ? line : 0;
}

void xhprof_function_cache_release(xhprof_function_cache *cache)
{
	xhprof_table_release(&cache->functions);
	xhprof_arena_release(&cache->arena);
}
