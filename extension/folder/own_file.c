#include "own_file.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#define HIGH_FD 200

int xhprof_own_file_move_up(int fd)
{
	int high = fcntl(fd, F_DUPFD_CLOEXEC, HIGH_FD);
	if (high < 0 && fd < 3) {
		high = fcntl(fd, F_DUPFD_CLOEXEC, 3);
	}
	if (high < 0 && fd > 2) {
		return fd;
	}
	int error = errno;
	close(fd);
	errno = error;
	return high;
}

int xhprof_own_file_open(const char *path, int flags, int *fd, struct stat *file)
{
	int opened = open(path, flags | O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY, 0600);
	if (opened < 0 || (opened = xhprof_own_file_move_up(opened)) < 0) {
		return errno;
	}
	if (fstat(opened, file) != 0 || !S_ISREG(file->st_mode) || file->st_uid != geteuid() || file->st_nlink > 1) {
		close(opened);
		return EPERM;
	}
	*fd = opened;
	return 0;
}

bool xhprof_own_file_is(int fd, dev_t device, ino_t inode)
{
	struct stat now;
	return fd >= 0 && fstat(fd, &now) == 0 && now.st_dev == device && now.st_ino == inode;
}

int xhprof_own_file_lock(int fd, short type, off_t start, off_t length)
{
	struct flock lock = {.l_type = type, .l_whence = SEEK_SET, .l_start = start, .l_len = length};
	int result;
	do {
		result = fcntl(fd, F_OFD_SETLK, &lock);
	} while (result != 0 && errno == EINTR);
	return result == 0 ? 0 : errno == EACCES ? EAGAIN : errno;
}
