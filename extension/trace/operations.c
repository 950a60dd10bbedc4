#include "operations.h"

#include <string.h>

#define FIRST_POWER 9u
#define OTHER_TEXT "(other)"
#define PRESENT ((void *)1)

static void reset(xhprof_operations *operations)
{
	xhprof_table_clear(&operations->texts);
	xhprof_table_clear(&operations->raw);
	xhprof_table_clear(&operations->by_key);
	xhprof_table_clear(&operations->values);
	xhprof_table_clear(&operations->noted);
	xhprof_table_clear(&operations->in_context);
	memset(operations->other, 0, sizeof(operations->other));
	operations->first = operations->last = NULL;
	operations->in_first = operations->in_last = NULL;
	operations->in_count = 0;
	operations->in_dropped = 0;
	operations->by_id = NULL;
	operations->open = NULL;
	operations->text_count = operations->count = operations->opened = 0;
	operations->lost = 0;
}

void xhprof_operations_begin(xhprof_operations *operations, bool on)
{
	if (operations->arena.chunks) {
		xhprof_arena_reset(&operations->arena);
	}
	reset(operations);
	operations->on = on;
}

void xhprof_operations_recycle(xhprof_operations *operations, size_t *budget)
{
	xhprof_table_recycle(&operations->texts, budget);
	xhprof_table_recycle(&operations->raw, budget);
	xhprof_table_recycle(&operations->by_key, budget);
	xhprof_table_recycle(&operations->values, budget);
	xhprof_table_recycle(&operations->noted, budget);
	xhprof_table_recycle(&operations->in_context, budget);
	xhprof_arena_recycle(&operations->arena, budget);
	reset(operations);
	operations->on = false;
}

static xhprof_operation_text *make_text(xhprof_operations *operations, xhprof_operation_kind kind, const char *bytes,
										size_t length)
{
	const uint32_t most = XHPROF_OPERATION_TEXTS + XHPROF_OPERATION_KINDS; /* with the others */
	if (!operations->by_id) {
		operations->by_id = xhprof_arena_alloc(&operations->arena, most * sizeof(*operations->by_id), 8);
	}
	xhprof_operation_text *text = xhprof_arena_alloc(&operations->arena, sizeof(*text), 8);
	char *copy = xhprof_arena_alloc(&operations->arena, length + 1, 1);
	if (!operations->by_id || !text || !copy) {
		return NULL;
	}
	memcpy(copy, bytes, length);
	*text =
		(xhprof_operation_text){.bytes = copy, .length = (uint32_t)length, .id = operations->text_count, .kind = kind};
	operations->by_id[operations->text_count++] = text;
	return text;
}

/* Returns the text "(other)" of a kind, which does not count to the bound. */
static xhprof_operation_text *other_text(xhprof_operations *operations, xhprof_operation_kind kind)
{
	if (!operations->other[kind]) {
		operations->other[kind] = make_text(operations, kind, OTHER_TEXT, sizeof(OTHER_TEXT) - 1);
	}
	return operations->other[kind];
}

xhprof_operation_text *xhprof_operations_text(xhprof_operations *operations, xhprof_operation_kind kind,
											  const char *bytes, size_t length)
{
	uint64_t hash = xhprof_hash_bytes(bytes, length, (uint64_t)kind + 1);
	xhprof_operation_text *head = xhprof_table_find(&operations->texts, hash), *text = head;
	while (text && (text->kind != kind || text->length != length || memcmp(text->bytes, bytes, length) != 0)) {
		text = text->chain;
	}
	if (text) {
		return text;
	}
	if (operations->texts.used >= XHPROF_OPERATION_TEXTS || operations->text_count >= XHPROF_OPERATION_TEXTS ||
		!xhprof_table_reserve(&operations->texts) || !(text = make_text(operations, kind, bytes, length))) {
		return other_text(operations, kind);
	}
	text->chain = head;
	xhprof_table_put(&operations->texts, hash, text);
	return text;
}

xhprof_operation_text *xhprof_operations_known(const xhprof_operations *operations, uint64_t hash)
{
	return xhprof_table_find(&operations->raw, hash);
}

