#include "atomic_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

int xhprof_atomic_file_open_in(xhprof_atomic_file *file, int folder, const char *name, const char *temporary,
							   unsigned permissions)
{
	*file = (xhprof_atomic_file){.folder = folder, .path = name, .temporary = temporary};
	file->fd = openat(folder, temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, permissions);
	return file->fd < 0 ? errno : 0;
}

int xhprof_atomic_file_open(xhprof_atomic_file *file, const char *path, const char *temporary, unsigned permissions)
{
	struct stat found;
	bool there = lstat(path, &found) == 0;
	*file = (xhprof_atomic_file){.fd = -1, .folder = AT_FDCWD, .path = path};
	if (there && S_ISCHR(found.st_mode)) {
		file->fd = open(path, O_WRONLY | O_NOFOLLOW | O_NOCTTY | O_CLOEXEC);
	} else if (there && !S_ISREG(found.st_mode) && !S_ISLNK(found.st_mode)) {
		return S_ISDIR(found.st_mode) ? EISDIR : EPERM; /* not to be replaced */
	} else {
		return xhprof_atomic_file_open_in(file, AT_FDCWD, path, temporary, permissions);
	}
	return file->fd < 0 ? errno : 0;
}

int xhprof_atomic_file_close(xhprof_atomic_file *file, int error)
{
	if (close(file->fd) != 0 && !error && errno != EINTR) { /* EINTR: it is closed all the same */
		error = errno;
	}
	if (!error && file->temporary && renameat(file->folder, file->temporary, file->folder, file->path) != 0) {
		error = errno;
	}
	if (error && file->temporary) {
		unlinkat(file->folder, file->temporary, 0);
	}
	return error;
}
