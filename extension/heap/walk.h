/* The walk over everything that a PHP process has in memory. It starts at the engine's globals, visits everything once,
 * and reports each thing and its references to a visitor. No recursion: pending visits wait in a list. Only reads,
 * through a reader; the same for this process and for others. Its memory is mapped, never the Zend heap's. */
#ifndef XHPROF_HEAP_WALK_H
#define XHPROF_HEAP_WALK_H

#include "visitor.h"
#include "zmm.h"

/* NULL, or one line that says why nothing could be walked. */
const char *xhprof_walk(xhprof_zmm *zmm, const xhprof_engine *engine, const xhprof_walk_options *options,
						const xhprof_heap_visitor *visitor, xhprof_walk_result *result);

#endif
