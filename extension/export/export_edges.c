#include "export_edges.h"

#include "edge_name.h"

static void serialize_name(xhprof_writer *writer, const xhprof_edge_name *name)
{
	xhprof_write_bytes(writer, "s:", 2);
	xhprof_write_uint(writer, name->length);
	xhprof_write_bytes(writer, ":\"", 2);
	if (name->caller) {
		xhprof_write_bytes(writer, name->caller->name, name->caller->length);
		xhprof_write_bytes(writer, name->caller_suffix, name->caller_length - name->caller->length);
		xhprof_write_bytes(writer, XHPROF_ARROW, XHPROF_ARROW_LENGTH);
	}
	xhprof_write_bytes(writer, name->callee->name, name->callee->length);
	xhprof_write_bytes(writer, name->callee_suffix, name->callee_length - name->callee->length);
	xhprof_write_bytes(writer, "\";", 2);
}

#define HEAD_ROOM 32

/* The text before each metric: the same for every edge. */
typedef struct metric_heads {
	size_t count;
	size_t length[XHPROF_EDGE_METRICS];
	char text[XHPROF_EDGE_METRICS][HEAD_ROOM];
} metric_heads;

static char *append_text(char *to, const char *text)
{
	size_t length = strlen(text);
	memcpy(to, text, length);
	return to + length;
}

static void init_metric_heads(metric_heads *heads, const xhprof_tracer *tracer)
{
	heads->count = 0;
	for (size_t i = 0; i < XHPROF_EDGE_METRICS; i++) {
		heads->count += xhprof_edge_has_metric(tracer, i);
	}
	for (size_t i = 0, head = 0; i < XHPROF_EDGE_METRICS; i++) {
		if (!xhprof_edge_has_metric(tracer, i)) {
			continue;
		}
		char *to = heads->text[head];
		memset(to, 0, HEAD_ROOM); /* it is copied as a whole */
		if (head) {
			to = append_text(to, ";");
		} else {
			to = append_text(xhprof_format_uint(append_text(to, "a:"), heads->count), ":{");
		}
		to = xhprof_format_uint(append_text(to, "s:"), strlen(xhprof_edge_metric_names[i]));
		to = append_text(append_text(append_text(to, ":\""), xhprof_edge_metric_names[i]), "\";i:");
		heads->length[head] = (size_t)(to - heads->text[head]);
		head++;
	}
}

static void serialize_metrics(xhprof_writer *writer, const metric_heads *heads, const int64_t *metrics)
{
	char *to = xhprof_writer_reserve(writer, sizeof(heads->text) + XHPROF_EDGE_METRICS * XHPROF_NUMBER_ROOM + 2);
	for (size_t i = 0; i < heads->count; i++) {
		memcpy(to, heads->text[i], sizeof(heads->text[i])); /* copies too much, but a constant size */
		to = xhprof_format_int(to + heads->length[i], metrics[i]);
	}
	memcpy(to, ";}", 2);
	xhprof_writer_commit(writer, to + 2);
}

bool xhprof_export_serialized(const xhprof_tracer *tracer, xhprof_columns *columns, xhprof_writer *writer)
{
	xhprof_fold fold;
	bool complete = xhprof_fold_tree(&fold, columns, tracer->symbols.count, true);
	if (complete) {
		metric_heads heads;
		init_metric_heads(&heads, tracer);
		xhprof_write_string(writer, "a:");
		xhprof_write_uint(writer, fold.edge_count);
		xhprof_write_string(writer, ":{");
		for (uint32_t i = 0; i < fold.edge_count; i++) {
			xhprof_edge_name name;
			int64_t metrics[XHPROF_EDGE_METRICS];
			xhprof_edge_name_of(&name, &tracer->symbols, &fold, &fold.edges[i]);
			serialize_name(writer, &name);
			xhprof_edge_metrics(tracer, &fold.edges[i], metrics);
			serialize_metrics(writer, &heads, metrics);
		}
		xhprof_write_string(writer, "}");
	}
	xhprof_fold_release(&fold);
	return complete;
}
