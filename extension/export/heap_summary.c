#include "heap_summary.h"

#include "base/hash.h"

static const char others[] = "(others)";

void xhprof_heap_summary_begin(xhprof_heap_summary *summary, const xhprof_heap_visitor *next)
{
	memset(summary, 0, sizeof(*summary));
	summary->classes.others.name = summary->owners.others.name = others;
	summary->classes.others.length = summary->owners.others.length = sizeof(others) - 1;
	if (next) {
		summary->next = *next;
	}
}

void xhprof_heap_summary_release(xhprof_heap_summary *summary)
{
	xhprof_table_release(&summary->classes.table);
	xhprof_table_release(&summary->owners.table);
	xhprof_arena_release(&summary->arena);
}

static xhprof_heap_named *find_or_add_name(xhprof_heap_names *names, xhprof_arena *arena, const char *name,
										   size_t length)
{
	uint64_t hash = xhprof_hash_bytes(name, length, 0);
	xhprof_heap_named *first = xhprof_table_find(&names->table, hash);
	for (xhprof_heap_named *each = first; each; each = each->next) {
		if (each->length == length && !memcmp(each->name, name, length)) {
			return each;
		}
	}
	if (names->count >= XHPROF_HEAP_NAMES_MAX) {
		return &names->others;
	}
	xhprof_heap_named *added = xhprof_arena_alloc(arena, sizeof(*added) + length, _Alignof(xhprof_heap_named));
	if (!added || !xhprof_table_reserve(&names->table)) {
		return &names->others;
	}
	memcpy(added + 1, name, length);
	added->name = (const char *)(added + 1);
	added->length = length;
	added->next = first;
	xhprof_table_put(&names->table, hash, added);
	names->count++;
	return added;
}

static void count_node(xhprof_heap_count *counted, const xhprof_heap_node *node)
{
	counted->count++;
	counted->bytes += node->block;
	counted->size += node->size;
}

static void summary_node(void *context, const xhprof_heap_node *node)
{
	/* The names of nodes without a name, by type: of those that are counted by class or, natives, by owner. */
	static const char *const unnamed[XHPROF_HEAP_TYPE_COUNT] = {
		[XHPROF_HEAP_OBJECT] = "(unknown)", [XHPROF_HEAP_ENUM_CASE] = "(unknown)",
		[XHPROF_HEAP_CLOSURE] = "Closure",  [XHPROF_HEAP_GENERATOR] = "Generator",
		[XHPROF_HEAP_FIBER] = "Fiber",      [XHPROF_HEAP_NATIVE] = "(unknown)",
	};
	xhprof_heap_summary *summary = context;
	const char *name = node->name ? node->name : unnamed[node->type];
	summary->nodes++;
	count_node(&summary->types[node->type], node);
	if (unnamed[node->type]) {
		xhprof_heap_names *names = node->type == XHPROF_HEAP_NATIVE ? &summary->owners : &summary->classes;
		size_t length = node->name ? node->name_length : strlen(name);
		count_node(&find_or_add_name(names, &summary->arena, name, length)->counted, node);
	}
	if (summary->next.node) {
		summary->next.node(summary->next.context, node);
	}
}

static void summary_edge(void *context, const xhprof_heap_edge *edge)
{
	xhprof_heap_summary *summary = context;
	summary->edges++;
	if (summary->next.edge) {
		summary->next.edge(summary->next.context, edge);
	}
}

xhprof_heap_visitor xhprof_heap_summary_visitor(xhprof_heap_summary *summary)
{
	return (xhprof_heap_visitor){.context = summary, .node = summary_node, .edge = summary_edge};
}

static bool comes_before(const xhprof_heap_named *a, const xhprof_heap_named *b)
{
	if (a->counted.bytes != b->counted.bytes) {
		return a->counted.bytes > b->counted.bytes;
	}
	if (a->counted.count != b->counted.count) {
		return a->counted.count > b->counted.count;
	}
	int order = memcmp(a->name, b->name, a->length < b->length ? a->length : b->length);
	return order ? order < 0 : a->length <= b->length;
}

