/* Copies of this process's own memory through the kernel: what another thread has unmapped meanwhile gives an error, not
 * a signal. */
#ifndef XHPROF_BASE_OWN_MEMORY_H
#define XHPROF_BASE_OWN_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

/* Copies bytes up to the first that cannot be read, and returns their number. `*refused`: this system has no such call,
 * or forbids it; nothing was read. */
size_t xhprof_own_memory_copy(const void *from, void *to, size_t size, bool *refused);

/* Copies bytes by a file of the kernel, on systems that refuse xhprof_own_memory_copy(). The file is open
 * meanwhile: a child that another thread forks then inherits it, unless the calling thread has a file table of its own.
 * Returns 0 without /proc. */
size_t xhprof_own_memory_copy_by_file(const void *from, void *to, size_t size);

#endif
