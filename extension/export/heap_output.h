/* The output of a heap snapshot, from inside or outside the process. It sums up the walk's reports on their way to the
 * JSON lines, of which bin/xhprof makes other tools' formats. */
#ifndef XHPROF_EXPORT_HEAP_OUTPUT_H
#define XHPROF_EXPORT_HEAP_OUTPUT_H

#include "heap_jsonl.h"

#define XHPROF_HEAP_MAX_STRING 80 /* default for the bytes of a string that are reported */
#define XHPROF_HEAP_MAX_STRING_LIMIT 1048576

/* The state of an output. All zero before it begins. */
typedef struct xhprof_heap_output {
	bool summary_only; /* only the header and the footer are written, without the nodes */
	xhprof_writer *writer;
	const xhprof_heap_info *info;
	xhprof_heap_summary summary; /* sums of the reports so far, until the release */
	xhprof_heap_jsonl jsonl;
} xhprof_heap_output;

/* Begins an output whose writer and info are set, and returns the visitor for the walk. `paths` (NULL: none) is as in
 * xhprof_heap_jsonl_begin(). Errors of output are the writer's. */
xhprof_heap_visitor xhprof_heap_output_begin(xhprof_heap_output *output, const xhprof_heap_paths *paths);

/* Writes the rest when the walk has ended; the caller flushes the writer. */
void xhprof_heap_output_end(xhprof_heap_output *output, const xhprof_walk_result *result, uint64_t took_ns);

/* Releases the output, at any point. It may be called again. */
void xhprof_heap_output_release(xhprof_heap_output *output);

/* Returns the command that makes another tool's format of a snapshot; NULL for an unknown format. */
const char *xhprof_heap_export_command(const char *format);

#endif
