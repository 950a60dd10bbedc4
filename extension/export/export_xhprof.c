#include "export_xhprof.h"

#include "trace/fold.h"

#define ARROW "==>"

/* Room for "@" and a level. */
#define LEVEL_ROOM 12

static size_t label_length(const xhprof_symbol *symbol, uint32_t level, char *suffix)
{
	int length = level ? snprintf(suffix, LEVEL_ROOM, "@%u", level) : 0;
	return symbol->length + (size_t)length;
}

static char *label_copy(char *to, const xhprof_symbol *symbol, size_t length, const char *suffix)
{
	memcpy(to, symbol->name, symbol->length);
	memcpy(to + symbol->length, suffix, length - symbol->length);
	return to + length;
}

typedef struct edge_name {
	const xhprof_symbol *caller, *callee; /* caller is NULL for main() */
	char caller_suffix[LEVEL_ROOM], callee_suffix[LEVEL_ROOM];
	size_t caller_length, callee_length, length;
} edge_name;

static void edge_name_of(edge_name *name, const xhprof_symbols *symbols, const xhprof_fold *fold,
						 const xhprof_edge *edge)
{
	const xhprof_label *callee = &fold->labels[edge->callee];
	name->caller = NULL;
	name->callee = xhprof_symbols_get(symbols, callee->symbol);
	name->callee_length = name->length = label_length(name->callee, callee->level, name->callee_suffix);
	if (edge->caller != XHPROF_FOLD_NO_CALLER) {
		const xhprof_label *caller = &fold->labels[edge->caller];
		name->caller = xhprof_symbols_get(symbols, caller->symbol);
		name->caller_length = label_length(name->caller, caller->level, name->caller_suffix);
		name->length += name->caller_length + sizeof(ARROW) - 1;
	}
}

static void edge_name_copy(char *to, const edge_name *name)
{
	if (name->caller) {
		to = label_copy(to, name->caller, name->caller_length, name->caller_suffix);
		memcpy(to, ARROW, sizeof(ARROW) - 1);
		to += sizeof(ARROW) - 1;
	}
	label_copy(to, name->callee, name->callee_length, name->callee_suffix);
}

static void fill_array(const xhprof_tracer *tracer, const xhprof_fold *fold, zval *result)
{
	array_init_size(result, fold->edge_count);
	for (uint32_t i = 0; i < fold->edge_count; i++) {
		const xhprof_edge *edge = &fold->edges[i];
		edge_name name;
		zval figures;
		edge_name_of(&name, &tracer->symbols, fold, edge);
		zend_string *key = zend_string_alloc(name.length, false);
		edge_name_copy(ZSTR_VAL(key), &name);
		ZSTR_VAL(key)[name.length] = '\0';
		array_init_size(&figures, 5);
		add_assoc_long(&figures, "ct", (zend_long)edge->calls);
		add_assoc_long(&figures, "wt", (zend_long)edge->wall_us);
		if (tracer->flags & XHPROF_TRACE_CPU) {
			add_assoc_long(&figures, "cpu", (zend_long)edge->cpu_us);
		}
		if (tracer->flags & XHPROF_TRACE_MEMORY) {
			add_assoc_long(&figures, "mu", (zend_long)edge->memory);
			add_assoc_long(&figures, "pmu", (zend_long)edge->peak);
		}
		zend_hash_update(Z_ARRVAL_P(result), key, &figures);
		zend_string_release(key);
	}
}

bool xhprof_export_array(const xhprof_tracer *tracer, bool keep_run_init, zval *result)
{
	xhprof_fold fold;
	ZVAL_NULL(result);
	bool whole = xhprof_fold_tree(&fold, &tracer->tree, tracer->symbols.count, keep_run_init);
	if (whole) {
		zend_try
		{
			fill_array(tracer, &fold, result);
		}
		zend_catch
		{ /* memory_limit: the pages are not the engine's to free */
			xhprof_fold_release(&fold);
			zend_bailout();
		}
		zend_end_try();
	}
	xhprof_fold_release(&fold);
	return whole;
}

static void serialize_figure(xhprof_writer *writer, const char *head, int64_t value)
{
	xhprof_write_string(writer, head);
	xhprof_write_int(writer, value);
	xhprof_write_bytes(writer, ";", 1);
}

static void serialize_name(xhprof_writer *writer, const edge_name *name)
{
	xhprof_write_string(writer, "s:");
	xhprof_write_uint(writer, name->length);
	xhprof_write_string(writer, ":\"");
	if (name->caller) {
		xhprof_write_bytes(writer, name->caller->name, name->caller->length);
		xhprof_write_bytes(writer, name->caller_suffix, name->caller_length - name->caller->length);
		xhprof_write_string(writer, ARROW);
	}
	xhprof_write_bytes(writer, name->callee->name, name->callee->length);
	xhprof_write_bytes(writer, name->callee_suffix, name->callee_length - name->callee->length);
	xhprof_write_string(writer, "\";");
}

