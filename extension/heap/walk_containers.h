/* The values of SPL objects whose private layout is known, read without calling their handlers. */
#ifndef XHPROF_HEAP_WALK_CONTAINERS_H
#define XHPROF_HEAP_WALK_CONTAINERS_H

#include "walker.h"

/* Returns the container that an internal class is or extends: a number for xhprof_walker_class; 0 for none. */
unsigned xhprof_walk_container_of(xhprof_walker *walker, xhprof_addr internal);

/* Reports the values of an object of this class, in the `size` bytes at `start`, as references of the current node.
 * False if its layout is unknown. */
bool xhprof_walk_container(xhprof_walker *walker, const xhprof_walker_class *entry, uint64_t start, uint64_t size);

#endif
