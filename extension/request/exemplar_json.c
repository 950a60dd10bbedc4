#include "exemplar_json.h"

#include "alloc/alloc_sampling.h"
#include "export/tree_json.h"

static uint64_t samples_of(const xhprof_exemplar *exemplar)
{
	uint64_t sum = 0;
	for (uint32_t i = 0; i < exemplar->used; i++) {
		sum += exemplar->nodes[i].calls;
	}
	return sum;
}

typedef int64_t (*node_value)(const xhprof_exemplar_node *node);

static int64_t value_name(const xhprof_exemplar_node *node)
{
	return xhprof_name_index(node->symbol);
}

static int64_t value_depth(const xhprof_exemplar_node *node)
{
	return node->depth;
}

static int64_t value_calls(const xhprof_exemplar_node *node)
{
	return node->calls;
}

static int64_t value_line(const xhprof_exemplar_node *node)
{
	return node->line;
}

static void write_column(xhprof_json *json, const char *name, const xhprof_exemplar *exemplar, node_value value)
{
	xhprof_json_open_member(json, name, '[');
	for (uint32_t i = 0; i < exemplar->used; i++) {
		xhprof_json_item(json);
		xhprof_write_int(json->writer, value(&exemplar->nodes[i]));
	}
	xhprof_json_close(json, ']');
}

/* Those of the tree's metrics that an exemplar records itself; its times follow from its samples. */
static const uint64_t *blocks_value(const xhprof_exemplar_blocks *blocks, enum xhprof_column column)
{
	switch (column) {
		case XHPROF_COLUMN_ALLOCATED_BYTES:
			return &blocks->allocated_bytes;
		case XHPROF_COLUMN_ALLOCATED_BLOCKS:
			return &blocks->allocated_blocks;
		case XHPROF_COLUMN_PEAK_BYTES:
			return &blocks->peak_bytes;
		default:
			return NULL;
	}
}

static void write_metric(xhprof_json *json, const xhprof_metric *metric, const xhprof_exemplar *exemplar)
{
	uint64_t unit = metric->column == XHPROF_COLUMN_ALLOCATED_BLOCKS ? XHPROF_SAMPLING_UNIT : 1;
	xhprof_json_open_member(json, metric->name, '[');
	for (uint32_t i = 0; i < exemplar->used; i++) {
		xhprof_json_item(json);
		xhprof_write_uint(json->writer, *blocks_value(&exemplar->blocks[i], metric->column) / unit);
	}
	xhprof_json_close(json, ']');
}

static void write_metrics(xhprof_json *json, const xhprof_exemplar *exemplar)
{
	xhprof_json_open_member(json, "self", '{');
	for (size_t i = 0; i < XHPROF_METRICS; i++) {
		if (blocks_value(exemplar->blocks, xhprof_metrics[i].column)) {
			write_metric(json, &xhprof_metrics[i], exemplar);
		}
	}
	xhprof_json_close(json, '}');
}

static void write_exemplar(xhprof_json *json, const xhprof_symbol *route, const char *kind,
						   const xhprof_exemplar *exemplar)
{
	const xhprof_exemplar_figures *figures = &exemplar->figures;
	xhprof_json_line(json);
	xhprof_json_item(json);
	xhprof_json_open(json, '{');
	xhprof_json_string(json, "route", route->name, route->length);
	xhprof_json_text(json, "kind", kind);
	xhprof_json_uint(json, "wall_us", figures->wall_us);
	xhprof_json_uint(json, "cpu_us", figures->cpu_us);
	xhprof_json_uint(json, "peak", figures->peak);
	xhprof_json_uint(json, "ended", figures->ended);
	xhprof_json_flag(json, "failed", figures->failed);
	xhprof_json_uint(json, "samples", samples_of(exemplar));
	write_column(json, "fn", exemplar, value_name);
	write_column(json, "depth", exemplar, value_depth);
	write_column(json, "ct", exemplar, value_calls);
	write_column(json, "call_line", exemplar, value_line);
	if (exemplar->blocks) {
		write_metrics(json, exemplar);
	}
	xhprof_json_close(json, '}');
}

void xhprof_exemplars_json(const xhprof_exemplars *exemplars, const xhprof_symbols *symbols, xhprof_writer *writer)
{
	static const char *const kinds[XHPROF_EXEMPLAR_KINDS] = {
		[XHPROF_EXEMPLAR_SLOWEST] = "slowest", [XHPROF_EXEMPLAR_RANDOM] = "random"};
	xhprof_json document = {.writer = writer, .first = true}, *json = &document;
	xhprof_json_open(json, '{');
	xhprof_json_uint(json, "v", 1);
	xhprof_json_text(json, "kind", "exemplars");
	xhprof_json_open_member(json, "exemplars", '[');
	for (uint32_t i = 0; i < exemplars->count; i++) {
		const xhprof_exemplar_route *entry = &exemplars->routes[i];
		for (size_t kind = 0; kind < XHPROF_EXEMPLAR_KINDS; kind++) {
			if (entry->of[kind].key) {
				const xhprof_symbol *route = xhprof_symbols_get(symbols, XHPROF_SYMBOL_ID(entry->symbol));
				write_exemplar(json, route, kinds[kind], &entry->of[kind]);
			}
		}
	}
	xhprof_json_close(json, ']');
	xhprof_json_close(json, '}');
	xhprof_write_string(writer, "\n");
}
