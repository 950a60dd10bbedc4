/* A heap snapshot as it is taken, whoever takes it: what the walk tells is summed up on its way to the lines. Other tools' formats
 * are made of the lines, by bin/xhprof. */
#ifndef XHPROF_EXPORT_HEAP_OUTPUT_H
#define XHPROF_EXPORT_HEAP_OUTPUT_H

#include "heap_jsonl.h"

#define XHPROF_HEAP_MAX_STRING 80 /* bytes of a string that are told, unless other is asked for */
#define XHPROF_HEAP_MAX_STRING_MOST 1048576

/* Zeroed where it has not begun. */
typedef struct xhprof_heap_output {
	bool summary_only; /* the header and the footer without the nodes */
	xhprof_writer *writer;
	const xhprof_heap_facts *facts;
	xhprof_heap_summary summary; /* of what has been told, until the release */
	xhprof_heap_jsonl jsonl;
} xhprof_heap_output;

/* Begins one whose writer and facts are set, and returns who is to be told. `paths` (NULL: none) is as in
 * xhprof_heap_jsonl_begin(). Errors of output are the writer's. */
xhprof_heap_visitor xhprof_heap_output_begin(xhprof_heap_output *output, const xhprof_heap_paths *paths);

/* Writes what is left when the walk has ended; the writer is yet to be flushed. */
void xhprof_heap_output_end(xhprof_heap_output *output, const xhprof_walk_result *result, uint64_t took_ns);

/* In any case, at any point; more than once does no harm. */
void xhprof_heap_output_release(xhprof_heap_output *output);

/* The command that makes another tool's format of a snapshot; NULL for what is no such format. */
const char *xhprof_heap_export_command(const char *format);

#endif
