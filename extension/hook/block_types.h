/* The types of the Zend heap's blocks, set in the live-block map by a walk over all memory, as heap snapshots make
 * it. */
#ifndef XHPROF_HOOK_BLOCK_TYPES_H
#define XHPROF_HOOK_BLOCK_TYPES_H

#include "php_xhprof.h"

/* Sets the type of each block in the live-block map of this thread's request; "(unknown)" if nothing known refers to
 * it. Parts of an object or a resource have its type; blocks behind an extension's private structure are found word by
 * word, so a stale word may name the wrong owner, but never for a typed block. Without /proc or a file to read it by,
 * without memory, or with an unknown layout of the heap, all are "(unknown)". With another allocator than the Zend heap
 * (USE_ZEND_ALLOC=0) types come from the registered blocks.
 *
 * Only reads, and only readable memory: no value, reference count or flag changes, no handler of an object runs,
 * nothing is allocated from the Zend heap, and the C stack stays flat however deep values are nested. Its own memory is
 * mapped, some 5 % of the heap, and given back.
 *
 * Call it where the engine's values are whole: within a PHP function (also in destructors, error handlers, output
 * callbacks, and while the garbage collector runs them), after a request's destructors, in RSHUTDOWN, and after
 * memory_limit has refused an allocation, since the engine allocates before it changes its values. Elsewhere types may
 * be wrong. */
void xhprof_block_types_resolve(xhprof_alloc_types *types, xhprof_block_map *blocks);

#endif
