/* The call tree as columns in preorder, as one JSON object: ID.SOURCE.tree.json. */
#ifndef XHPROF_EXPORT_TREE_JSON_H
#define XHPROF_EXPORT_TREE_JSON_H

#include "json_layout.h"

#include "trace/columns.h"

typedef struct xhprof_metric {
	const char *name;
	const char *unit;
	enum xhprof_column column;
} xhprof_metric;

/* The exclusive figures a node may have, in the order they are written. */
#define XHPROF_METRICS 12
extern const xhprof_metric xhprof_metrics[XHPROF_METRICS];

#define XHPROF_CORRECTED 2
extern const xhprof_metric xhprof_corrected_metrics[XHPROF_CORRECTED];

/* The value of "fn" for a node: ids start at 1, names at 0. */
static inline int64_t xhprof_name_index(xhprof_symbol_ref symbol)
{
	return (int64_t)XHPROF_SYMBOL_ID(symbol) - 1;
}

/* What is known of a function's place. */
enum { XHPROF_PLACE_FILE, XHPROF_PLACE_LINE, XHPROF_PLACE_LAST_LINE, XHPROF_PLACES };
extern const char *const xhprof_place_names[XHPROF_PLACES];

/* The file is an index into "files", -1 if it is not known; a line is 0 then. */
int64_t xhprof_place_value(const xhprof_place *place, size_t which);

/* The data of xhprof_export_tree_array(), after "v", "kind", "order", "mode", "unit", "n", and "sampled" of a
 * sampling. */
void xhprof_tree_json(const xhprof_tracer *tracer, xhprof_columns *columns, xhprof_writer *writer);

#endif
