#include "sample_array.h"

#include "compat/fallible.h"
#include "edge_name.h"

#include <inttypes.h>

/* Walks once from the innermost function to main(). On the way out the number of remaining occurrences of a function is
 * its recursion level. With `end` the names are written backwards from there; returns the length either way. */
static size_t sample_walk(const xhprof_tracer *tracer, const xhprof_node *node, zend_long depth, uint32_t *counts,
						  char *end)
{
	size_t length = 0;
	for (const xhprof_node *each = node; each; each = xhprof_node_parent(each)) {
		counts[XHPROF_SYMBOL_ID(each->symbol)]++;
	}
	for (const xhprof_node *each = node; each; each = xhprof_node_parent(each)) {
		char suffix[XHPROF_LEVEL_ROOM];
		uint32_t level = --counts[XHPROF_SYMBOL_ID(each->symbol)];
		if (depth <= 0 || each->symbol & XHPROF_SYMBOL_RUN_INIT) {
			continue;
		}
		const xhprof_symbol *symbol = xhprof_symbols_get(&tracer->symbols, XHPROF_SYMBOL_ID(each->symbol));
		size_t one = symbol->length + xhprof_level_suffix(suffix, level);
		size_t arrow = length ? XHPROF_ARROW_LENGTH : 0;
		length += one + arrow;
		if (end) {
			memcpy(end - length, symbol->name, symbol->length);
			memcpy(end - length + symbol->length, suffix, one - symbol->length);
			memcpy(end - length + one, XHPROF_ARROW, arrow);
		}
		depth--;
	}
	return length;
}

static zend_string *sample_stack(const xhprof_tracer *tracer, const xhprof_sample_run *run, zend_long depth,
								 uint32_t *counts)
{
	char line[16] = "";
	size_t suffix = run->line ? (size_t)snprintf(line, sizeof(line), ":%" PRIu32, run->line) : 0;
	size_t length = sample_walk(tracer, run->node, depth, counts, NULL);
	zend_string *stack = xhprof_compat_try_string(length + suffix);
	if (!stack) {
		return NULL;
	}
	sample_walk(tracer, run->node, depth, counts, ZSTR_VAL(stack) + length);
	memcpy(ZSTR_VAL(stack) + length, line, suffix + 1);
	return stack;
}

/* The memory used while samples are exported, outside of the Zend heap. */
typedef struct sample_scratch {
	uint32_t *counts;
	size_t counts_size;
	xhprof_table stacks; /* line << 32 | node id -> zend_string; many runs of samples share few paths */
} sample_scratch;

static zend_string *sample_stack_once(const xhprof_tracer *tracer, const xhprof_sample_run *run, zend_long depth,
									  sample_scratch *scratch)
{
	uint64_t key = (uint64_t)run->line << 32 | run->node->id;
	zend_string *stack = xhprof_table_find(&scratch->stacks, key);
	if (stack) {
		return zend_string_copy(stack);
	}
	stack = sample_stack(tracer, run, depth, scratch->counts);
	if (stack && xhprof_table_put(&scratch->stacks, key, stack)) {
		zend_string_addref(stack);
	}
	return stack;
}

static bool add_sample(const xhprof_tracer *tracer, uint64_t interval, zend_string *stack, HashTable *samples)
{
	char text[48];
	uint64_t at = tracer->sample_epoch_us + interval * tracer->sample_interval_us;
	int length =
		snprintf(text, sizeof(text), ZEND_ULONG_FMT ".%06u", (zend_ulong)(at / 1000000), (unsigned)(at % 1000000));
	zend_string *key = xhprof_compat_try_string((size_t)length);
	zval value;
	if (!key) {
		return false;
	}
	memcpy(ZSTR_VAL(key), text, (size_t)length + 1);
	ZVAL_STR_COPY(&value, stack);
	zend_hash_update(samples, key, &value);
	zend_string_release(key);
	return true;
}

