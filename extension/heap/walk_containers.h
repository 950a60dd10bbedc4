/* Objects of SPL whose own memory is known: what they hold, without asking their handlers. */
#ifndef XHPROF_HEAP_WALK_CONTAINERS_H
#define XHPROF_HEAP_WALK_CONTAINERS_H

#include "walker.h"

/* Which of them an internal class is, or is below: a number for xhprof_walker_class; 0 for none. */
unsigned xhprof_walk_container_of(xhprof_walker *walker, xhprof_addr internal);

/* Tells what an object of this class has in the `size` bytes at `start`, as references of the node told last. False when its
 * memory is not known. */
bool xhprof_walk_container(xhprof_walker *walker, const xhprof_walker_class *entry, uint64_t start, uint64_t size);

#endif
