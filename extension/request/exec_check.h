/* Whether a program can take the place of this process. No PHP. */
#ifndef XHPROF_REQUEST_EXEC_CHECK_H
#define XHPROF_REQUEST_EXEC_CHECK_H

#include <stdbool.h>
#include <stddef.h>

/* Of a file that execve() would start, with texts of this many bytes, the longest of `longest`, in that many arguments and
 * variables: a program of the system or one that names its interpreter. */
bool xhprof_exec_is_possible(const char *file, size_t bytes, size_t longest, size_t count);

#endif
