/* A heap snapshot as Chrome's DevTools read them (.heapsnapshot). Sizes are the blocks of the Zend heap, so that their sum is
 * memory_get_usage(). */
#ifndef XHPROF_EXPORT_HEAP_DEVTOOLS_H
#define XHPROF_EXPORT_HEAP_DEVTOOLS_H

#include "heap/graph.h"
#include "writer.h"

/* Writes a finished graph. False, and nothing written, when there is no memory; other errors are the writer's. */
bool xhprof_heap_devtools_write(xhprof_writer *writer, const xhprof_graph *graph);

#endif
