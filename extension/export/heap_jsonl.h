/* Heap snapshots as JSON lines: a header, a line for each node with its references, and a footer with the summary. They
 * are written during the walk, which only records the paths that were written. A node's "b" is the number of bytes of
 * its block, 0 if it is within another node's block; a node without "b" is not in the heap. */
#ifndef XHPROF_EXPORT_HEAP_JSONL_H
#define XHPROF_EXPORT_HEAP_JSONL_H

#include "heap_summary.h"

typedef struct xhprof_heap_jsonl {
	xhprof_writer *writer;
	const xhprof_heap_info *info;
	const xhprof_heap_paths *paths;
	bool in_node, in_edges; /* brackets that are open in the current line */
	uint32_t *chain;        /* paths to write, the caller first */
	size_t chain_capacity;
	uint8_t *written; /* a bit for each path */
	size_t written_size;
	bool no_memory; /* there was no memory for paths: some nodes have none */
} xhprof_heap_jsonl;

/* Writes the header. `info` and `paths` (NULL: none) stay in use until the end. Errors are the writer's. */
void xhprof_heap_jsonl_begin(xhprof_heap_jsonl *jsonl, xhprof_writer *writer, const xhprof_heap_info *info,
							 const xhprof_heap_paths *paths);
xhprof_heap_visitor xhprof_heap_jsonl_visitor(xhprof_heap_jsonl *jsonl);

/* Writes the footer and releases all; the caller flushes the writer. A file without it is unfinished. */
void xhprof_heap_jsonl_end(xhprof_heap_jsonl *jsonl, const xhprof_walk_result *result, xhprof_heap_summary *summary,
						   uint64_t took_ns);
/* Releases all after a walk that was not ended. It may be called after the end, too. */
void xhprof_heap_jsonl_release(xhprof_heap_jsonl *jsonl);

#endif
