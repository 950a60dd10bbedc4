#include "engine_parts.h"

void xhprof_walk_engine_buffer(xhprof_walker *walker, const char *name, xhprof_at where, uint64_t size)
{
	xhprof_addr at = where.number;
	if (at && size) {
		xhprof_walker_part(walker, XHPROF_HEAP_ENGINE, name, at, size);
	}
}

void xhprof_walk_engine_c_string(xhprof_walker *walker, const char *name, const char *string)
{
	xhprof_zmm_block block;
	if (string && xhprof_zmm_block_at(walker->zmm, (xhprof_addr)string, &block)) {
		xhprof_walk_engine_buffer(walker, name, string, xhprof_walker_c_text(walker, string).length + 1);
	}
}

static bool refer_key_only(xhprof_walker *walker, const xhprof_element *element, void *context)
{
	xhprof_walker_name(walker, "key", element->key);
	return true;
}

void xhprof_walk_engine_elements(xhprof_walker *walker, const char *name, const HashTable *table,
								 xhprof_walk_engine_each each)
{
	xhprof_walker_table_part(walker, table, XHPROF_HEAP_ENGINE, name);
	xhprof_walker_elements(walker, table, refer_key_only, NULL);
	if (each) {
		xhprof_walker_elements(walker, table, each, NULL);
	}
}

void xhprof_walk_engine_table(xhprof_walker *walker, const char *name, const HashTable *at,
							  xhprof_walk_engine_each each)
{
	XHPROF_WALKER_LOAD(walker, HashTable, table, at);
	if (at && table) {
		xhprof_walk_engine_buffer(walker, name, at, sizeof(*table));
		xhprof_walk_engine_elements(walker, name, table, each);
	}
}

xhprof_text xhprof_walk_numbered(xhprof_walker *walker, uint64_t number)
{
	char digits[24];
	size_t at = sizeof(digits);
	if (walker->options->types_only) {
		return XHPROF_TEXT("");
	}
	do {
		digits[--at] = (char)('0' + number % 10);
		number /= 10;
	} while (number);
	return xhprof_walker_join(walker, XHPROF_TEXT("#"), "", (xhprof_text){digits + at, sizeof(digits) - at});
}
