/* The classic names of edges, "caller==>callee", each function with "@" and its recursion level. */
#ifndef XHPROF_EXPORT_EDGE_NAME_H
#define XHPROF_EXPORT_EDGE_NAME_H

#include "trace/fold.h"
#include "writer.h"

#define XHPROF_ARROW "==>"
#define XHPROF_ARROW_LENGTH (sizeof(XHPROF_ARROW) - 1)

/* Room for "@" and a level. */
#define XHPROF_LEVEL_ROOM 12

/* The figures of an edge, in the order they are written. */
enum { XHPROF_FIGURE_CT, XHPROF_FIGURE_WT, XHPROF_FIGURE_CPU, XHPROF_FIGURE_MU, XHPROF_FIGURE_PMU, XHPROF_FIGURES };

extern const char *const xhprof_figure_names[XHPROF_FIGURES];

static inline bool xhprof_figure_present(const xhprof_tracer *tracer, size_t figure)
{
	switch (figure) {
		case XHPROF_FIGURE_WT:
			return xhprof_tracer_has_wall(tracer);
		case XHPROF_FIGURE_CPU:
			return tracer->flags & XHPROF_TRACE_CPU;
		case XHPROF_FIGURE_MU:
		case XHPROF_FIGURE_PMU:
			return tracer->flags & XHPROF_TRACE_MEMORY;
		default:
			return true;
	}
}

/* Collects the figures that the profile has; returns their number. */
static inline size_t xhprof_edge_figures(const xhprof_tracer *tracer, const xhprof_edge *edge,
										 int64_t figures[XHPROF_FIGURES])
{
	size_t count = 0;
	figures[count++] = (int64_t)edge->calls;
	if (xhprof_tracer_has_wall(tracer)) {
		figures[count++] = (int64_t)edge->wall_us;
	}
	if (tracer->flags & XHPROF_TRACE_CPU) {
		figures[count++] = (int64_t)edge->cpu_us;
	}
	if (tracer->flags & XHPROF_TRACE_MEMORY) {
		figures[count++] = edge->memory;
		figures[count++] = edge->peak;
	}
	return count;
}

/* Puts "@" and the level at `suffix`, nothing for level 0; returns its length. */
static inline size_t xhprof_level_suffix(char suffix[XHPROF_LEVEL_ROOM], uint32_t level)
{
	if (!level) {
		return 0;
	}
	*suffix = '@';
	return (size_t)(xhprof_format_uint(suffix + 1, level) - suffix);
}

typedef struct xhprof_edge_name {
	const xhprof_symbol *caller, *callee; /* caller is NULL for main() */
	char caller_suffix[XHPROF_LEVEL_ROOM], callee_suffix[XHPROF_LEVEL_ROOM];
	size_t caller_length, callee_length, length; /* with the suffixes */
} xhprof_edge_name;

static inline void xhprof_edge_name_of(xhprof_edge_name *name, const xhprof_symbols *symbols, const xhprof_fold *fold,
									   const xhprof_edge *edge)
{
	const xhprof_fold_label *callee = &fold->labels[edge->callee];
	name->caller = NULL;
	name->callee = xhprof_symbols_get(symbols, callee->symbol);
	name->callee_length = name->callee->length + xhprof_level_suffix(name->callee_suffix, callee->level);
	name->length = name->callee_length;
	if (edge->caller != XHPROF_FOLD_NO_CALLER) {
		const xhprof_fold_label *caller = &fold->labels[edge->caller];
		name->caller = xhprof_symbols_get(symbols, caller->symbol);
		name->caller_length = name->caller->length + xhprof_level_suffix(name->caller_suffix, caller->level);
		name->length += name->caller_length + XHPROF_ARROW_LENGTH;
	}
}

#endif
