/* The parts of the walk, each in a source of its own: walk.c calls the visits and the roots, and some call each
 * other. */
#ifndef XHPROF_HEAP_WALK_PARTS_H
#define XHPROF_HEAP_WALK_PARTS_H

#include "walker.h"

/* Visit one item each: values in walk_values.c, objects in walk_objects.c, resources in walk_resources.c, frames in
 * walk_frames.c, functions in walk_code.c, classes and what they consist of in walk_class.c, callables in
 * walk_callable.c, the others in walk_engine.c. */
#define XHPROF_WALK(kind, name) void xhprof_walk_##name(xhprof_walker *walker, const xhprof_item *item);
XHPROF_VISITS(XHPROF_WALK)
#undef XHPROF_WALK

/* Reports the references of a function that is part of another node (a closure): all except the memory of its header.
 * In walk_code.c. */
void xhprof_walk_function_parts(xhprof_walker *walker, const zend_function *function, bool in_closure);

/* Report the roots, each with xhprof_walker_root() and then xhprof_walker_drain(). */
void xhprof_walk_calls(xhprof_walker *walker); /* walk_frames.c: CALL_FRAMES, and the VM stack's pages */
void xhprof_walk_roots(xhprof_walker *walker); /* walk_roots.c: all others except NATIVE_MEMORY, LEAK_CANDIDATES */
void xhprof_walk_engine(xhprof_walker *walker, const zend_executor_globals *executor,
						const zend_compiler_globals *compiler);

/* Report untyped memory. Any word that may be the address of a block counts as a reference to it: no reachable block is
 * called unreachable, but an unreachable one may be missed. xhprof_walker_node() counts nodes of type NATIVE or
 * UNREACHABLE as such. */
void xhprof_walk_native(xhprof_walker *walker);      /* walk_native.c: with NATIVE_MEMORY */
void xhprof_walk_unreachable(xhprof_walker *walker); /* walk_unreachable.c: the rest, with LEAK_CANDIDATES */

/* Reports the root "collector" with the entries of its buffer. In walk_collector.c. */
void xhprof_walk_collector(xhprof_walker *walker);

/* Reports the list of spl_autoload_register(). In walk_callable.c. */
void xhprof_walk_autoloaders(xhprof_walker *walker);

/* Report values in unknown variables of libraries, and in `size` bytes of an extension's globals, as references of the
 * current node with the name of the library or the given one. In walk_statics.c. */
void xhprof_walk_statics(xhprof_walker *walker);
void xhprof_walk_static_values(xhprof_walker *walker, xhprof_at from, uint64_t size, xhprof_text name);

/* Reports the strings and values in a syntax tree's memory. In walk_statics.c. */
void xhprof_walk_syntax_tree(xhprof_walker *walker, uint64_t from, uint64_t size);

#endif
