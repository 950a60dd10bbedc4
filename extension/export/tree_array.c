#include "tree_array.h"

#include "compat/fallible.h"
#include "sample_array.h"
#include "tree_sections.h"

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
			ZEND_HASH_FILL_SET_LONG((zend_long)xhprof_name_index(columns->symbols[i]));
			ZEND_HASH_FILL_NEXT();
		}
	}
	ZEND_HASH_FILL_END();
}

static bool list_append_text(HashTable *list, const char *bytes, size_t length)
{
	zend_string *copy = xhprof_compat_try_string(length);
	zval text;
	if (!copy) {
		return false;
	}
	memcpy(ZSTR_VAL(copy), bytes, length);
	ZSTR_VAL(copy)[length] = '\0';
	ZVAL_NEW_STR(&text, copy);
	zend_hash_next_index_insert_new(list, &text);
	return true;
}

static bool list_names(zval *into, const xhprof_symbols *symbols)
{
	HashTable *names = xhprof_compat_try_list(into, "names", symbols->count);
	bool complete = names != NULL;
	for (uint32_t id = 1; complete && id <= symbols->count; id++) {
		const xhprof_symbol *symbol = xhprof_symbols_get(symbols, id);
		complete = list_append_text(names, symbol->name, symbol->length);
	}
	return complete;
}

static bool list_files(zval *into, const xhprof_file_list *files)
{
	HashTable *list = xhprof_compat_try_list(into, "files", files->count);
	bool complete = list != NULL;
	for (const xhprof_file *file = files->first; complete && file; file = file->next) {
		complete = list_append_text(list, file->path, file->length);
	}
	return complete;
}

static bool list_places(zval *into, const xhprof_symbols *symbols)
{
	bool complete = list_files(into, &symbols->files);
	for (size_t which = 0; complete && which < XHPROF_PLACES; which++) {
		HashTable *list = xhprof_compat_try_list(into, xhprof_place_names[which], symbols->count);
		complete = list != NULL;
		for (uint32_t id = 1; complete && id <= symbols->count; id++) {
			zval value;
			ZVAL_LONG(&value, (zend_long)xhprof_place_value(&xhprof_symbols_get(symbols, id)->place, which));
			zend_hash_next_index_insert_new(list, &value);
		}
	}
	return complete;
}

/* Makes empty lists for the profile's columns. */
static bool lists_init(const xhprof_tracer *tracer, const xhprof_columns *columns, zval *result, HashTable **functions,
					   HashTable *lists[XHPROF_COLUMNS])
{
	const uint32_t nodes = tracer->tree.nodes;
	zval self;
	bool complete = list_names(result, &tracer->symbols) && list_places(result, &tracer->symbols) &&
					(*functions = xhprof_compat_try_list(result, "fn", nodes)) &&
					(lists[XHPROF_COLUMN_DEPTH] = xhprof_compat_try_list(result, "depth", nodes)) &&
					(lists[XHPROF_COLUMN_CALLS] = xhprof_compat_try_list(result, "ct", nodes)) &&
					(lists[XHPROF_COLUMN_CALL_LINE] = xhprof_compat_try_list(result, "call_line", nodes));
	array_init(&self);
	for (size_t i = 0; complete && i < XHPROF_METRICS; i++) {
		enum xhprof_column column = xhprof_metrics[i].column;
		complete =
			!columns->values[column] || (lists[column] = xhprof_compat_try_list(&self, xhprof_metrics[i].name, nodes));
	}
	add_assoc_zval(result, "self", &self);
	if (columns->values[XHPROF_COLUMN_CORRECTED_WALL]) {
		zval estimate;
		array_init(&estimate);
		for (size_t i = 0; complete && i < XHPROF_CORRECTED; i++) {
			enum xhprof_column column = xhprof_corrected_metrics[i].column;
			complete = !columns->values[column] ||
					   (lists[column] = xhprof_compat_try_list(&estimate, xhprof_corrected_metrics[i].name, nodes));
		}
		add_assoc_zval(result, "corrected", &estimate);
	}
	return complete;
}

/* Fills the array. The function is separate, so that none of its variables lives across the caller's setjmp(). */
static zend_never_inline void fill_array(const xhprof_tracer *tracer, xhprof_columns *columns, zval *result)
{
	HashTable *functions, *lists[XHPROF_COLUMNS] = {NULL};
	array_init(result);
	if (!lists_init(tracer, columns, result, &functions, lists)) {
		zval_ptr_dtor(result); /* memory_limit: the engine reports it */
		ZVAL_NULL(result);
		return;
	}
	while (xhprof_columns_next(columns)) {
		list_append_names(functions, columns);
		for (size_t i = 0; i < XHPROF_COLUMNS; i++) {
			if (lists[i]) {
				list_append(lists[i], columns->values[i], columns->count);
			}
		}
	}
	if (tracer->sample_interval_us && !xhprof_sample_columns(tracer, result)) {
		zval_ptr_dtor(result);
		ZVAL_NULL(result);
	}
}

void xhprof_tree_array(const xhprof_tracer *tracer, zval *result)
{
	xhprof_columns columns;
	xhprof_columns_init(&columns, tracer);
	xhprof_columns_correct(&columns, XHPROF_G(session).overhead);
	zend_try
	{
		fill_array(tracer, &columns, result);
	}
	zend_catch
	{ /* memory_limit: the engine does not free our pages */
		xhprof_columns_release(&columns);
		zend_bailout();
	}
	zend_end_try();
	xhprof_columns_release(&columns);
}
