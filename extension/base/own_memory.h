/* Copies of this process's own memory through the kernel: what another thread has unmapped meanwhile gives an error, not
 * a signal. */
#ifndef XHPROF_BASE_OWN_MEMORY_H
#define XHPROF_BASE_OWN_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

/* The number of bytes copied, up to the first that cannot be read. `*refused`: this system has no such call, or forbids
 * it; nothing was read. */
size_t xhprof_own_memory_copy(const void *from, void *to, size_t size, bool *refused);

/* The same by a file of the kernel, for systems that refuse. It is open meanwhile: a child that is forked then by another
 * thread inherits it, unless the calling thread has a file table of its own. 0 without /proc. */
size_t xhprof_own_memory_copy_by_file(const void *from, void *to, size_t size);

#endif
