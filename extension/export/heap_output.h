/* A heap snapshot in any of its formats: what whoever walks a heap hands the visitor of, and then ends. */
#ifndef XHPROF_EXPORT_HEAP_OUTPUT_H
#define XHPROF_EXPORT_HEAP_OUTPUT_H

#include "heap/graph.h"
#include "heap_jsonl.h"

typedef enum xhprof_heap_output_format {
	XHPROF_HEAP_JSON_LINES,   /* "jsonl": written while the walk goes on, in a few MB of memory */
	XHPROF_HEAP_RELI,         /* "reli": one JSON document; these two keep all nodes and references until the end */
	XHPROF_HEAP_DEVTOOLS,     /* "heapsnapshot": of Chrome's DevTools */
	XHPROF_HEAP_SUMMARY_ONLY, /* "summary": nothing is written */
} xhprof_heap_output_format;

typedef struct xhprof_heap_output {
	xhprof_heap_output_format format;
	bool pretty;
	xhprof_writer *writer;
	const xhprof_heap_facts *facts;
	xhprof_heap_summary summary; /* good until it is released */
	xhprof_heap_jsonl jsonl;
	xhprof_graph graph;
} xhprof_heap_output;

/* The format of a name; false when there is none. */
bool xhprof_heap_output_format_of(const char *name, xhprof_heap_output_format *format);

/* `paths` or NULL; `pretty`: indented, of reli's only. False when there is no memory. All that is given stays in use. */
bool xhprof_heap_output_begin(xhprof_heap_output *output, xhprof_heap_output_format format, bool pretty,
							  xhprof_writer *writer, const xhprof_heap_facts *facts, const xhprof_heap_paths *paths);
xhprof_heap_visitor xhprof_heap_output_visitor(xhprof_heap_output *output);

/* Writes what is yet to be written; nothing with `result` NULL, when the walk failed. False when there was no memory: what has
 * been written is no snapshot. Other errors are the writer's, which is yet to be flushed. */
bool xhprof_heap_output_end(xhprof_heap_output *output, const xhprof_walk_result *result, uint64_t took_ns);

/* Gives all memory back; may be called after a failed begin, and without an end. */
void xhprof_heap_output_release(xhprof_heap_output *output);

#endif
