/* The walk over everything that a PHP process has in memory. It starts at the engine's globals, visits everything once,
 * and reports each node and its references to a visitor. There is no recursion: pending visits are in a list. It only
 * reads, through a reader, in the same way for this process and for others. Its memory is mapped, never the Zend
 * heap's. */
#ifndef XHPROF_HEAP_WALK_H
#define XHPROF_HEAP_WALK_H

#include "visitor.h"
#include "zmm.h"

/* Walks the heap. Returns NULL, or one line that says why that was not possible. */
const char *xhprof_walk(xhprof_zmm *zmm, const xhprof_engine *engine, const xhprof_walk_options *options,
						const xhprof_heap_visitor *visitor, xhprof_walk_result *result);

#endif
