/* The program's git revision, read from its .git folder; git itself is not run. */
#ifndef XHPROF_EXPORT_GIT_REVISION_H
#define XHPROF_EXPORT_GIT_REVISION_H

#include <stdbool.h>

/* Gives the 40 (or 64) hexadecimal digits of HEAD of the working tree that holds `file`. False outside of a working
 * tree. `allowed`: returns whether a path may be read (open_basedir). It reads only regular files, and enters only
 * folders, that belong to the file's owner, this user or root; of a large packed-refs it reads the first megabyte. */
bool xhprof_git_revision(const char *file, bool (*allowed)(const char *path), char revision[65]);

#endif
