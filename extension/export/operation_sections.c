#include "operation_sections.h"

#include "tree_sections.h"

static xhprof_operation_row *add_row(xhprof_operation_sections *rows)
{
	if (rows->count == rows->room &&
		!xhprof_scratch_double(rows->tracer->scratch, (void **)&rows->rows, sizeof(*rows->rows), &rows->room, 256)) {
		return NULL;
	}
	return &rows->rows[rows->count++];
}

static bool take_recorded(const xhprof_tracer *tracer, const uint32_t *places, xhprof_operation_sections *rows)
{
	for (const xhprof_operation *at = tracer->operations.first; at; at = at->next) {
		xhprof_operation_row *row = at->calls ? add_row(rows) : NULL;
		if (at->calls && !row) {
			return false;
		}
		if (row) {
			*row = (xhprof_operation_row){.text = at->text->id,
										  .node = places[at->node->id],
										  .calls = at->calls,
										  .total = at->total,
										  .most = at->most,
										  .distinct = at->distinct,
										  .buckets = at->buckets};
		}
	}
	return true;
}

/* Returns the kind of a function's operations in a sampled profile, or -1. */
static int sampled_kind(const xhprof_symbol *symbol)
{
	if (symbol->flags & XHPROF_SYMBOL_COMPILED) {
		return XHPROF_OPERATION_COMPILE;
	}
	const xhprof_operation_function *function =
		symbol->flags & XHPROF_SYMBOL_INTERNAL ? xhprof_operation_function_named(symbol->name, symbol->length) : NULL;
	return function ? function->kind : -1;
}

/* Takes the nodes of operations, from the tree in preorder: a subtree ends where the depth is that of its root again.
 * `is_operation`: by symbol's id. */
static bool take_nodes(const xhprof_tracer *tracer, const bool *is_operation, xhprof_operation_sections *rows)
{
	const uint64_t interval_ns = (uint64_t)tracer->sample_interval_us * 1000;
	uint32_t depth = 0, place = 0, within = 0;
	xhprof_operation_row *open = NULL;
	for (const xhprof_node *node = tracer->tree.root; node; node = xhprof_calltree_next_at(node, &depth), place++) {
		if (open && depth <= within) {
			open = NULL;
		}
		if (!open && is_operation[XHPROF_SYMBOL_ID(node->symbol)]) { /* one within another is a part of it */
			open = add_row(rows);
			if (!open) {
				return false;
			}
			*open = (xhprof_operation_row){.text = XHPROF_SYMBOL_ID(node->symbol), .node = place};
			within = depth;
		}
		if (open) {
			open->calls += node->calls;
			open->total = open->calls * interval_ns;
		}
	}
	return true;
}

static bool take_sampled(const xhprof_tracer *tracer, xhprof_operation_sections *rows)
{
	size_t size = ((size_t)tracer->symbols.count + 1) * sizeof(bool);
	bool *is_operation = xhprof_scratch_take(tracer->scratch, size);
	for (uint32_t id = 1; is_operation && id <= tracer->symbols.count; id++) {
		is_operation[id] = sampled_kind(xhprof_symbols_get(&tracer->symbols, id)) >= 0;
	}
	bool taken = is_operation && take_nodes(tracer, is_operation, rows);
	xhprof_scratch_give(tracer->scratch, is_operation, size);
	return taken;
}

static bool is_sampled(const xhprof_operation_sections *sections)
{
	return sections->tracer->sample_interval_us != 0;
}

static const char *text_of(void *from, size_t place, size_t *length)
{
	const xhprof_operation_sections *sections = from;
	if (is_sampled(sections)) { /* texts of a sampling are names of functions, as many as there are rows */
		const xhprof_symbol *symbol = xhprof_symbols_get(&sections->tracer->symbols, sections->rows[place].text);
		*length = symbol->length;
		return symbol->name;
	}
	const xhprof_operation_text *text = sections->tracer->operations.by_id[place];
	*length = text->length;
	return text->bytes;
}

