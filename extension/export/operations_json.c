#include "operations_json.h"

#include "json_layout.h"

/* A text at a call path, as files have it. `most` and `buckets` are of exact profiles only. */
typedef struct operation_row {
	uint32_t text, node;
	uint64_t calls, total, most, distinct;
	const uint32_t *buckets;
} operation_row;

typedef struct operation_rows {
	operation_row *rows;
	size_t count, room;
	xhprof_scratch *scratch;
} operation_rows;

static operation_row *add_row(operation_rows *rows)
{
	if (rows->count == rows->room &&
		!xhprof_scratch_double(rows->scratch, (void **)&rows->rows, sizeof(*rows->rows), &rows->room, 256)) {
		return NULL;
	}
	return &rows->rows[rows->count++];
}

static void release_rows(operation_rows *rows)
{
	xhprof_scratch_give(rows->scratch, rows->rows, rows->room * sizeof(*rows->rows));
}

static bool take_recorded(const xhprof_tracer *tracer, const uint32_t *places, operation_rows *rows)
{
	for (const xhprof_operation *at = tracer->operations.first; at; at = at->next) {
		operation_row *row = at->calls ? add_row(rows) : NULL;
		if (at->calls && !row) {
			return false;
		}
		if (row) {
			*row = (operation_row){.text = at->text->id,
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

/* The kind of a function in a sampling, or -1. */
static int sampled_kind(const xhprof_symbol *symbol)
{
	if (symbol->flags & XHPROF_SYMBOL_COMPILED) {
		return XHPROF_OPERATION_COMPILE;
	}
	const xhprof_operation_function *function =
		symbol->flags & XHPROF_SYMBOL_INTERNAL ? xhprof_operation_function_named(symbol->name, symbol->length) : NULL;
	return function ? function->kind : -1;
}

/* The tree in preorder: a subtree ends where the depth is that of its root again. `is_operation`: by symbol's id. */
static bool take_nodes(const xhprof_tracer *tracer, const bool *is_operation, operation_rows *rows)
{
	const uint64_t interval_ns = (uint64_t)tracer->sample_interval_us * 1000;
	uint32_t depth = 0, place = 0, within = 0;
	operation_row *open = NULL;
	for (const xhprof_node *node = tracer->tree.root; node; node = xhprof_calltree_next_at(node, &depth), place++) {
		if (open && depth <= within) {
			open = NULL;
		}
		if (!open && is_operation[XHPROF_SYMBOL_ID(node->symbol)]) { /* one within another is a part of it */
			open = add_row(rows);
			if (!open) {
				return false;
			}
			*open = (operation_row){.text = XHPROF_SYMBOL_ID(node->symbol), .node = place};
			within = depth;
		}
		if (open) {
			open->calls += node->calls;
			open->total = open->calls * interval_ns;
		}
	}
	return true;
}

static bool take_sampled(const xhprof_tracer *tracer, operation_rows *rows)
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

static void json_texts(xhprof_json *json, const xhprof_operations *operations)
{
	xhprof_json_line(json);
	xhprof_json_open_member(json, "texts", '[');
	for (uint32_t i = 0; i < operations->text_count; i++) {
		const xhprof_operation_text *text = operations->by_id[i];
		xhprof_json_item(json);
		xhprof_write_json_string(json->writer, text->bytes, text->length);
	}
	xhprof_json_close(json, ']');
	xhprof_json_line(json);
	xhprof_json_open_member(json, "kind_of_text", '[');
	for (uint32_t i = 0; i < operations->text_count; i++) {
		xhprof_json_item(json);
		xhprof_write_uint(json->writer, (uint64_t)operations->by_id[i]->kind);
	}
	xhprof_json_close(json, ']');
	xhprof_json_line(json);
	xhprof_json_open_member(json, "distinct_of_text", '[');
	for (uint32_t i = 0; i < operations->text_count; i++) {
		xhprof_json_item(json);
		xhprof_write_uint(json->writer, operations->by_id[i]->distinct);
	}
	xhprof_json_close(json, ']');
}

/* Texts of a sampling are names of functions, as many as there are rows. */
static void json_sampled_texts(xhprof_json *json, const xhprof_tracer *tracer, operation_rows *rows)
{
	xhprof_json_line(json);
	xhprof_json_open_member(json, "texts", '[');
	for (size_t i = 0; i < rows->count; i++) {
		const xhprof_symbol *symbol = xhprof_symbols_get(&tracer->symbols, rows->rows[i].text);
		xhprof_json_item(json);
		xhprof_write_json_string(json->writer, symbol->name, symbol->length);
	}
	xhprof_json_close(json, ']');
	xhprof_json_line(json);
	xhprof_json_open_member(json, "kind_of_text", '[');
	for (size_t i = 0; i < rows->count; i++) {
		xhprof_json_item(json);
		xhprof_write_int(json->writer, sampled_kind(xhprof_symbols_get(&tracer->symbols, rows->rows[i].text)));
		rows->rows[i].text = (uint32_t)i;
	}
	xhprof_json_close(json, ']');
}

enum operation_field { FIELD_TEXT, FIELD_NODE, FIELD_CALLS, FIELD_TOTAL, FIELD_MAX, FIELD_DISTINCT, FIELDS };

static uint64_t field_value(const operation_row *row, enum operation_field field)
{
	switch (field) {
		case FIELD_TEXT:
			return row->text;
		case FIELD_NODE:
			return row->node;
		case FIELD_CALLS:
			return row->calls;
		case FIELD_TOTAL:
			return row->total;
		case FIELD_MAX:
			return row->most;
		default:
			return row->distinct;
	}
}

static void json_rows(xhprof_json *json, const operation_rows *rows, bool sampled)
{
	static const char *const names[FIELDS] = {"text", "node", "ct", "total", "max", "distinct"};
	for (int field = 0; field < (sampled ? FIELD_MAX : FIELDS); field++) {
		xhprof_json_line(json);
		xhprof_json_open_member(json, names[field], '[');
		for (size_t i = 0; i < rows->count; i++) {
			xhprof_json_item(json);
			xhprof_write_uint(json->writer, field_value(&rows->rows[i], (enum operation_field)field));
		}
		xhprof_json_close(json, ']');
	}
}

/* Pairs of bucket and number of calls; an empty list where "max" says all, as there was one call. */
static void json_buckets(xhprof_json *json, const xhprof_tracer *tracer, const operation_rows *rows)
{
	xhprof_json_line(json);
	xhprof_json_open_member(json, "bounds", '[');
	for (unsigned i = 0; i < XHPROF_OPERATION_BUCKETS; i++) {
		xhprof_json_item(json);
		xhprof_write_uint(json->writer, xhprof_clock_to_ns(&tracer->clock, xhprof_operations_bucket(i)));
	}
	xhprof_json_close(json, ']');
	xhprof_json_line(json);
	xhprof_json_open_member(json, "buckets", '[');
	for (size_t i = 0; i < rows->count; i++) {
		const uint32_t *buckets = rows->rows[i].buckets;
		xhprof_json_item(json);
		xhprof_json_open(json, '[');
		for (unsigned j = 0; buckets && j < XHPROF_OPERATION_BUCKETS; j++) {
			if (buckets[j]) {
				xhprof_json_item(json);
				xhprof_write_uint(json->writer, j);
				xhprof_json_item(json);
				xhprof_write_uint(json->writer, buckets[j]);
			}
		}
		xhprof_json_close(json, ']');
	}
	xhprof_json_close(json, ']');
}

static void json_kinds(xhprof_json *json)
{
	xhprof_json_open_member(json, "kinds", '[');
	for (int kind = 0; kind < XHPROF_OPERATION_KINDS; kind++) {
		const char *name = xhprof_operation_kind_name((xhprof_operation_kind)kind);
		xhprof_json_item(json);
		xhprof_write_json_string(json->writer, name, strlen(name));
	}
	xhprof_json_close(json, ']');
}

static void write_rows(const xhprof_tracer *tracer, operation_rows *rows, xhprof_writer *writer)
{
	xhprof_json document = {.writer = writer, .first = true}, *json = &document;
	const bool sampled = tracer->sample_interval_us != 0;
	xhprof_json_open(json, '{');
	xhprof_json_uint(json, "v", 1);
	xhprof_json_text(json, "kind", "operations");
	if (sampled) {
		xhprof_json_open_member(json, "sampled", '{');
		xhprof_json_uint(json, "interval_us", tracer->sample_interval_us);
		xhprof_json_text(json, "clock", xhprof_sample_clock_name(tracer->samples.clock));
		xhprof_json_close(json, '}');
	}
	xhprof_json_uint(json, "n", rows->count);
	xhprof_json_uint(json, "lost", tracer->operations.lost);
	json_kinds(json);
	if (sampled) {
		json_sampled_texts(json, tracer, rows);
	} else {
		json_texts(json, &tracer->operations);
	}
	json_rows(json, rows, sampled);
	if (!sampled) {
		json_buckets(json, tracer, rows);
	}
	xhprof_json_close(json, '}');
	xhprof_write_string(writer, "\n");
}

bool xhprof_operations_kept(const xhprof_tracer *tracer)
{
	bool any = tracer->operations.first || tracer->operations.lost;
	for (uint32_t id = 1; tracer->sample_interval_us && !any && id <= tracer->symbols.count; id++) {
		any = sampled_kind(xhprof_symbols_get(&tracer->symbols, id)) >= 0;
	}
	return any;
}

bool xhprof_operations_json(const xhprof_tracer *tracer, const uint32_t *places, xhprof_writer *writer)
{
	operation_rows rows = {.scratch = tracer->scratch};
	bool taken = tracer->sample_interval_us ? take_sampled(tracer, &rows) : take_recorded(tracer, places, &rows);
	if (taken) {
		write_rows(tracer, &rows, writer);
	}
	release_rows(&rows);
	return taken;
}
