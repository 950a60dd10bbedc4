#include "export_tree.h"

#include "compat/fallible.h"

/* The exclusive figures a node may have, in the order they are written. */
static const struct {
	const char *name;
	const char *unit;
	enum xhprof_column column;
} metrics[] = {
	{"wt", "ns", XHPROF_COLUMN_WALL},
	{"cpu", "ns", XHPROF_COLUMN_CPU},
	{"mu", "B", XHPROF_COLUMN_MEMORY},
	{"pmu", "B", XHPROF_COLUMN_PEAK},
	{"allocated_bytes", "B", XHPROF_COLUMN_ALLOCATED_BYTES},
	{"allocated_blocks", "", XHPROF_COLUMN_ALLOCATED_BLOCKS},
	{"freed_bytes", "B", XHPROF_COLUMN_FREED_BYTES},
	{"freed_blocks", "", XHPROF_COLUMN_FREED_BLOCKS},
	{"live_bytes", "B", XHPROF_COLUMN_LIVE_BYTES},
	{"live_blocks", "", XHPROF_COLUMN_LIVE_BLOCKS},
};
#define METRICS (sizeof(metrics) / sizeof(metrics[0]))

static const struct {
	const char *name;
	enum xhprof_column column;
} corrected[] = {{"wt", XHPROF_COLUMN_CORRECTED_WALL}, {"cpu", XHPROF_COLUMN_CORRECTED_CPU}};
#define CORRECTED (sizeof(corrected) / sizeof(corrected[0]))

/* What "fn" says of a node: ids start at 1, names at 0. */
static int64_t name_index(xhprof_symbol_ref symbol)
{
	return (int64_t)XHPROF_SYMBOL_ID(symbol) - 1;
}

/* An empty list with room for `count` numbers, under `name`. NULL: see fallible.h. */
static HashTable *list_init(zval *into, const char *name, uint32_t count)
{
	zval list;
	array_init_size(&list, count);
	add_assoc_zval(into, name, &list);
	return xhprof_compat_try_real_init(Z_ARRVAL(list), true) ? Z_ARRVAL(list) : NULL;
}

static void list_append(HashTable *list, const int64_t *numbers, size_t count)
{
	zend_hash_extend(list, list->nNumUsed + (uint32_t)count, true);
	ZEND_HASH_FILL_PACKED(list)
	{
		for (size_t i = 0; i < count; i++) {
			ZEND_HASH_FILL_SET_LONG((zend_long)numbers[i]);
			ZEND_HASH_FILL_NEXT();
		}
	}
	ZEND_HASH_FILL_END();
}

static void list_append_names(HashTable *list, const xhprof_columns *columns)
{
	zend_hash_extend(list, list->nNumUsed + (uint32_t)columns->count, true);
	ZEND_HASH_FILL_PACKED(list)
	{
		for (size_t i = 0; i < columns->count; i++) {
			ZEND_HASH_FILL_SET_LONG((zend_long)name_index(columns->symbols[i]));
			ZEND_HASH_FILL_NEXT();
		}
	}
	ZEND_HASH_FILL_END();
}

static bool list_names(zval *into, const xhprof_symbols *symbols)
{
	HashTable *names = list_init(into, "names", symbols->count);
	for (uint32_t id = 1; names && id <= symbols->count; id++) {
		const xhprof_symbol *symbol = xhprof_symbols_get(symbols, id);
		zend_string *copy = xhprof_compat_try_string(symbol->length);
		zval name;
		if (!copy) {
			return false;
		}
		memcpy(ZSTR_VAL(copy), symbol->name, symbol->length);
		ZSTR_VAL(copy)[symbol->length] = '\0';
		ZVAL_NEW_STR(&name, copy);
		zend_hash_next_index_insert_new(names, &name);
	}
	return names != NULL;
}

/* Empty lists for the columns there are. */
static bool lists_init(const xhprof_tracer *tracer, const xhprof_columns *columns, zval *result, HashTable **functions,
					   HashTable *lists[XHPROF_COLUMNS])
{
	const uint32_t nodes = tracer->tree.nodes;
	zval self;
	bool whole = list_names(result, &tracer->symbols) && (*functions = list_init(result, "fn", nodes)) &&
				 (lists[XHPROF_COLUMN_DEPTH] = list_init(result, "depth", nodes)) &&
				 (lists[XHPROF_COLUMN_CALLS] = list_init(result, "ct", nodes));
	array_init(&self);
	for (size_t i = 0; whole && i < METRICS; i++) {
		enum xhprof_column column = metrics[i].column;
		whole = !columns->of[column] || (lists[column] = list_init(&self, metrics[i].name, nodes));
	}
	add_assoc_zval(result, "self", &self);
	if (columns->of[XHPROF_COLUMN_CORRECTED_WALL]) {
		zval estimate;
		array_init(&estimate);
		for (size_t i = 0; whole && i < CORRECTED; i++) {
			enum xhprof_column column = corrected[i].column;
			whole = !columns->of[column] || (lists[column] = list_init(&estimate, corrected[i].name, nodes));
		}
		add_assoc_zval(result, "corrected", &estimate);
	}
	return whole;
}

