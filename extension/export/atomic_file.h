/* Files that appear complete or not at all: while a file is written it has another name. Does not use PHP or allocate
 * memory. */
#ifndef XHPROF_EXPORT_ATOMIC_FILE_H
#define XHPROF_EXPORT_ATOMIC_FILE_H

typedef struct xhprof_atomic_file {
	int fd;
	int folder; /* AT_FDCWD, or the descriptor of the folder that both names are in */
	const char *path;
	const char *temporary; /* NULL: a device, which is written to directly */
} xhprof_atomic_file;

/* Creates a file with these permissions, less the umask. `temporary`: its name until it is complete, in the folder of
 * `path`. The caller keeps both texts until the close. Returns 0 or an errno. */
int xhprof_atomic_file_open(xhprof_atomic_file *file, const char *path, const char *temporary, unsigned permissions);

/* Creates a file in the folder of this descriptor, with a name that only this extension gives to files: a file that has
 * it already, even a device, is replaced without a check. */
int xhprof_atomic_file_open_in(xhprof_atomic_file *file, int folder, const char *name, const char *temporary,
							   unsigned permissions);

/* Closes the file and renames it to its own name, or removes it if the caller passes an `error`. Returns that error,
 * the errno of a failure here, or 0. */
int xhprof_atomic_file_close(xhprof_atomic_file *file, int error);

#endif
