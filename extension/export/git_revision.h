/* The git revision a program runs at, read from its .git folder; git itself is not run. */
#ifndef XHPROF_EXPORT_GIT_REVISION_H
#define XHPROF_EXPORT_GIT_REVISION_H

#include <stdbool.h>

/* The 40 (or 64) hex digits of HEAD of the working tree that holds `file`. False when it is in none. */
bool xhprof_git_revision(const char *file, char revision[65]);

#endif
