/* A file that appears complete or not at all: while it is written it has another name. Does not use PHP or allocate
 * memory. */
#ifndef XHPROF_EXPORT_ATOMIC_FILE_H
#define XHPROF_EXPORT_ATOMIC_FILE_H

typedef struct xhprof_atomic_file {
	int fd;
	int folder; /* AT_FDCWD, or the descriptor of the folder that both names are in */
	const char *path;
	const char *temporary; /* NULL: a device, which is written to directly */
} xhprof_atomic_file;

/* A new file with these permissions, less the umask. `temporary`, in the folder of `path`; the caller keeps both texts
 * until the end. errno of the failure, or 0. */
int xhprof_atomic_file_open(xhprof_atomic_file *file, const char *path, const char *temporary, unsigned permissions);

/* The same in the folder of this descriptor, for a name that only we give files: what has it already, a device too, is
 * replaced without a look at it. */
int xhprof_atomic_file_open_in(xhprof_atomic_file *file, int folder, const char *name, const char *temporary,
							   unsigned permissions);

/* Renames it to its own name; with an `error` of the caller's it is removed. Returns that error, errno of a failure
 * here, or 0. */
int xhprof_atomic_file_close(xhprof_atomic_file *file, int error);

#endif
