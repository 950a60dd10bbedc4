#include "output_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

/* What is there and is no file must not be replaced by one: a device (/dev/null) is written to. */
static int open_path(xhprof_output_file *output)
{
	struct stat found;
	bool there = lstat(output->path, &found) == 0;
	if (there && S_ISCHR(found.st_mode)) {
		return open(output->path, O_WRONLY | O_NOFOLLOW | O_NOCTTY | O_CLOEXEC);
	}
	if (there && !S_ISREG(found.st_mode) && !S_ISLNK(found.st_mode)) {
		errno = S_ISDIR(found.st_mode) ? EISDIR : EPERM;
		return -1;
	}
	size_t length =
		xhprof_print_to(output->temporary, sizeof(output->temporary), "%s.%d.tmp", output->path, (int)getpid());
	if (length >= sizeof(output->temporary) - 1) {
		errno = ENAMETOOLONG;
		return -1;
	}
	return open(output->temporary, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
}

xhprof_exit xhprof_output_open(xhprof_output_file *output, const char *path, xhprof_failure *failure)
{
	output->path = path;
	output->temporary[0] = '\0';
	output->fd = STDOUT_FILENO;
	if (path) {
		output->fd = open_path(output);
		if (output->fd < 0) {
			output->temporary[0] = '\0';
			return xhprof_fail(failure, XHPROF_EXIT_ERROR, "cannot write %s: %s", path, strerror(errno));
		}
	}
	xhprof_writer_init(&output->writer, output->fd);
	return XHPROF_EXIT_OK;
}

xhprof_exit xhprof_output_close(xhprof_output_file *output, bool keep, xhprof_failure *failure)
{
	xhprof_exit code = XHPROF_EXIT_OK;
	int error = 0;
	if (keep && !xhprof_writer_flush(&output->writer)) {
		error = output->writer.error;
	}
	if (output->path) {
		if (close(output->fd) != 0 && !error) {
			error = errno;
		}
		if (keep && !error && *output->temporary && rename(output->temporary, output->path) != 0) {
			error = errno;
		}
		if ((!keep || error) && *output->temporary) {
			unlink(output->temporary);
		}
	}
	if (keep && error) {
		code = xhprof_fail(failure, XHPROF_EXIT_ERROR, "cannot write %s: %s",
						   output->path ? output->path : "standard output", strerror(error));
	}
	return code;
}
