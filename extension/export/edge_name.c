#include "edge_name.h"

const char *const xhprof_figure_names[XHPROF_FIGURES] = {"ct", "wt", "cpu", "mu", "pmu"};

size_t xhprof_edge_figures(const xhprof_tracer *tracer, const xhprof_edge *edge, int64_t figures[XHPROF_FIGURES])
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

void xhprof_edge_name_of(xhprof_edge_name *name, const xhprof_symbols *symbols, const xhprof_fold *fold,
						 const xhprof_edge *edge)
{
	const xhprof_label *callee = &fold->labels[edge->callee];
	name->caller = NULL;
	name->callee = xhprof_symbols_get(symbols, callee->symbol);
	name->callee_length = name->callee->length + xhprof_level_suffix(name->callee_suffix, callee->level);
	name->length = name->callee_length;
	if (edge->caller != XHPROF_FOLD_NO_CALLER) {
		const xhprof_label *caller = &fold->labels[edge->caller];
		name->caller = xhprof_symbols_get(symbols, caller->symbol);
		name->caller_length = name->caller->length + xhprof_level_suffix(name->caller_suffix, caller->level);
		name->length += name->caller_length + XHPROF_ARROW_LENGTH;
	}
}
