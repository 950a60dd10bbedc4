/* What blocks of the Zend heap hold: a walk over the values that the request can reach. */
#ifndef XHPROF_HOOK_BLOCK_TYPES_H
#define XHPROF_HOOK_BLOCK_TYPES_H

#include "php_xhprof.h"

/* Calls found(context, block, type) for blocks that strings, arrays, references and objects of this thread's request live
 * in; `block` is the address that the heap gave out. Once for each block, and also for some that are not the heap's.
 *
 * Only reads: no value, count of references or flag changes, no handler runs that could do so, nothing is allocated from
 * the Zend heap, and the C stack stays flat however deep values are nested. Its own memory is mapped, some 2 % of the heap
 * (and 8 bytes for each array that waits to be read), and given back. Where there is none, or a value is not reached,
 * blocks are not found.
 *
 * Where it may be called: within a PHP function, where the engine's values are whole (also in destructors, error
 * handlers, output callbacks, and while the garbage collector runs them); after a request's destructors, in RSHUTDOWN; and
 * where memory_limit refuses an allocation, in the allocator or in the error's handler, since the engine asks for memory
 * before it changes what it has. Then values that are under way in the function that runs are left out. Nowhere else: not
 * after an allocation that succeeded, and not in a signal handler. */
void xhprof_block_types_walk(xhprof_alloc_types *types, void (*found)(void *context, const void *block, uint16_t type),
							 void *context);

#endif
