#include "exemplar_sections.h"

#include "alloc/alloc_sampling.h"
#include "export/tree_sections.h"

/* Returns the most exemplars that there may be: of each route one of each kind. */
static uint32_t most(const xhprof_exemplars *exemplars)
{
	return exemplars->count * XHPROF_EXEMPLAR_KINDS;
}

/* Returns the exemplar at a place; NULL if the route has none of the kind. */
static const xhprof_exemplar *exemplar_at(const xhprof_exemplars *exemplars, uint32_t place)
{
	const xhprof_exemplar *exemplar =
		&exemplars->routes[place / XHPROF_EXEMPLAR_KINDS].by_kind[place % XHPROF_EXEMPLAR_KINDS];
	return exemplar->key ? exemplar : NULL;
}

static uint64_t samples_of(const xhprof_exemplar *exemplar)
{
	uint64_t sum = 0;
	for (uint32_t i = 0; i < exemplar->used; i++) {
		sum += exemplar->nodes[i].calls;
	}
	return sum;
}

enum node_field { NODE_NAME, NODE_DEPTH, NODE_CALLS, NODE_LINE, NODE_FIELDS };

static int64_t node_value(const xhprof_exemplar_node *node, enum node_field field)
{
	switch (field) {
		case NODE_NAME:
			return xhprof_name_index(node->symbol);
		case NODE_DEPTH:
			return node->depth;
		case NODE_CALLS:
			return node->calls;
		default:
			return node->line;
	}
}

/* Returns the values of a metric that an exemplar records itself; its times follow from its samples. */
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

/* Returns a node's value of a metric; 0 in an exemplar from before allocations were sampled. */
static int64_t metric_value(const xhprof_exemplar *exemplar, uint32_t node, enum xhprof_column column)
{
	uint64_t unit = column == XHPROF_COLUMN_ALLOCATED_BLOCKS ? XHPROF_SAMPLING_UNIT : 1;
	return exemplar->blocks ? (int64_t)(*blocks_value(&exemplar->blocks[node], column) / unit) : 0;
}

/* Gives a field of the nodes. `field`: a node_field, or NODE_FIELDS + a column. */
static void node_values(void *from, unsigned field, size_t first, size_t count, int64_t *values)
{
	xhprof_exemplar_sections *sections = from;
	if (!first) {
		sections->next = sections->node = 0;
	}
	for (size_t i = 0; i < count;) {
		const xhprof_exemplar *exemplar = exemplar_at(sections->exemplars, sections->next);
		if (!exemplar || sections->node == exemplar->used) {
			sections->next++;
			sections->node = 0;
			continue;
		}
		uint32_t node = sections->node++;
		values[i++] = field < NODE_FIELDS ? node_value(&exemplar->nodes[node], (enum node_field)field)
										  : metric_value(exemplar, node, (enum xhprof_column)(field - NODE_FIELDS));
	}
}

static void json_exemplar(xhprof_json *json, const xhprof_symbol *route, const char *kind,
						  const xhprof_exemplar *exemplar)
{
	const xhprof_exemplar_figures *figures = &exemplar->figures;
	xhprof_json_item(json);
	xhprof_json_open(json, '{');
	xhprof_json_string(json, "route", route->name, route->length);
	xhprof_json_text(json, "kind", kind);
	xhprof_json_uint(json, "wall_us", figures->wall_us);
	xhprof_json_uint(json, "cpu_us", figures->cpu_us);
	xhprof_json_uint(json, "peak", figures->peak);
	xhprof_json_uint(json, "ended", figures->ended);
	xhprof_json_flag(json, "failed", figures->failed);
	if (xhprof_trace_ids_any(&figures->context)) {
		char trace[XHPROF_TRACE_ID_LENGTH + 1], span[XHPROF_SPAN_ID_LENGTH + 1];
		xhprof_trace_id_text(trace, figures->context.trace, sizeof(figures->context.trace));
		xhprof_trace_id_text(span, figures->context.span, sizeof(figures->context.span));
		xhprof_json_text(json, "trace_id", trace);
		xhprof_json_text(json, "span_id", span);
	}
	xhprof_json_uint(json, "samples", samples_of(exemplar));
	xhprof_json_flag(json, "allocations", exemplar->blocks != NULL);
	xhprof_json_uint(json, "n", exemplar->used);
	xhprof_json_close(json, '}');
}

static void exemplars_head(xhprof_json *json, const void *from)
{
	static const char *const kinds[XHPROF_EXEMPLAR_KINDS] = {
		[XHPROF_EXEMPLAR_SLOWEST] = "slowest", [XHPROF_EXEMPLAR_RANDOM] = "random"};
	const xhprof_exemplar_sections *sections = from;
	xhprof_json_open_member(json, "exemplars", '[');
	for (uint32_t i = 0; i < most(sections->exemplars); i++) {
		const xhprof_exemplar *exemplar = exemplar_at(sections->exemplars, i);
		xhprof_symbol_ref route = sections->exemplars->routes[i / XHPROF_EXEMPLAR_KINDS].symbol;
		if (exemplar) {
			json_exemplar(json, xhprof_symbols_get(sections->symbols, XHPROF_SYMBOL_ID(route)),
						  kinds[i % XHPROF_EXEMPLAR_KINDS], exemplar);
		}
	}
	xhprof_json_close(json, ']');
}

void xhprof_exemplar_sections_add(xhprof_exemplar_sections *sections, const xhprof_exemplars *exemplars,
								  const xhprof_symbols *symbols, xhprof_run_file *file)
{
	static const char *const names[NODE_FIELDS] = {"fn", "depth", "ct", "call_line"};
	size_t nodes = 0;
	bool blocks = false;
	*sections = (xhprof_exemplar_sections){.exemplars = exemplars, .symbols = symbols};
	for (uint32_t i = 0; i < most(exemplars); i++) {
		const xhprof_exemplar *exemplar = exemplar_at(exemplars, i);
		nodes += exemplar ? exemplar->used : 0;
		blocks = blocks || (exemplar && exemplar->blocks);
	}
	xhprof_run_file_document(file, "exemplars", exemplars_head, sections);
	for (unsigned field = 0; field < NODE_FIELDS; field++) {
		xhprof_run_file_values(file, names[field], nodes, node_values, sections, field);
	}
	for (size_t i = 0; blocks && i < XHPROF_METRICS; i++) {
		static const xhprof_exemplar_blocks any;
		if (blocks_value(&any, xhprof_metrics[i].column)) {
			xhprof_run_file_values(file, xhprof_metrics[i].section, nodes, node_values, sections,
								   NODE_FIELDS + xhprof_metrics[i].column);
		}
	}
}