bool xhprof_export_serialized(const xhprof_tracer *tracer, bool keep_run_init, xhprof_writer *writer)
{
	xhprof_fold fold;
	bool cpu = tracer->flags & XHPROF_TRACE_CPU, memory = tracer->flags & XHPROF_TRACE_MEMORY;
	bool whole = xhprof_fold_tree(&fold, &tracer->tree, tracer->symbols.count, keep_run_init);
	if (whole) {
		xhprof_write_string(writer, "a:");
		xhprof_write_uint(writer, fold.edge_count);
		xhprof_write_string(writer, ":{");
		for (uint32_t i = 0; i < fold.edge_count; i++) {
			const xhprof_edge *edge = &fold.edges[i];
			edge_name name;
			edge_name_of(&name, &tracer->symbols, &fold, edge);
			serialize_name(writer, &name);
			xhprof_write_string(writer, "a:");
			xhprof_write_uint(writer, 2u + cpu + 2u * memory);
			serialize_figure(writer, ":{s:2:\"ct\";i:", (int64_t)edge->calls);
			serialize_figure(writer, "s:2:\"wt\";i:", (int64_t)edge->wall_us);
			if (cpu) {
				serialize_figure(writer, "s:3:\"cpu\";i:", (int64_t)edge->cpu_us);
			}
			if (memory) {
				serialize_figure(writer, "s:2:\"mu\";i:", edge->memory);
				serialize_figure(writer, "s:3:\"pmu\";i:", edge->peak);
			}
			xhprof_write_bytes(writer, "}", 1);
		}
		xhprof_write_bytes(writer, "}", 1);
	}
	xhprof_fold_release(&fold);
	return whole;
}

/* One walk from the innermost function to main(). On the way out the number of times a function is still to come is its
 * recursion level. With `end` the names are written backwards from there; the length either way. */
static size_t sample_walk(const xhprof_tracer *tracer, const xhprof_node *node, zend_long depth, uint32_t *counts,
						  char *end)
{
	size_t length = 0;
	for (const xhprof_node *each = node; each; each = xhprof_node_parent(each)) {
		counts[XHPROF_SYMBOL_ID(each->symbol)]++;
	}
	for (const xhprof_node *each = node; each; each = xhprof_node_parent(each)) {
		char suffix[LEVEL_ROOM];
		uint32_t level = --counts[XHPROF_SYMBOL_ID(each->symbol)];
		if (depth <= 0 || each->symbol & XHPROF_SYMBOL_RUN_INIT) {
			continue;
		}
		const xhprof_symbol *symbol = xhprof_symbols_get(&tracer->symbols, XHPROF_SYMBOL_ID(each->symbol));
		size_t one = label_length(symbol, level, suffix);
		size_t arrow = length ? sizeof(ARROW) - 1 : 0;
		length += one + arrow;
		if (end) {
			label_copy(end - length, symbol, one, suffix);
			memcpy(end - length + one, ARROW, arrow);
		}
		depth--;
	}
	return length;
}

static zend_string *sample_stack(const xhprof_tracer *tracer, const xhprof_node *node, zend_long depth,
								 uint32_t *counts)
{
	size_t length = sample_walk(tracer, node, depth, counts, NULL);
	zend_string *stack = zend_string_alloc(length, false);
	ZSTR_VAL(stack)[length] = '\0';
	sample_walk(tracer, node, depth, counts, ZSTR_VAL(stack) + length);
	return stack;
}

/* What is made while samples are exported, outside of the Zend heap. */
typedef struct sample_scratch {
	uint32_t *counts;
	size_t counts_size;
	xhprof_table stacks; /* node id -> zend_string; many runs of samples share few paths */
} sample_scratch;

static zend_string *sample_stack_once(const xhprof_tracer *tracer, const xhprof_node *node, zend_long depth,
									  sample_scratch *scratch)
{
	zend_string *stack = xhprof_table_find(&scratch->stacks, node->id);
	if (stack) {
		return zend_string_copy(stack);
	}
	stack = sample_stack(tracer, node, depth, scratch->counts);
	if (xhprof_table_put(&scratch->stacks, node->id, stack)) {
		zend_string_addref(stack);
	}
	return stack;
}

static void fill_samples(const xhprof_tracer *tracer, zend_long depth, sample_scratch *scratch, zval *result)
{
	const xhprof_sample_log *log = &tracer->samples;
	for (size_t i = 0; i < log->used; i++) {
		const xhprof_sample_run *run = &log->runs[i];
		zend_string *stack = sample_stack_once(tracer, run->node, depth, scratch);
		for (uint64_t interval = run->first; interval < run->first + run->count; interval++) {
			char key[48];
			uint64_t at = tracer->sample_epoch_us + interval * tracer->sample_interval_us;
			int length = snprintf(key, sizeof(key), ZEND_ULONG_FMT ".%06u", (zend_ulong)(at / 1000000),
								  (unsigned)(at % 1000000));
			zval value;
			ZVAL_STR_COPY(&value, stack);
			zend_hash_str_update(Z_ARRVAL_P(result), key, (size_t)length, &value);
		}
		zend_string_release(stack);
	}
	for (uint32_t i = 0; i < scratch->stacks.capacity; i++) {
		if (scratch->stacks.slots[i].key) {
			zend_string_release(scratch->stacks.slots[i].value);
		}
	}
}

static void sample_scratch_release(sample_scratch *scratch)
{
	xhprof_pages_unmap(scratch->counts, scratch->counts_size);
	xhprof_table_release(&scratch->stacks);
}

void xhprof_export_samples(const xhprof_tracer *tracer, zend_long depth, zval *result)
{
	sample_scratch scratch = {.counts_size = ((size_t)tracer->symbols.count + 1) * sizeof(uint32_t)};
	scratch.counts = xhprof_pages_map(scratch.counts_size);
	array_init_size(result, scratch.counts ? (uint32_t)tracer->samples.samples : 0);
	zend_try
	{
		if (scratch.counts) {
			fill_samples(tracer, depth, &scratch, result);
		}
	}
	zend_catch
	{ /* as above */
		sample_scratch_release(&scratch);
		zend_bailout();
	}
	zend_end_try();
	sample_scratch_release(&scratch);
}