/* Adds no more than `most` entries. */
static void put_bounded(xhprof_table *table, uint64_t key, void *value, uint32_t most)
{
	if (key && value && (table->used < most || xhprof_table_find(table, key))) {
		xhprof_table_put(table, key, value);
	}
}

void xhprof_operations_know(xhprof_operations *operations, uint64_t hash, xhprof_operation_text *text)
{
	put_bounded(&operations->raw, hash, text, XHPROF_OPERATION_TEXTS);
}

xhprof_operation_text *xhprof_operations_noted(const xhprof_operations *operations, uint64_t statement)
{
	return statement ? xhprof_table_find(&operations->noted, statement) : NULL;
}

void xhprof_operations_note(xhprof_operations *operations, uint64_t statement, xhprof_operation_text *text)
{
	put_bounded(&operations->noted, statement, text, XHPROF_OPERATION_TEXTS);
}

xhprof_open_operation *xhprof_operations_find(xhprof_operations *operations, const void *frame)
{
	for (uint32_t i = operations->opened; i-- > 0;) {
		if (operations->open[i].frame == frame) {
			return &operations->open[i];
		}
	}
	return NULL;
}

void xhprof_operations_open(xhprof_operations *operations, const xhprof_open_operation *open)
{
	xhprof_open_operation *stale = xhprof_operations_find(operations, open->frame);
	if (stale) { /* its end was not seen */
		operations->lost++;
		*stale = *open;
		return;
	}
	if (!operations->open) {
		operations->open = xhprof_arena_alloc(&operations->arena, XHPROF_OPERATION_OPEN * sizeof(*open), 8);
	}
	if (!operations->open || operations->opened == XHPROF_OPERATION_OPEN) {
		operations->lost++;
		return;
	}
	operations->open[operations->opened++] = *open;
}

static uint64_t operation_key(const xhprof_node *node, const xhprof_operation_text *text)
{
	return (uint64_t)node->id << 32 | (text->id + 1);
}

/* Finds an operation, and makes it if there are fewer than `most`. */
static xhprof_operation *find_operation(xhprof_operations *operations, const xhprof_node *node,
										xhprof_operation_text *text, uint32_t most)
{
	uint64_t key = operation_key(node, text);
	xhprof_operation *operation = xhprof_table_find(&operations->by_key, key);
	if (operation || operations->count >= most) {
		return operation;
	}
	operation = xhprof_arena_alloc(&operations->arena, sizeof(*operation), 8);
	if (!operation || !xhprof_table_put(&operations->by_key, key, operation)) {
		return NULL;
	}
	operation->node = node;
	operation->text = text;
	*(operations->last ? &operations->last->next : &operations->first) = operation;
	operations->last = operation;
	operation->number = ++operations->count;
	return operation;
}

void xhprof_operations_moved(xhprof_operations *operations)
{
	size_t all = SIZE_MAX; /* the room stays */
	xhprof_table_recycle(&operations->by_key, &all);
	for (xhprof_operation *operation = operations->first; operation; operation = operation->next) {
		xhprof_table_put(&operations->by_key, operation_key(operation->node, operation->text), operation);
	}
}

static xhprof_operation *operation_of(xhprof_operations *operations, const xhprof_node *node, const xhprof_node *root,
									  xhprof_operation_text *text)
{
	xhprof_operation *operation = find_operation(operations, node, text, XHPROF_OPERATION_PATHS);
	uint32_t with_roots = XHPROF_OPERATION_PATHS + operations->text_count;
	return operation ? operation : find_operation(operations, root, text, with_roots);
}

static unsigned bucket_of(uint64_t ticks)
{
	if (ticks < UINT64_C(1) << FIRST_POWER) {
		return 0;
	}
	unsigned power = 63u - (unsigned)__builtin_clzll(ticks);
	unsigned bucket = (power - FIRST_POWER) * 4 + (unsigned)(ticks >> (power - 2) & 3);
	return bucket < XHPROF_OPERATION_BUCKETS ? bucket : XHPROF_OPERATION_BUCKETS - 1;
}

