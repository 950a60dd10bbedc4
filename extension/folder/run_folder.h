/* Bounds for the runs of a folder: if a source has too many of them, or too many bytes, its oldest are deleted. Does
 * not use PHP. Any number of processes may do this at once, in the same folder, and others may delete any files. */
#ifndef XHPROF_FOLDER_RUN_FOLDER_H
#define XHPROF_FOLDER_RUN_FOLDER_H

#include <stdint.h>

/* Adds a run of `source`, which was written to the folder of this descriptor, to the folder's count. Deletes the
 * surplus over `max_runs` or `max_bytes` (0: no bound), down to nine tenths of it: all files of the oldest runs, except
 * pinned ones and the run that was written last. A small file in the folder holds the count, which is repeated when a
 * bound is reached, or if that file has changed; without such a file, whose names others may have taken, it is repeated
 * each time, in folders of up to 65,536 files: EFBIG in larger ones. Returns 0 or an errno: then nothing is deleted
 * this time. Never waits: EAGAIN if another process has the lock. */
int xhprof_run_folder_admit(int folder, const char *source, uint64_t max_runs, uint64_t max_bytes,
							uint64_t bytes_written);

#endif
