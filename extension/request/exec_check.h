/* A check whether a program can take the place of this process. No PHP. */
#ifndef XHPROF_REQUEST_EXEC_CHECK_H
#define XHPROF_REQUEST_EXEC_CHECK_H

#include <stdbool.h>
#include <stddef.h>

/* Returns whether execve() can start `file`: a program of the system, or one that names its interpreter. Its
 * arguments and variables are `count` texts of `bytes` bytes together, of which the longest has `longest`. */
bool xhprof_exec_is_possible(const char *file, size_t bytes, size_t longest, size_t count);

#endif
