/* The rows of a dump, and the figures of its allocators, as all files with live memory have them. */
#ifndef XHPROF_EXPORT_ALLOC_ROWS_H
#define XHPROF_EXPORT_ALLOC_ROWS_H

#include "json_layout.h"

#include "alloc/alloc_dump.h"

/* The fields of a row: the memory of one path and type, allocated after this number of marks. The heaviest row is
 * first. The node is a place in a tree's preorder, -1 for "(before)", -2 for "(other threads)", -3 for "(below
 * threshold)"; the type is an index, 1 for native memory. */
enum xhprof_alloc_row_field {
	XHPROF_ROW_NODE,
	XHPROF_ROW_TYPE,
	XHPROF_ROW_MARK,
	XHPROF_ROW_BLOCKS,
	XHPROF_ROW_BYTES,
	XHPROF_ROW_FIELDS
};
extern const char *const xhprof_alloc_row_names[XHPROF_ROW_FIELDS];

/* Returns the number of rows, including the one for all below the threshold, if there are such. */
size_t xhprof_alloc_rows_count(const xhprof_alloc_dump *dump);

/* Returns a field of a row. `places`: places of nodes in preorder, by id. */
int64_t xhprof_alloc_rows_value(const xhprof_alloc_dump *dump, size_t row, enum xhprof_alloc_row_field field,
								const uint32_t *places);

/* Writes the members "sample_bytes", "marks", "allocators" and "dropped". `lines`: the last two begin on a line of
 * their own. */
void xhprof_alloc_rows_figures(xhprof_json *json, const xhprof_alloc_dump *dump, bool lines);

#endif
