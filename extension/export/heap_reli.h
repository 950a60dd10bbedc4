/* A heap snapshot as one JSON document of the shape that reli (reliforp/reli-prof, `inspector:memory`) documents, for the
 * tools made for it: sums, and a tree of what refers to what, in which everything is told once and referred to by its number
 * elsewhere. It goes no deeper than JSON readers do: what is further down is told under "continued". */
#ifndef XHPROF_EXPORT_HEAP_RELI_H
#define XHPROF_EXPORT_HEAP_RELI_H

#include "heap/graph.h"
#include "heap_summary.h"

/* Writes a finished graph. False, and nothing written, when there is no memory; other errors are the writer's. */
bool xhprof_heap_reli_write(xhprof_writer *writer, const xhprof_graph *graph, const xhprof_heap_facts *facts,
							const xhprof_walk_result *result, xhprof_heap_summary *summary, bool pretty);

#endif
