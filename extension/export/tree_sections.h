/* The document "tree" of a run's file: the call tree as columns in preorder. */
#ifndef XHPROF_EXPORT_TREE_SECTIONS_H
#define XHPROF_EXPORT_TREE_SECTIONS_H

#include "run_file.h"

#include "trace/columns.h"

typedef struct xhprof_metric {
	const char *name;
	const char *unit;
	enum xhprof_column column;
	const char *section; /* name of its column in the document; NULL: it is in no file */
} xhprof_metric;

/* The exclusive figures that a node may have, in the order in which they are written. */
#define COUNT(...) +1
enum { XHPROF_METRICS = 0 XHPROF_FIGURES(COUNT, COUNT), XHPROF_CORRECTED = 0 XHPROF_CORRECTED_FIGURES(COUNT) };
#undef COUNT
extern const xhprof_metric xhprof_metrics[XHPROF_METRICS];

/* The corrected figures, which only xhprof_call_tree() gives: readers of a file compute them from the calls and the
 * overhead in its metadata. */
extern const xhprof_metric xhprof_corrected_metrics[XHPROF_CORRECTED];

/* Returns the value of "fn" for a node: ids begin at 1, names at 0. */
static inline int64_t xhprof_name_index(xhprof_symbol_ref symbol)
{
	return (int64_t)XHPROF_SYMBOL_ID(symbol) - 1;
}

/* The figures of a function's place. */
enum { XHPROF_PLACE_FILE, XHPROF_PLACE_LINE, XHPROF_PLACE_LAST_LINE, XHPROF_PLACES };
extern const char *const xhprof_place_names[XHPROF_PLACES];

/* Returns one of these. The file is an index into "files", -1 if it is not known; lines are 0 then. */
int64_t xhprof_place_value(const xhprof_place *place, size_t which);

/* The source of the sections, which lives until the file is written. */
typedef struct xhprof_tree_sections {
	const xhprof_tracer *tracer;
	xhprof_columns *columns;
	const xhprof_file *file; /* the next file whose path is read */
} xhprof_tree_sections;

/* Writes the member "sampled" of a document of a sampled profile; nothing for other profiles. */
void xhprof_json_sampled(xhprof_json *json, const xhprof_tracer *tracer);

/* Adds the document of a stopped profile. */
void xhprof_tree_sections_add(xhprof_tree_sections *sections, const xhprof_tracer *tracer, xhprof_columns *columns,
							  xhprof_run_file *file);

#endif
