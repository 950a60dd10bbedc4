/* What blocks of the Zend heap hold: the walk over all that is in memory, as heap snapshots make it, tells the types of the
 * register's blocks. */
#ifndef XHPROF_HOOK_BLOCK_TYPES_H
#define XHPROF_HOOK_BLOCK_TYPES_H

#include "php_xhprof.h"

/* Tells the type of each block in the register of this thread's request; "(unknown)" of what nothing that is known refers to.
 * Parts of an object or a resource have its type; what an extension's private structure leads to is found word by word, so a
 * word that is no longer used may name the wrong owner, never of what has a type of its own. Without /proc or a file to read
 * it by, without memory, or where the heap is not laid out as known, all is "(unknown)". Of another allocator than the Zend
 * heap (USE_ZEND_ALLOC=0) types come from what has been registered.
 *
 * Only reads, and nothing that cannot be read: no value, count of references or flag changes, no handler of an object runs,
 * nothing is allocated from the Zend heap, and the C stack stays flat however deep values are nested. Its own memory is
 * mapped, some 5 % of the heap, and given back.
 *
 * Where it may be called: where the engine's values are whole, that is within a PHP function (also in destructors, error
 * handlers, output callbacks, and while the garbage collector runs them), after a request's destructors, in RSHUTDOWN, and
 * after memory_limit has refused an allocation, since the engine asks for memory before it changes what it has. Elsewhere
 * types may be wrong. */
void xhprof_block_types_tell(xhprof_alloc_types *types, xhprof_register *blocks);

#endif
