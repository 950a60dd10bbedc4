#include "spool_put.h"

#include <string.h>

char *xhprof_spool_put_number(char *to, uint64_t number)
{
	while (number >= 0x80) {
		*to++ = (char)(number | 0x80);
		number >>= 7;
	}
	*to++ = (char)number;
	return to;
}

char *xhprof_spool_put_files(char *to, const char *end, const xhprof_file_list *files)
{
	if ((size_t)(end - to) < XHPROF_SPOOL_NUMBER_ROOM) {
		return NULL;
	}
	to = xhprof_spool_put_number(to, files ? files->count : 0);
	for (const xhprof_file *file = files ? files->first : NULL; file; file = file->next) {
		if ((size_t)(end - to) < file->length + XHPROF_SPOOL_NUMBER_ROOM) {
			return NULL;
		}
		to = xhprof_spool_put_number(to, file->length);
		memcpy(to, file->path, file->length);
		to += file->length;
	}
	return to;
}

char *xhprof_spool_put_place(char *to, const xhprof_place *place)
{
	to = xhprof_spool_put_number(to, place->file ? place->file->id : 0);
	to = xhprof_spool_put_number(to, place->line);
	return xhprof_spool_put_number(to, place->last_line);
}

/* Returns a number whose sign is its lowest bit: small ones stay short. */
static uint64_t of_signed(int64_t number)
{
	return number < 0 ? (uint64_t)(-number) << 1 | 1 : (uint64_t)number << 1;
}

char *xhprof_spool_put_numbers(char *to, const uint64_t *numbers, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		to = xhprof_spool_put_number(to, numbers[i]);
	}
	return to;
}

char *xhprof_spool_put_node(char *to, uint32_t depth, uint32_t name, const xhprof_node *node,
							const xhprof_node_blocks *blocks, const xhprof_node_kept *kept)
{
	size_t count = kept ? XHPROF_SPOOL_NODE_NUMBERS : blocks ? XHPROF_SPOOL_NODE_ALLOCATING : XHPROF_SPOOL_NODE_SHORT;
	const uint64_t numbers[XHPROF_SPOOL_NODE_NUMBERS] = {
		[XHPROF_SPOOL_NODE_DEPTH] = depth,
		[XHPROF_SPOOL_NODE_NAME] = name,
		[XHPROF_SPOOL_NODE_CALLS] = node ? node->calls : 0,
		[XHPROF_SPOOL_NODE_LINE] = node ? *xhprof_node_call_line(node) : 0,
		[XHPROF_SPOOL_NODE_ALLOCATED_BYTES] = blocks ? blocks->allocated_bytes : 0,
		[XHPROF_SPOOL_NODE_ALLOCATED_BLOCKS] = blocks ? blocks->allocated_blocks : 0,
		[XHPROF_SPOOL_NODE_PEAK_BYTES] = node && blocks ? (uint64_t)node->self_peak : 0,
		[XHPROF_SPOOL_NODE_KEPT_BYTES] = kept ? kept->kept_bytes : 0,
		[XHPROF_SPOOL_NODE_KEPT_BLOCKS] = kept ? kept->kept_blocks : 0,
		[XHPROF_SPOOL_NODE_RELEASED_BYTES] = kept ? kept->released_bytes : 0,
		[XHPROF_SPOOL_NODE_RELEASED_BLOCKS] = kept ? kept->released_blocks : 0,
	};
	return xhprof_spool_put_numbers(to, numbers, count);
}

/* Puts the buckets, each by its distance from the one before. */
static char *put_distribution(char *to, const xhprof_distribution *distribution)
{
	uint32_t before = 0;
	to = xhprof_spool_put_number(to, distribution->used);
	for (uint32_t i = 0; i < distribution->used; i++) {
		to = xhprof_spool_put_number(to, distribution->buckets[i].bucket - before);
		to = xhprof_spool_put_number(to, distribution->buckets[i].count);
		before = distribution->buckets[i].bucket;
	}
	return to;
}

char *xhprof_spool_put_route(char *to, uint32_t name, const xhprof_merged_route *route)
{
#define VALUE(name, field) [XHPROF_SPOOL_ROUTE_##name] = (uint64_t)route->field,
	uint64_t numbers[XHPROF_SPOOL_ROUTE_NUMBERS] = {XHPROF_SPOOL_ROUTE(VALUE, VALUE)};
	numbers[XHPROF_SPOOL_ROUTE_KEPT] = of_signed(route->kept);
	to = xhprof_spool_put_numbers(xhprof_spool_put_number(to, name), numbers, XHPROF_SPOOL_ROUTE_NUMBERS);
	for (size_t measure = 0; measure < XHPROF_MERGED_MEASURES; measure++) {
		to = put_distribution(to, &route->distributions[measure]);
	}
	return to;
}

/* Puts the bytes of ids into numbers of 32 bits. */
static void put_ids(uint64_t *numbers, const xhprof_trace_ids *ids)
{
	uint32_t parts[sizeof(*ids) / sizeof(uint32_t)];
	memcpy(parts, ids, sizeof(parts));
	for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++) {
		numbers[i] = parts[i];
	}
}

char *xhprof_spool_put_exemplar_numbers(char *to, uint64_t key, const xhprof_exemplar_figures *figures, uint32_t nodes)
{
	uint64_t numbers[XHPROF_SPOOL_EXEMPLAR_NUMBERS] = {
		[XHPROF_SPOOL_EXEMPLAR_KEY] = key,
		[XHPROF_SPOOL_EXEMPLAR_WALL] = figures->wall_us,
		[XHPROF_SPOOL_EXEMPLAR_CPU] = figures->cpu_us,
		[XHPROF_SPOOL_EXEMPLAR_PEAK] = figures->peak,
		[XHPROF_SPOOL_EXEMPLAR_ENDED] = figures->ended,
		[XHPROF_SPOOL_EXEMPLAR_FAILED] = figures->failed,
		[XHPROF_SPOOL_EXEMPLAR_NODES] = nodes,
	};
	put_ids(&numbers[XHPROF_SPOOL_EXEMPLAR_TRACE], &figures->context);
	return xhprof_spool_put_numbers(to, numbers, XHPROF_SPOOL_EXEMPLAR_NUMBERS);
}

size_t xhprof_spool_put_head(char *to, size_t length)
{
	const char *contents = to + sizeof(xhprof_spool_record_head);
	xhprof_spool_record_head head = {XHPROF_SPOOL_RECORD_MAGIC, (uint32_t)length,
									 xhprof_hash_bytes(contents, length, 0), 0};
	head.head_checksum = xhprof_spool_head_checksum(&head);
	memcpy(to, &head, sizeof(head));
	return xhprof_spool_record_size_of(length);
}
