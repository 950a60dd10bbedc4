/* Bounds for the snapshots of xhprof.heap_on_limit: the oldest in their folder go. Knows no PHP. Any number of processes may do
 * this at once in the same folder. */
#ifndef XHPROF_REQUEST_SNAPSHOT_FOLDER_H
#define XHPROF_REQUEST_SNAPSHOT_FOLDER_H

#include <stdint.h>

/* `path` has just been written; `pattern` is the name of its file as it was set, where %p and %t stand for digits, %u for 32
 * hexadecimal ones, %% for "%". What is over `max_files` or `max_bytes` (0: no bound) goes, oldest first, but never `path` itself.
 * Only heap snapshots count and go: regular files in the same folder, of this user, with such a name and a snapshot's first bytes.
 * 0, or the errno of what failed. Never waits. */
int xhprof_snapshot_folder_bound(const char *path, const char *pattern, uint64_t max_files, uint64_t max_bytes);

#endif
