/* What all files with live memory show: the rows of a dump, and the figures of its allocators. */
#ifndef XHPROF_EXPORT_ALLOC_ROWS_H
#define XHPROF_EXPORT_ALLOC_ROWS_H

#include "json_layout.h"

#include "alloc/alloc_dump.h"

/* A row is the memory of one path and type, allocated after this many marks; the heaviest first. The node is a place in
 * a tree's preorder, -1 "(before)", -2 "(other threads)", -3 "(below threshold)"; the type an index, 1 for native memory.
 */
enum xhprof_alloc_row_field {
	XHPROF_ROW_NODE,
	XHPROF_ROW_TYPE,
	XHPROF_ROW_MARK,
	XHPROF_ROW_BLOCKS,
	XHPROF_ROW_BYTES,
	XHPROF_ROW_FIELDS
};
extern const char *const xhprof_alloc_row_names[XHPROF_ROW_FIELDS];

/* With the one that stands for all below the threshold, if there are such. */
size_t xhprof_alloc_rows_count(const xhprof_alloc_dump *dump);

/* `places`: of nodes, by id. */
int64_t xhprof_alloc_rows_value(const xhprof_alloc_dump *dump, size_t row, enum xhprof_alloc_row_field field,
								const uint32_t *places);

/* The members "sample_bytes", "marks", "allocators" and "dropped". `lines`: these two begin a line each. */
void xhprof_alloc_rows_figures(xhprof_json *json, const xhprof_alloc_dump *dump, bool lines);

#endif
