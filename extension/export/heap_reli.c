#include "heap_reli.h"
#include "heap_reli_tree.h"

#include "heap/zmm_blocks.h"

#define LOCATION_TYPES 64
#define HUGE_BLOCK (XHPROF_ZMM_CHUNK_SIZE - XHPROF_ZMM_PAGE_SIZE)

typedef struct location_type {
	const char *name;
	uint64_t count, bytes;
} location_type;

typedef struct sums {
	location_type types[LOCATION_TYPES];
	unsigned type_count;
	uint64_t huge, slack, array_slack, frames;
} sums;

/* In the Zend heap: those that have a block, or are within another's (in an arena). */
static bool in_heap(const xhprof_heap_facts *facts, const xhprof_graph_node *node)
{
	xhprof_zmm_block block;
	return node->block || (facts->zmm && node->size && xhprof_zmm_block_of(facts->zmm, node->address, &block));
}

static void add_location(sums *sum, const char *name, uint64_t bytes)
{
	unsigned i = 0;
	while (i < sum->type_count && sum->types[i].name != name) {
		i++;
	}
	if (i == LOCATION_TYPES) {
		return; /* there are not that many */
	}
	sum->type_count += i == sum->type_count;
	sum->types[i].name = name;
	sum->types[i].count++;
	sum->types[i].bytes += bytes;
}

static void sum_up(sums *sum, const xhprof_graph *graph, const xhprof_heap_facts *facts)
{
	for (uint32_t i = 0; i < graph->nodes.count; i++) {
		const xhprof_graph_node *node = xhprof_graph_node_at(graph, i);
		const char *name = node->known ? xhprof_reli_location(graph, node) : NULL;
		if (!name || !in_heap(facts, node)) {
			continue;
		}
		uint64_t used = node->block && node->size > node->block ? node->block : node->size;
		uint64_t slack = node->block ? node->block - used : 0;
		add_location(sum, name, used);
		sum->slack += slack;
		sum->array_slack += node->type == XHPROF_HEAP_ARRAY_TABLE ? slack : 0;
		sum->frames += node->type == XHPROF_HEAP_FRAME ? used : 0;
		sum->huge +=
			node->block > HUGE_BLOCK && node->type != XHPROF_HEAP_NATIVE && node->type != XHPROF_HEAP_UNREACHABLE
				? node->block
				: 0;
	}
	for (unsigned i = 1; i < sum->type_count; i++) {
		location_type type = sum->types[i];
		unsigned to = i;
		for (; to && sum->types[to - 1].bytes < type.bytes; to--) {
			sum->types[to] = sum->types[to - 1];
		}
		sum->types[to] = type;
	}
}

