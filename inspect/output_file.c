#include "output_file.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

/* Opens the file of a path. Returns errno of the failure, or 0. */
static int open_path(xhprof_output_file *output, const char *path)
{
	size_t room = sizeof(output->temporary);
	size_t length = xhprof_print_to(output->temporary, room, "%s.%d.tmp", path, (int)getpid());
	return length < room - 1 ? xhprof_atomic_file_open(&output->file, path, output->temporary, 0600) : ENAMETOOLONG;
}

xhprof_exit xhprof_output_open(xhprof_output_file *output, const char *path, xhprof_failure *failure)
{
	int error = path ? open_path(output, path) : 0;
	if (error) {
		return xhprof_fail(failure, XHPROF_EXIT_ERROR, "cannot write %s: %s", path, strerror(error));
	}
	output->is_file = path != NULL;
	xhprof_writer_init(&output->writer, path ? output->file.fd : STDOUT_FILENO);
	return XHPROF_EXIT_OK;
}

xhprof_exit xhprof_output_close(xhprof_output_file *output, bool keep, xhprof_failure *failure)
{
	int error = keep ? 0 : ECANCELED;
	if (keep && !xhprof_writer_flush(&output->writer)) {
		error = output->writer.error;
	}
	if (output->is_file) {
		error = xhprof_atomic_file_close(&output->file, error);
	}
	return keep && error ? xhprof_fail(failure, XHPROF_EXIT_ERROR, "cannot write %s: %s",
									   output->is_file ? output->file.path : "standard output", strerror(error))
						 : XHPROF_EXIT_OK;
}
