/* Bounds for the snapshots of xhprof.heap_on_limit: the oldest in their folder are deleted. Does not use PHP. Any
 * number of processes may do this at once in the same folder. */
#ifndef XHPROF_FOLDER_SNAPSHOT_FOLDER_H
#define XHPROF_FOLDER_SNAPSHOT_FOLDER_H

#include <stdint.h>

/* `path` has just been written; `pattern` is the configured name of its file, with %p and %t for digits, %u for 32
 * hexadecimal ones, %% for "%". The surplus over `max_files` or `max_bytes` (0: no bound) is deleted, oldest first, but
 * never `path` itself. Only heap snapshots count and are deleted: regular files in the same folder, of this user, with
 * such a name and a snapshot's first bytes. 0, or the errno of the failure. Never waits. */
int xhprof_snapshot_folder_bound(const char *path, const char *pattern, uint64_t max_files, uint64_t max_bytes);

#endif