static void write_summary(xhprof_json *json, const sums *sum, const xhprof_heap_facts *facts,
						  const xhprof_walk_result *result, const xhprof_heap_summary *summary)
{
	static const xhprof_zmm no_zmm;
	const xhprof_zmm *zmm = facts->zmm ? facts->zmm : &no_zmm;
	uint64_t all = result->typed_bytes + result->native_bytes + result->unreachable_bytes;
	uint64_t chunks = zmm->chunk_count * XHPROF_ZMM_CHUNK_SIZE;
	uint64_t huge = sum->huge < result->typed_bytes ? sum->huge : result->typed_bytes;
	char version[] = "v00";
	xhprof_json_name(json, "summary");
	xhprof_json_open(json, '[');
	xhprof_json_item(json);
	xhprof_json_open(json, '{');
	xhprof_json_uint(json, "zend_mm_heap_total", chunks + zmm->huge_bytes);
	xhprof_json_uint(json, "zend_mm_heap_usage", result->typed_bytes);
	xhprof_json_uint(json, "zend_mm_chunk_total", chunks);
	xhprof_json_uint(json, "zend_mm_chunk_usage", result->typed_bytes - huge);
	xhprof_json_uint(json, "zend_mm_huge_total", zmm->huge_bytes);
	xhprof_json_uint(json, "zend_mm_huge_usage", huge);
	xhprof_json_uint(json, "vm_stack_total", summary->types[XHPROF_HEAP_VM_STACK].bytes);
	xhprof_json_uint(json, "vm_stack_usage", sum->frames);
	xhprof_json_uint(json, "compiler_arena_total", summary->types[XHPROF_HEAP_ARENA].bytes);
	xhprof_json_uint(json, "compiler_arena_usage", summary->types[XHPROF_HEAP_ARENA].size);
	xhprof_json_uint(json, "possible_allocation_overhead_total", sum->slack);
	xhprof_json_uint(json, "possible_array_overhead_total", sum->array_slack);
	xhprof_json_uint(json, "memory_get_usage", facts->zmm ? zmm->size : all);
	xhprof_json_uint(json, "memory_get_real_usage", zmm->real_size);
	xhprof_json_uint(json, "cached_chunks_size", zmm->cached_chunks * XHPROF_ZMM_CHUNK_SIZE);
	xhprof_json_uint(json, "native_usage", result->native_bytes);
	xhprof_json_uint(json, "unreachable_usage", result->unreachable_bytes);
	xhprof_json_name(json, "heap_memory_analyzed_percentage");
	xhprof_heap_write_percent(json->writer, result->typed_bytes, all);
	if (facts->php && facts->php[0] && facts->php[1] == '.' && facts->php[2]) {
		version[1] = facts->php[0];
		version[2] = facts->php[2];
		xhprof_json_string(json, "php_version", version, 3);
	}
	xhprof_json_text(json, "analyzer", "xhprof");
	xhprof_json_close(json, '}');
	xhprof_json_close(json, ']');
}

bool xhprof_heap_reli_write(xhprof_writer *writer, const xhprof_graph *graph, const xhprof_heap_facts *facts,
							const xhprof_walk_result *result, xhprof_heap_summary *summary, bool pretty)
{
	xhprof_json json = {.writer = writer, .pretty = pretty, .first = true};
	xhprof_reli_tree tree;
	sums sum = {.type_count = 0};
	if (!xhprof_reli_tree_begin(&tree, graph)) {
		return false;
	}
	sum_up(&sum, graph, facts);
	xhprof_json_open(&json, '{');
	write_summary(&json, &sum, facts, result, summary);
	xhprof_json_name(&json, "location_types_summary");
	xhprof_json_open(&json, '{');
	for (unsigned i = 0; i < sum.type_count; i++) {
		xhprof_json_name(&json, sum.types[i].name);
		xhprof_json_open(&json, '{');
		xhprof_json_uint(&json, "count", sum.types[i].count);
		xhprof_json_uint(&json, "location_count", sum.types[i].count); /* reli has been seen to call it either */
		xhprof_json_uint(&json, "memory_usage", sum.types[i].bytes);
		xhprof_json_close(&json, '}');
	}
	xhprof_json_close(&json, '}');
	xhprof_json_name(&json, "class_objects_summary");
	xhprof_json_open(&json, '{');
	for (const xhprof_heap_named *each = xhprof_heap_names_sort(&summary->classes); each; each = each->next) {
		xhprof_json_key(&json, each->name, each->length);
		xhprof_json_open(&json, '{');
		xhprof_json_uint(&json, "count", each->counted.count);
		xhprof_json_uint(&json, "total_size", each->counted.bytes);
		xhprof_json_uint(&json, "memory_usage", each->counted.bytes);
		xhprof_json_close(&json, '}');
	}
	xhprof_json_close(&json, '}');
	xhprof_json_name(&json, "context");
	xhprof_json_open(&json, '{');
	xhprof_reli_tree_write(&tree, &json);
	xhprof_json_close(&json, '}');
	xhprof_json_close(&json, '}');
	xhprof_write_bytes(writer, "\n", 1);
	xhprof_reli_tree_release(&tree);
	return true;
}