static xhprof_heap_named *merge_names(xhprof_heap_named *a, xhprof_heap_named *b)
{
	xhprof_heap_named *first = NULL, **end = &first;
	while (a && b) {
		xhprof_heap_named **from = comes_before(a, b) ? &a : &b;
		*end = *from;
		end = &(*from)->next;
		*from = (*from)->next;
	}
	*end = a ? a : b;
	return first;
}

const xhprof_heap_named *xhprof_heap_names_sort(xhprof_heap_names *names)
{
	xhprof_heap_named *sorted[32] = {NULL}; /* a list of 2^i of them each */
	if (names->first) {
		return names->first;
	}
	for (uint32_t slot = 0; slot < names->table.capacity; slot++) {
		xhprof_heap_named *next, *one = names->table.slots[slot].key ? names->table.slots[slot].value : NULL;
		for (; one; one = next) {
			next = one->next;
			one->next = NULL;
			size_t i = 0;
			for (; sorted[i]; i++) {
				one = merge_names(sorted[i], one);
				sorted[i] = NULL;
			}
			sorted[i] = one;
		}
	}
	for (size_t i = 0; i < sizeof(sorted) / sizeof(*sorted); i++) {
		names->first = merge_names(sorted[i], names->first);
	}
	if (names->others.counted.count) {
		names->first = merge_names(&names->others, names->first);
	}
	xhprof_table_release(&names->table); /* its lists are invalid now */
	return names->first;
}

static void write_count(xhprof_json *json, const xhprof_heap_count *counted, bool with_size)
{
	xhprof_json_open(json, '{');
	xhprof_json_uint(json, "count", counted->count);
	xhprof_json_uint(json, "bytes", counted->bytes);
	if (with_size) {
		xhprof_json_uint(json, "size", counted->size);
	}
	xhprof_json_close(json, '}');
}

static void write_names(xhprof_json *json, const char *key, xhprof_heap_names *names, bool with_size)
{
	xhprof_json_open_member(json, key, '{');
	for (const xhprof_heap_named *each = xhprof_heap_names_sort(names); each; each = each->next) {
		xhprof_json_key(json, each->name, each->length);
		write_count(json, &each->counted, with_size);
	}
	xhprof_json_close(json, '}');
}

static void write_tier(xhprof_json *json, const char *name, uint64_t bytes, uint64_t blocks)
{
	xhprof_json_open_member(json, name, '{');
	xhprof_json_uint(json, "bytes", bytes);
	xhprof_json_uint(json, "blocks", blocks);
	xhprof_json_close(json, '}');
}

void xhprof_heap_summary_write(xhprof_heap_summary *summary, xhprof_json *json, const xhprof_heap_info *info,
							   const xhprof_walk_result *result, uint64_t took_ns)
{
	uint64_t all = result->typed_bytes + result->native_bytes + result->unreachable_bytes;
	xhprof_json_open(json, '{');
	xhprof_json_uint(json, "nodes", summary->nodes);
	xhprof_json_uint(json, "edges", summary->edges);
	xhprof_json_uint(json, "usage", info->zmm ? info->zmm->size : all);
	write_tier(json, "typed", result->typed_bytes, result->typed_blocks);
	write_tier(json, "native", result->native_bytes, result->native_blocks);
	write_tier(json, "unreachable", result->unreachable_bytes, result->unreachable_blocks);
	xhprof_json_uint(json, "shared_bytes", result->shared_bytes);
	xhprof_json_uint(json, "outside_bytes", result->outside_bytes);
	xhprof_json_name(json, "typed_percent");
	xhprof_heap_write_percent(json->writer, result->typed_bytes, all);
	xhprof_json_uint(json, "unreadable", result->unreadable);
	xhprof_json_flag(json, "incomplete", result->incomplete);
	xhprof_json_decimal(json, "took_ms", (double)took_ns / 1e6, 3);
	xhprof_json_open_member(json, "types", '{');
	for (unsigned type = 0; type < XHPROF_HEAP_TYPE_COUNT; type++) {
		if (summary->types[type].count) {
			xhprof_json_name(json, xhprof_heap_type_name((xhprof_heap_type)type));
			write_count(json, &summary->types[type], true);
		}
	}
	xhprof_json_close(json, '}');
	write_names(json, "classes", &summary->classes, true);
	write_names(json, "owners", &summary->owners, false);
	xhprof_json_close(json, '}');
}
