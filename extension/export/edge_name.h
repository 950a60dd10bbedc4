/* The classic names of edges, "caller==>callee", each function with "@" and its recursion level. */
#ifndef XHPROF_EXPORT_EDGE_NAME_H
#define XHPROF_EXPORT_EDGE_NAME_H

#include "trace/fold.h"
#include "writer.h"

#include <string.h>

#define XHPROF_ARROW "==>"
#define XHPROF_ARROW_LENGTH (sizeof(XHPROF_ARROW) - 1)

/* Bytes for "@" and a level. */
#define XHPROF_LEVEL_ROOM 12

/* The metrics of an edge, in the order they are written. */
enum {
#define METRIC(name, ...) XHPROF_EDGE_METRIC_##name,
	XHPROF_EDGE_FIGURES(METRIC)
#undef METRIC
		XHPROF_EDGE_METRICS
};

extern const char *const xhprof_edge_metric_names[XHPROF_EDGE_METRICS];

static inline bool xhprof_edge_has_metric(const xhprof_tracer *tracer, size_t metric)
{
	switch (metric) {
#define PRESENT(name, key, present, value) \
	case XHPROF_EDGE_METRIC_##name:        \
		return present;
		XHPROF_EDGE_FIGURES(PRESENT)
#undef PRESENT
		default:
			return false;
	}
}

/* Collects the metrics that the profile has; returns their number. */
static inline size_t xhprof_edge_metrics(const xhprof_tracer *tracer, const xhprof_edge *edge,
										 int64_t metrics[XHPROF_EDGE_METRICS])
{
	size_t count = 0;
#define TAKE(name, key, present, value) \
	if (present) {                      \
		metrics[count++] = value;       \
	}
	XHPROF_EDGE_FIGURES(TAKE)
#undef TAKE
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

static inline char *xhprof_edge_label_copy(char *to, const xhprof_symbol *symbol, size_t length, const char *suffix)
{
	memcpy(to, symbol->name, symbol->length);
	memcpy(to + symbol->length, suffix, length - symbol->length);
	return to + length;
}

/* Writes the name; returns its end. */
static inline char *xhprof_edge_name_copy(char *to, const xhprof_edge_name *name)
{
	if (name->caller) {
		to = xhprof_edge_label_copy(to, name->caller, name->caller_length, name->caller_suffix);
		memcpy(to, XHPROF_ARROW, XHPROF_ARROW_LENGTH);
		to += XHPROF_ARROW_LENGTH;
	}
	return xhprof_edge_label_copy(to, name->callee, name->callee_length, name->callee_suffix);
}

#endif