static void fill_samples(const xhprof_tracer *tracer, zend_long depth, sample_scratch *scratch, zval *result)
{
	const xhprof_sample_log *log = &tracer->samples;
	bool complete = xhprof_compat_try_real_init(Z_ARRVAL_P(result), false);
	for (size_t i = 0; complete && i < log->used; i++) {
		const xhprof_sample_run *run = &log->runs[i];
		zend_string *stack = sample_stack_once(tracer, run, depth, scratch);
		complete = stack != NULL;
		for (uint64_t interval = run->first; complete && interval < run->first + run->count; interval++) {
			complete = add_sample(tracer, interval, stack, Z_ARRVAL_P(result));
		}
		if (stack) {
			zend_string_release(stack);
		}
	}
	for (uint32_t i = 0; i < scratch->stacks.capacity; i++) {
		if (scratch->stacks.slots[i].key) {
			zend_string_release(scratch->stacks.slots[i].value);
		}
	}
	if (!complete) {
		zval_ptr_dtor(result);
		ZVAL_NULL(result);
	}
}

static void sample_scratch_release(sample_scratch *scratch)
{
	xhprof_pages_unmap(scratch->counts, scratch->counts_size);
	xhprof_table_release(&scratch->stacks);
}

void xhprof_sample_array(const xhprof_tracer *tracer, zend_long depth, zval *result)
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
	{ /* memory_limit: the engine does not free our pages */
		sample_scratch_release(&scratch);
		zend_bailout();
	}
	zend_end_try();
	sample_scratch_release(&scratch);
}

static void list_append(HashTable *list, uint64_t value)
{
	ZEND_HASH_FILL_PACKED(list)
	{
		ZEND_HASH_FILL_SET_LONG((zend_long)value);
		ZEND_HASH_FILL_NEXT();
	}
	ZEND_HASH_FILL_END();
}

static bool fill_columns(const xhprof_tracer *tracer, const uint32_t *places, zval *samples)
{
	const xhprof_sample_log *log = &tracer->samples;
	HashTable *times = xhprof_compat_try_list(samples, "t", (uint32_t)log->samples);
	HashTable *nodes = times ? xhprof_compat_try_list(samples, "node", (uint32_t)log->samples) : NULL;
	HashTable *lines = nodes && log->lines ? xhprof_compat_try_list(samples, "line", (uint32_t)log->samples) : NULL;
	if (!nodes || (log->lines && !lines)) {
		return false;
	}
	for (size_t i = 0; i < log->used; i++) {
		const xhprof_sample_run *run = &log->runs[i];
		for (uint64_t interval = run->first; interval < run->first + run->count; interval++) {
			list_append(times, interval * tracer->sample_interval_us);
			list_append(nodes, places[run->node->id]);
			if (lines) {
				list_append(lines, run->line);
			}
		}
	}
	return true;
}

bool xhprof_sample_columns(const xhprof_tracer *tracer, zval *tree)
{
	const xhprof_sample_log *log = &tracer->samples;
	zval samples;
	array_init(&samples);
	add_assoc_zval(tree, "samples", &samples);
	add_assoc_long(&samples, "interval_us", tracer->sample_interval_us);
	add_assoc_string(&samples, "clock", xhprof_sample_clock_name(log->clock));
	add_assoc_double(&samples, "start", (double)tracer->sample_epoch_us / 1e6);
	bool complete = true;
	if (!log->only_counts) {
		size_t size = 0;
		uint32_t *volatile places = xhprof_calltree_places(&tracer->tree, tracer->scratch, &size);
		complete = false;
		zend_try
		{
			complete = places && fill_columns(tracer, places, &samples);
		}
		zend_catch
		{ /* as above */
			xhprof_scratch_give(tracer->scratch, places, size);
			zend_bailout();
		}
		zend_end_try();
		xhprof_scratch_give(tracer->scratch, places, size);
	}
	add_assoc_long(&samples, "taken", (zend_long)log->taken);
	add_assoc_long(&samples, "overruns", (zend_long)xhprof_sample_overruns(log));
	add_assoc_long(&samples, "delayed", (zend_long)log->delayed);
	add_assoc_long(&samples, "dropped", (zend_long)log->dropped);
	return complete;
}
