/* Files that processes of one user share in a folder where others may write too: only a regular file of one's own
 * with a single name is opened, and parts of it are locked. Open file descriptions own such locks: neither threads nor
 * forks share them by accident, and none outlives its process. Functions return 0 or an errno. */
#ifndef XHPROF_FOLDER_OWN_FILE_H
#define XHPROF_FOLDER_OWN_FILE_H

#include <stdbool.h>
#include <sys/stat.h>
#include <sys/types.h>

/* Gives a descriptor a high number, as programs count on the low ones: returns that, or -1 and closes it. */
int xhprof_own_file_move_up(int fd);

/* Opens the file. `flags`: beside O_RDWR; O_CREAT | O_EXCL makes it. `fd` has been moved up. */
int xhprof_own_file_open(const char *path, int flags, int *fd, struct stat *file);

/* Returns whether `fd` is still this file: a program may close all descriptors that it finds, and reuse their
 * numbers. */
bool xhprof_own_file_is(int fd, dev_t device, ino_t inode);

/* Locks or unlocks a part of the file. `type`: F_RDLCK, F_WRLCK or F_UNLCK. EAGAIN if another process has the lock. */
int xhprof_own_file_lock(int fd, short type, off_t start, off_t length);

#endif