enum text_field { TEXT_KIND, TEXT_DISTINCT };

static void text_values(void *from, unsigned field, size_t first, size_t count, int64_t *values)
{
	const xhprof_operation_sections *sections = from;
	const xhprof_tracer *tracer = sections->tracer;
	for (size_t i = 0; i < count; i++) {
		if (is_sampled(sections)) {
			values[i] = sampled_kind(xhprof_symbols_get(&tracer->symbols, sections->rows[first + i].text));
		} else {
			const xhprof_operation_text *text = tracer->operations.by_id[first + i];
			values[i] = field == TEXT_KIND ? (int64_t)text->kind : (int64_t)text->distinct;
		}
	}
}

enum row_field { ROW_TEXT, ROW_NODE, ROW_CALLS, ROW_TOTAL, ROW_MAX, ROW_DISTINCT, ROW_FIELDS };

static uint64_t row_value(const xhprof_operation_sections *sections, size_t place, enum row_field field)
{
	const xhprof_operation_row *row = &sections->rows[place];
	switch (field) {
		case ROW_TEXT:
			return is_sampled(sections) ? place : row->text;
		case ROW_NODE:
			return row->node;
		case ROW_CALLS:
			return row->calls;
		case ROW_TOTAL:
			return row->total;
		case ROW_MAX:
			return row->most;
		default:
			return row->distinct;
	}
}

static void row_values(void *from, unsigned field, size_t first, size_t count, int64_t *values)
{
	for (size_t i = 0; i < count; i++) {
		values[i] = (int64_t)row_value(from, first + i, (enum row_field)field);
	}
}

static void bound_values(void *from, unsigned field, size_t first, size_t count, int64_t *values)
{
	const xhprof_operation_sections *sections = from;
	for (size_t i = 0; i < count; i++) {
		uint64_t bound = xhprof_operations_bucket((unsigned)(first + i));
		values[i] = (int64_t)xhprof_clock_to_ns(&sections->tracer->clock, bound);
	}
}

/* Returns the number of buckets of all rows. A row of one call has no buckets: its longest call shows all. */
static size_t count_buckets(const xhprof_operation_sections *sections)
{
	size_t used = 0;
	for (size_t i = 0; i < sections->count; i++) {
		const uint32_t *buckets = sections->rows[i].buckets;
		for (unsigned j = 0; buckets && j < XHPROF_OPERATION_BUCKETS; j++) {
			used += buckets[j] != 0;
		}
	}
	return used;
}

enum bucket_field { BUCKET_ROW, BUCKET_NUMBER, BUCKET_CALLS };

static void bucket_values(void *from, unsigned field, size_t first, size_t count, int64_t *values)
{
	xhprof_operation_sections *sections = from;
	if (!first) {
		sections->row = 0;
		sections->bucket = 0;
	}
	for (size_t i = 0; i < count; sections->bucket++) {
		const uint32_t *buckets = sections->rows[sections->row].buckets;
		if (!buckets || sections->bucket == XHPROF_OPERATION_BUCKETS) {
			sections->row++;
			sections->bucket = UINT32_MAX; /* the next one is 0 */
		} else if (buckets[sections->bucket]) {
			values[i++] = field == BUCKET_ROW      ? (int64_t)sections->row
						  : field == BUCKET_NUMBER ? (int64_t)sections->bucket
												   : (int64_t)buckets[sections->bucket];
		}
	}
}

enum context_field { CONTEXT_ROW, CONTEXT_NUMBER, CONTEXT_CALLS, CONTEXT_TOTAL, CONTEXT_FIELDS };

/* Gives what operations took in a trace context, in order of first call. The rows are all operations with calls, in the
 * order of their numbers. */
