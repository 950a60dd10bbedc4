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

/* The text before each figure: the same for every edge. */
typedef struct figure_heads {
	size_t count;
	size_t length[XHPROF_FIGURES];
	char text[XHPROF_FIGURES][HEAD_ROOM];
} figure_heads;

static char *append(char *to, const char *text)
{
	size_t length = strlen(text);
	memcpy(to, text, length);
	return to + length;
}

static void figure_heads_of(figure_heads *heads, const xhprof_tracer *tracer)
{
	heads->count = 0;
	for (size_t i = 0; i < XHPROF_FIGURES; i++) {
		heads->count += xhprof_figure_present(tracer, i);
	}
	for (size_t i = 0, head = 0; i < XHPROF_FIGURES; i++) {
		if (!xhprof_figure_present(tracer, i)) {
			continue;
		}
		char *to = heads->text[head];
		memset(to, 0, HEAD_ROOM); /* it is copied as a whole */
		if (head) {
			to = append(to, ";");
		} else {
			to = append(xhprof_format_uint(append(to, "a:"), heads->count), ":{");
		}
		to = xhprof_format_uint(append(to, "s:"), strlen(xhprof_figure_names[i]));
		to = append(append(append(to, ":\""), xhprof_figure_names[i]), "\";i:");
		heads->length[head] = (size_t)(to - heads->text[head]);
		head++;
	}
}

static void serialize_figures(xhprof_writer *writer, const figure_heads *heads, const int64_t *figures)
{
	char *to = xhprof_writer_reserve(writer, sizeof(heads->text) + XHPROF_FIGURES * XHPROF_NUMBER_ROOM + 2);
	for (size_t i = 0; i < heads->count; i++) {
		memcpy(to, heads->text[i], sizeof(heads->text[i])); /* copies too much, but a constant size */
		to = xhprof_format_int(to + heads->length[i], figures[i]);
	}
	memcpy(to, ";}", 2);
	xhprof_writer_commit(writer, to + 2);
}

bool xhprof_export_serialized(const xhprof_tracer *tracer, xhprof_columns *columns, xhprof_writer *writer)
{
	xhprof_fold fold;
	bool whole = xhprof_fold_tree(&fold, columns, tracer->symbols.count, true);
	if (whole) {
		figure_heads heads;
		figure_heads_of(&heads, tracer);
		xhprof_write_string(writer, "a:");
		xhprof_write_uint(writer, fold.edge_count);
		xhprof_write_string(writer, ":{");
		for (uint32_t i = 0; i < fold.edge_count; i++) {
			xhprof_edge_name name;
			int64_t figures[XHPROF_FIGURES];
			xhprof_edge_name_of(&name, &tracer->symbols, &fold, &fold.edges[i]);
			serialize_name(writer, &name);
			xhprof_edge_figures(tracer, &fold.edges[i], figures);
			serialize_figures(writer, &heads, figures);
		}
		xhprof_write_string(writer, "}");
	}
	xhprof_fold_release(&fold);
	return whole;
}