/* Apart, so that none of its variables lives across the caller's setjmp(). */
static zend_never_inline void export_tree_array(const xhprof_tracer *tracer, xhprof_columns *columns, zval *result)
{
	HashTable *functions, *lists[XHPROF_COLUMNS] = {NULL};
	array_init(result);
	if (!lists_init(tracer, columns, result, &functions, lists)) {
		zval_ptr_dtor(result); /* memory_limit: the engine says so itself */
		ZVAL_NULL(result);
		return;
	}
	while (xhprof_columns_next(columns)) {
		list_append_names(functions, columns);
		for (size_t i = 0; i < XHPROF_COLUMNS; i++) {
			if (lists[i]) {
				list_append(lists[i], columns->of[i], columns->count);
			}
		}
	}
}

void xhprof_export_tree_array(const xhprof_tracer *tracer, zval *result)
{
	xhprof_columns columns;
	xhprof_columns_init(&columns, tracer);
	xhprof_columns_correct(&columns, XHPROF_G(profile).overhead);
	zend_try
	{
		export_tree_array(tracer, &columns, result);
	}
	zend_catch
	{ /* memory_limit: the pages are not the engine's to free */
		xhprof_columns_release(&columns);
		zend_bailout();
	}
	zend_end_try();
	xhprof_columns_release(&columns);
}

/* "name":[ before a list of numbers. */
static void json_begin(xhprof_writer *writer, const char *name)
{
	xhprof_write_string(writer, "\"");
	xhprof_write_string(writer, name);
	xhprof_write_string(writer, "\":[");
}

static void json_column(xhprof_writer *writer, const char *name, xhprof_columns *columns, enum xhprof_column column)
{
	bool more = false;
	json_begin(writer, name);
	xhprof_columns_rewind(columns);
	while (xhprof_columns_next(columns)) {
		xhprof_write_bytes(writer, ",", more);
		xhprof_write_list(writer, columns->of[column], columns->count);
		more = true;
	}
	xhprof_write_string(writer, "]");
}

static void json_names_column(xhprof_writer *writer, const char *name, xhprof_columns *columns)
{
	int64_t numbers[XHPROF_COLUMNS_BLOCK];
	size_t used = 0;
	bool more = false;
	json_begin(writer, name);
	xhprof_columns_rewind(columns);
	while (xhprof_columns_next(columns)) {
		for (size_t i = 0; i < columns->count; i++) {
			numbers[used++] = name_index(columns->symbols[i]);
			if (used == XHPROF_COLUMNS_BLOCK || i + 1 == columns->count) {
				xhprof_write_bytes(writer, ",", more);
				xhprof_write_list(writer, numbers, used);
				used = 0;
				more = true;
			}
		}
	}
	xhprof_write_string(writer, "]");
}

static void json_units(xhprof_writer *writer, const xhprof_columns *columns)
{
	bool more = false;
	xhprof_write_string(writer, "\"unit\":{");
	for (size_t i = 0; i < METRICS; i++) {
		if (columns->of[metrics[i].column]) {
			xhprof_write_string(writer, more ? ",\"" : "\"");
			more = true;
			xhprof_write_string(writer, metrics[i].name);
			xhprof_write_string(writer, "\":\"");
			xhprof_write_string(writer, metrics[i].unit);
			xhprof_write_string(writer, "\"");
		}
	}
	xhprof_write_string(writer, "}");
}

void xhprof_export_tree_json(const xhprof_tracer *tracer, xhprof_columns *columns, xhprof_writer *writer)
{
	xhprof_write_string(writer, "{\"v\":1,\"kind\":\"tree\",\"order\":\"preorder\",\"mode\":\"merged\",");
	json_units(writer, columns);
	xhprof_write_string(writer, ",\"n\":");
	xhprof_write_uint(writer, tracer->tree.nodes);
	xhprof_write_string(writer, ",\n\"names\":[");
	for (uint32_t id = 1; id <= tracer->symbols.count; id++) {
		const xhprof_symbol *symbol = xhprof_symbols_get(&tracer->symbols, id);
		xhprof_write_string(writer, id == 1 ? "" : ",");
		xhprof_write_json_string(writer, symbol->name, symbol->length);
	}
	xhprof_write_string(writer, "],\n");
	json_names_column(writer, "fn", columns);
	xhprof_write_string(writer, ",\n");
	json_column(writer, "depth", columns, XHPROF_COLUMN_DEPTH);
	xhprof_write_string(writer, ",\n");
	json_column(writer, "ct", columns, XHPROF_COLUMN_CALLS);
	xhprof_write_string(writer, ",\n\"self\":{");
	bool more = false;
	for (size_t i = 0; i < METRICS; i++) {
		if (columns->of[metrics[i].column]) {
			xhprof_write_string(writer, more ? ",\n" : "");
			more = true;
			json_column(writer, metrics[i].name, columns, metrics[i].column);
		}
	}
	for (size_t i = 0; i < CORRECTED; i++) {
		if (columns->of[corrected[i].column]) {
			xhprof_write_string(writer, i ? ",\n" : "},\n\"corrected\":{");
			json_column(writer, corrected[i].name, columns, corrected[i].column);
		}
	}
	xhprof_write_string(writer, "}}\n");
}
