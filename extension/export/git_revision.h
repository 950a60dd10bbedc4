/* The program's git revision, read from its .git folder; git itself is not run. */
#ifndef XHPROF_EXPORT_GIT_REVISION_H
#define XHPROF_EXPORT_GIT_REVISION_H

#include <stdbool.h>

/* The 40 (or 64) hex digits of HEAD of the working tree that holds `file`. False outside of a working tree. `allowed`: whether a
 * path may be read (open_basedir). Only regular files are read, and folders entered, of the file's owner, this user, or
 * root; of a large packed-refs the first megabyte. */
bool xhprof_git_revision(const char *file, bool (*allowed)(const char *path), char revision[65]);

#endif
