#include "export_tree.h"

/* The figures a node has, in the order they are written. */
typedef struct tree_metric {
	const char *name;
	const char *unit;
	uint32_t needs; /* XHPROF_TRACE_* that must be on, or 0 */
	int64_t (*of)(const xhprof_node *node);
} tree_metric;

static int64_t node_wall(const xhprof_node *node)
{
	return (int64_t)node->self_wall;
}

static int64_t node_cpu(const xhprof_node *node)
{
	return (int64_t)node->self_cpu;
}

static int64_t node_memory(const xhprof_node *node)
{
	return node->self_memory;
}

static int64_t node_peak(const xhprof_node *node)
{
	return node->self_peak;
}

static int64_t node_calls(const xhprof_node *node)
{
	return (int64_t)node->calls;
}

static int64_t node_name(const xhprof_node *node)
{
	return (int64_t)XHPROF_SYMBOL_ID(node->symbol) - 1; /* ids start at 1, names at 0 */
}

static const tree_metric metrics[] = {
	{"wt", "ns", 0, node_wall},
	{"cpu", "ns", XHPROF_TRACE_CPU, node_cpu},
	{"mu", "B", XHPROF_TRACE_MEMORY, node_memory},
	{"pmu", "B", XHPROF_TRACE_MEMORY, node_peak},
};
#define METRICS (sizeof(metrics) / sizeof(metrics[0]))

static bool metric_present(const xhprof_tracer *tracer, const tree_metric *metric)
{
	return (tracer->flags & metric->needs) == metric->needs;
}

static zval *column_init(zval *into, const char *name, const xhprof_tracer *tracer)
{
	zval column;
	array_init_size(&column, tracer->tree.nodes);
	zend_hash_real_init_packed(Z_ARRVAL(column));
	return zend_hash_str_update(Z_ARRVAL_P(into), name, strlen(name), &column);
}

static void column_fill(zval *into, const char *name, const xhprof_tracer *tracer, int64_t (*of)(const xhprof_node *))
{
	zval *column = column_init(into, name, tracer);
	for (const xhprof_node *node = tracer->tree.root; node; node = xhprof_calltree_next(node)) {
		add_next_index_long(column, (zend_long)of(node));
	}
}

void xhprof_export_tree_array(const xhprof_tracer *tracer, zval *result)
{
	zval names, self;
	uint32_t depth = 0;
	array_init(result);
	array_init_size(&names, tracer->symbols.count);
	for (uint32_t id = 1; id <= tracer->symbols.count; id++) {
		const xhprof_symbol *symbol = xhprof_symbols_get(&tracer->symbols, id);
		add_next_index_stringl(&names, symbol->name, symbol->length);
	}
	add_assoc_zval(result, "names", &names);
	column_fill(result, "fn", tracer, node_name);
	zval *depths = column_init(result, "depth", tracer);
	for (const xhprof_node *node = tracer->tree.root; node; node = xhprof_calltree_next_at(node, &depth)) {
		add_next_index_long(depths, depth);
	}
	column_fill(result, "ct", tracer, node_calls);
	array_init(&self);
	for (size_t i = 0; i < METRICS; i++) {
		if (metric_present(tracer, &metrics[i])) {
			column_fill(&self, metrics[i].name, tracer, metrics[i].of);
		}
	}
	add_assoc_zval(result, "self", &self);
}

static void json_column(xhprof_writer *writer, const char *name, const xhprof_tracer *tracer,
						int64_t (*of)(const xhprof_node *))
{
	xhprof_write_string(writer, "\"");
	xhprof_write_string(writer, name);
	xhprof_write_string(writer, "\":[");
	for (const xhprof_node *node = tracer->tree.root; node; node = xhprof_calltree_next(node)) {
		if (node != tracer->tree.root) {
			xhprof_write_bytes(writer, ",", 1);
		}
		xhprof_write_int(writer, of(node));
	}
	xhprof_write_string(writer, "]");
}

static void json_units(const xhprof_tracer *tracer, xhprof_writer *writer)
{
	xhprof_write_string(writer, "\"unit\":{");
	for (size_t i = 0; i < METRICS; i++) {
		if (metric_present(tracer, &metrics[i])) {
			xhprof_write_string(writer, i ? ",\"" : "\"");
			xhprof_write_string(writer, metrics[i].name);
			xhprof_write_string(writer, "\":\"");
			xhprof_write_string(writer, metrics[i].unit);
			xhprof_write_string(writer, "\"");
		}
	}
	xhprof_write_string(writer, "}");
}

void xhprof_export_tree_json(const xhprof_tracer *tracer, xhprof_writer *writer)
{
	uint32_t depth = 0;
	xhprof_write_string(writer, "{\"v\":1,\"kind\":\"tree\",\"order\":\"preorder\",\"mode\":\"merged\",");
	json_units(tracer, writer);
	xhprof_write_string(writer, ",\"n\":");
	xhprof_write_uint(writer, tracer->tree.nodes);
	xhprof_write_string(writer, ",\n\"names\":[");
	for (uint32_t id = 1; id <= tracer->symbols.count; id++) {
		const xhprof_symbol *symbol = xhprof_symbols_get(&tracer->symbols, id);
		xhprof_write_string(writer, id == 1 ? "" : ",");
		xhprof_write_json_string(writer, symbol->name, symbol->length);
	}
	xhprof_write_string(writer, "],\n");
	json_column(writer, "fn", tracer, node_name);
	xhprof_write_string(writer, ",\n\"depth\":[");
	for (const xhprof_node *node = tracer->tree.root; node; node = xhprof_calltree_next_at(node, &depth)) {
		xhprof_write_string(writer, node == tracer->tree.root ? "" : ",");
		xhprof_write_uint(writer, depth);
	}
	xhprof_write_string(writer, "],\n");
	json_column(writer, "ct", tracer, node_calls);
	xhprof_write_string(writer, ",\n\"self\":{");
	for (size_t i = 0; i < METRICS; i++) {
		if (metric_present(tracer, &metrics[i])) {
			xhprof_write_string(writer, i ? ",\n" : "");
			json_column(writer, metrics[i].name, tracer, metrics[i].of);
		}
	}
	xhprof_write_string(writer, "}}\n");
}
