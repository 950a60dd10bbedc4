/* The destination of results: standard output, or a file that appears complete or not at all. */
#ifndef XHPROF_INSPECT_OUTPUT_FILE_H
#define XHPROF_INSPECT_OUTPUT_FILE_H

#include "failure.h"
#include "export/atomic_file.h"
#include "export/writer.h"

typedef struct xhprof_output_file {
	xhprof_writer writer;
	bool is_file; /* else standard output */
	xhprof_atomic_file file;
	char temporary[4096];
} xhprof_output_file;

/* The file is readable by this user only. */
xhprof_exit xhprof_output_open(xhprof_output_file *output, const char *path, xhprof_failure *failure);

/* With `keep`, the complete file gets its name; otherwise it is removed. */
xhprof_exit xhprof_output_close(xhprof_output_file *output, bool keep, xhprof_failure *failure);

#endif
