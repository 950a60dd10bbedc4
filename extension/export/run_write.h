/* The writing of a stopped profile to one file, ID.SOURCE.run: its metadata, its tree, and all else that it has
 * recorded.
 *
 * Nothing here uses PHP, allocates except by mmap(), throws or leaves by a jump: a run may be written at memory_limit,
 * or in a signal's handler while the program is at rest. The file is written under another name and renamed, so readers
 * see complete runs only. */
#ifndef XHPROF_EXPORT_RUN_WRITE_H
#define XHPROF_EXPORT_RUN_WRITE_H

#include "run.h"

/* File mode of runs that settings start: as they describe requests of other users, only owner and group may read
 * them. */
#define XHPROF_RUN_PRIVATE 0640

/* Returns whether `source` may be part of a file name: 1 to 64 of [A-Za-z0-9_-]. */
bool xhprof_run_valid_source(const char *source, size_t length);

/* Returns whether `release` is a valid release: up to XHPROF_RELEASE_MAX of [A-Za-z0-9._+~-], without a recognizable
 * secret. It may be "". */
bool xhprof_run_valid_release(const char *release, size_t length);

/* Makes an id of a UUID's bytes: their hexadecimal digits. */
void xhprof_run_id_text(const unsigned char bytes[XHPROF_RUN_ID_LENGTH / 2], char id[XHPROF_RUN_ID_LENGTH + 1]);

/* Makes a new id: a random UUID's. */
void xhprof_run_make_id(char id[XHPROF_RUN_ID_LENGTH + 1]);

/* Makes only its bytes. Both may be called in a signal's handler. */
void xhprof_run_make_id_bytes(unsigned char bytes[XHPROF_RUN_ID_LENGTH / 2]);

typedef struct xhprof_run_written {
	uint64_t bytes; /* bytes of the file */
	int folder;     /* descriptor of its folder, for operations by name; the caller closes it */
} xhprof_run_written;

/* Writes the run. Returns 0 or an errno; then no file is left behind, and no descriptor is open. `written` may be
 * NULL. */
int xhprof_run_write(const xhprof_run *run, xhprof_run_written *written);

/* Returns whether this run has been written. */
bool xhprof_run_is_written(const char *directory, const char *source, const char *id);

#endif