static void context_values(void *from, unsigned field, size_t first, size_t count, int64_t *values)
{
	xhprof_operation_sections *sections = from;
	if (!first) {
		sections->in_context = sections->tracer->operations.in_first;
	}
	for (size_t i = 0; i < count; i++) {
		const xhprof_operation_context *at = sections->in_context;
		values[i] = field == CONTEXT_ROW      ? (int64_t)at->operation->number - 1
					: field == CONTEXT_NUMBER ? (int64_t)at->context
					: field == CONTEXT_CALLS  ? (int64_t)at->calls
											  : (int64_t)at->total;
		sections->in_context = at->next;
	}
}

static void operations_head(xhprof_json *json, const void *from)
{
	const xhprof_tracer *tracer = ((const xhprof_operation_sections *)from)->tracer;
	xhprof_json_sampled(json, tracer);
	xhprof_json_uint(json, "lost", tracer->operations.lost);
	xhprof_json_open_member(json, "kinds", '[');
	for (int kind = 0; kind < XHPROF_OPERATION_KINDS; kind++) {
		const char *name = xhprof_operation_kind_name((xhprof_operation_kind)kind);
		xhprof_json_item(json);
		xhprof_write_json_string(json->writer, name, strlen(name));
	}
	xhprof_json_close(json, ']');
}

bool xhprof_operations_kept(const xhprof_tracer *tracer)
{
	bool any = tracer->operations.first || tracer->operations.lost;
	for (uint32_t id = 1; tracer->sample_interval_us && !any && id <= tracer->symbols.count; id++) {
		any = sampled_kind(xhprof_symbols_get(&tracer->symbols, id)) >= 0;
	}
	return any;
}

static void add_columns(xhprof_operation_sections *sections, xhprof_run_file *file)
{
	static const char *const names[ROW_FIELDS] = {"text", "node", "ct", "total", "max", "distinct"};
	const bool sampled = is_sampled(sections);
	size_t texts = sampled ? sections->count : sections->tracer->operations.text_count;
	xhprof_run_file_document(file, "operations", operations_head, sections);
	xhprof_run_file_texts(file, "texts", texts, text_of, sections);
	xhprof_run_file_values(file, "kind_of_text", texts, text_values, sections, TEXT_KIND);
	if (!sampled) {
		xhprof_run_file_values(file, "distinct_of_text", texts, text_values, sections, TEXT_DISTINCT);
	}
	for (unsigned field = 0; field < (sampled ? ROW_MAX : ROW_FIELDS); field++) {
		xhprof_run_file_values(file, names[field], sections->count, row_values, sections, field);
	}
	if (!sampled) {
		size_t buckets = count_buckets(sections);
		xhprof_run_file_values(file, "bounds", XHPROF_OPERATION_BUCKETS, bound_values, sections, 0);
		xhprof_run_file_values(file, "bucket.row", buckets, bucket_values, sections, BUCKET_ROW);
		xhprof_run_file_values(file, "bucket.number", buckets, bucket_values, sections, BUCKET_NUMBER);
		xhprof_run_file_values(file, "bucket.ct", buckets, bucket_values, sections, BUCKET_CALLS);
	}
	for (unsigned field = 0; sections->tracer->operations.in_count && field < CONTEXT_FIELDS; field++) {
		static const char *const of_context[CONTEXT_FIELDS] = {"context.row", "context.context", "context.ct",
															   "context.total"};
		xhprof_run_file_values(file, of_context[field], sections->tracer->operations.in_count, context_values, sections,
							   field);
	}
}

bool xhprof_operation_sections_add(xhprof_operation_sections *sections, const xhprof_tracer *tracer,
								   const uint32_t *places, xhprof_run_file *file)
{
	*sections = (xhprof_operation_sections){.tracer = tracer};
	bool taken = tracer->sample_interval_us ? take_sampled(tracer, sections) : take_recorded(tracer, places, sections);
	if (taken) {
		add_columns(sections, file);
	}
	return taken;
}

void xhprof_operation_sections_release(xhprof_operation_sections *sections)
{
	if (sections->rows) {
		xhprof_scratch_give(sections->tracer->scratch, sections->rows, sections->room * sizeof(*sections->rows));
		sections->rows = NULL;
	}
}
