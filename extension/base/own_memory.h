/* Copies of this process's own memory through the kernel. Memory that another thread has unmapped meanwhile gives an
 * error instead of a signal. */
#ifndef XHPROF_BASE_OWN_MEMORY_H
#define XHPROF_BASE_OWN_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

/* Copies up to the first byte that cannot be read, and returns the number of bytes copied. `*refused` is set if this
 * system has no such call or forbids it; nothing is copied then. */
size_t xhprof_own_memory_copy(const void *from, void *to, size_t size, bool *refused);

/* Copies by way of /proc/self/mem, for systems that refuse the call. That file is open meanwhile: a child that is
 * forked then by another thread inherits it, unless the calling thread has a file table of its own. 0 without /proc. */
size_t xhprof_own_memory_copy_by_file(const void *from, void *to, size_t size);

#endif