uint64_t xhprof_operations_bucket(unsigned bucket)
{
	return bucket ? (uint64_t)(4 + bucket % 4) << (FIRST_POWER + bucket / 4 - 2) : 0;
}

static bool is_new(xhprof_operations *operations, uint64_t values)
{
	if (!values || operations->values.used >= XHPROF_OPERATION_VALUES) {
		return true;
	}
	if (xhprof_table_find(&operations->values, values)) {
		return false;
	}
	xhprof_table_put(&operations->values, values, PRESENT);
	return true;
}

static void count(xhprof_operations *operations, xhprof_operation *operation, uint64_t values, uint64_t ticks)
{
	uint64_t at_path = values ? xhprof_hash_mix(values ^ (uint64_t)operation->number << 32) : 0;
	uint64_t of_text = values ? xhprof_hash_mix(values + operation->text->id) : 0;
	operation->distinct += is_new(operations, at_path);
	operation->text->distinct += is_new(operations, of_text);
	if (operation->calls == 1) {
		operation->buckets =
			xhprof_arena_alloc(&operations->arena, XHPROF_OPERATION_BUCKETS * sizeof(*operation->buckets), 4);
		if (operation->buckets) {
			operation->buckets[bucket_of(operation->total)] = 1;
		}
	}
	operation->calls++;
	operation->total += ticks;
	operation->most = ticks > operation->most ? ticks : operation->most;
	if (operation->buckets) {
		operation->buckets[bucket_of(ticks)]++;
	}
}

/* Returns the figures of an operation in a context, and makes them if there is room; else NULL. */
static xhprof_operation_context *in_context(xhprof_operations *operations, const xhprof_operation *operation,
											uint32_t context)
{
	uint64_t key = (uint64_t)operation->number << 32 | context;
	xhprof_operation_context *found = xhprof_table_find(&operations->in_context, key);
	if (found || operations->in_count == XHPROF_OPERATION_CONTEXTS) {
		return found;
	}
	found = xhprof_arena_alloc(&operations->arena, sizeof(*found), 8);
	if (!found || !xhprof_table_put(&operations->in_context, key, found)) {
		return NULL;
	}
	*found = (xhprof_operation_context){.operation = operation, .context = context};
	*(operations->in_last ? &operations->in_last->next : &operations->in_first) = found;
	operations->in_last = found;
	operations->in_count++;
	return found;
}

static void count_in_context(xhprof_operations *operations, const xhprof_operation *operation, uint32_t context,
							 uint64_t ticks)
{
	xhprof_operation_context *counted = context ? in_context(operations, operation, context) : NULL;
	if (counted) {
		counted->calls++;
		counted->total += ticks;
	} else if (context) {
		operations->in_dropped++;
	}
}

void xhprof_operations_drop(xhprof_operations *operations, xhprof_open_operation *open)
{
	/* Those above it are of other fibers. */
	uint32_t place = (uint32_t)(open - operations->open);
	operations->opened--;
	memmove(open, open + 1, (operations->opened - place) * sizeof(*open));
}

void xhprof_operations_close(xhprof_operations *operations, xhprof_open_operation *open, const xhprof_node *root,
							 uint64_t now)
{
	xhprof_operation *operation = open->text ? operation_of(operations, open->node, root, open->text) : NULL;
	if (operation) {
		uint64_t ticks = now > open->start ? now - open->start : 0;
		count(operations, operation, open->values, ticks);
		count_in_context(operations, operation, open->context, ticks);
	} else {
		operations->lost++;
	}
	xhprof_operations_drop(operations, open);
}

void xhprof_operations_stop(xhprof_operations *operations, const xhprof_node *root, const xhprof_clock *clock,
							uint64_t now)
{
	while (operations->opened) {
		xhprof_operations_close(operations, &operations->open[operations->opened - 1], root, now);
	}
	for (xhprof_operation *operation = operations->first; operation; operation = operation->next) {
		operation->total = xhprof_clock_to_ns(clock, operation->total);
		operation->most = xhprof_clock_to_ns(clock, operation->most);
	}
	for (xhprof_operation_context *at = operations->in_first; at; at = at->next) {
		at->total = xhprof_clock_to_ns(clock, at->total);
	}
}
