/* A file that is there as a whole or not at all: while it is written it has another name. Knows no PHP and takes no memory. */
#ifndef XHPROF_EXPORT_WHOLE_FILE_H
#define XHPROF_EXPORT_WHOLE_FILE_H

typedef struct xhprof_whole_file {
	int fd;
	const char *path;
	const char *temporary; /* NULL: a device, which is written to as it is */
} xhprof_whole_file;

/* A new file with these permissions, less the umask. `temporary`, in the folder of `path`, and both texts are the caller's until
 * the end. errno of what failed, or 0. */
int xhprof_whole_file_open(xhprof_whole_file *file, const char *path, const char *temporary, unsigned permissions);

/* Gives it its name; with an `error` of the caller's it is removed. That error, errno of what failed here, or 0. */
int xhprof_whole_file_close(xhprof_whole_file *file, int error);

#endif
