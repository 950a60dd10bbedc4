/* Bounds for the runs that a folder holds: when a source has more of them than may be, or of more bytes, its oldest go. Knows no
 * PHP. Any number of processes may do this at once, in the same folder, and others may delete what they like. */
#ifndef XHPROF_REQUEST_RUN_FOLDER_H
#define XHPROF_REQUEST_RUN_FOLDER_H

#include <stdint.h>

/* A run of `source` has been written, of so many bytes. What is over `max_runs` or `max_bytes` (0: no bound) goes, down to nine
 * tenths of it: all files of the oldest runs, but of those that people have pinned, and of the run that was written last.
 *
 * What there is is known from a small file in the folder, and counted again when a bound is reached, or that file is not as it
 * was left. 0, or the errno of what failed: then nothing is bounded this time. Never waits: EAGAIN when another process is at
 * it. */
int xhprof_run_folder_admit(const char *directory, const char *source, uint64_t max_runs, uint64_t max_bytes,
							uint64_t bytes_written);

#endif
