/* Past the limit of `ulimit -f` the kernel sends a signal that would end the program: between begin and end the write
 * fails with EFBIG instead. */
#ifndef XHPROF_EXPORT_FILE_LIMIT_H
#define XHPROF_EXPORT_FILE_LIMIT_H

#include <signal.h>
#include <stdbool.h>

typedef struct xhprof_file_limit {
	sigset_t before;
	bool pending; /* one was pending before, for the program */
} xhprof_file_limit;

void xhprof_file_limit_begin(xhprof_file_limit *limit);
void xhprof_file_limit_end(const xhprof_file_limit *limit);

#endif
