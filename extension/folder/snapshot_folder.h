/* Bounds for the snapshots of xhprof.heap_on_limit and xhprof.heap_if: the oldest in their folder are deleted. Does not use PHP. Any
 * number of processes may do this at once in the same folder. */
#ifndef XHPROF_FOLDER_SNAPSHOT_FOLDER_H
#define XHPROF_FOLDER_SNAPSHOT_FOLDER_H

#include <stdint.h>

/* Deletes the surplus over `max_files` or `max_bytes` (0: no bound), oldest first, but never `path`, which has just
 * been written. `pattern`: the configured name of its file, with %p and %t for digits, %u for 32 hexadecimal ones, %r
 * for a route of letters, digits and "_", %% for "%". Only heap snapshots count and are deleted: regular files in the same folder, of this user, with such a name
 * and a snapshot's first bytes. Returns 0 or an errno. Never waits. */
int xhprof_snapshot_folder_bound(const char *path, const char *pattern, uint64_t max_files, uint64_t max_bytes);

#endif
