/* A stopped profile as one file, ID.SOURCE.run: its metadata, its tree, and whatever else it has recorded.
 *
 * Nothing here uses PHP, allocates but by mmap(), throws or leaves by a jump: a run may be written at memory_limit, or
 * in a signal's handler while the program is at rest. The file is written under another name and renamed, so readers
 * see complete runs only. */
#ifndef XHPROF_EXPORT_RUN_WRITE_H
#define XHPROF_EXPORT_RUN_WRITE_H

#include "run.h"

/* File mode of settings-started runs: they describe other users' requests; owner and group only. */
#define XHPROF_RUN_PRIVATE 0640

/* True when `source` may be part of a file name: [A-Za-z0-9_-], 1 to 64 of them. */
bool xhprof_run_valid_source(const char *source, size_t length);

/* True when `release` may be one: [A-Za-z0-9._+~-], up to XHPROF_RELEASE_MAX of them, no recognizable secret. It may be
 * "". */
bool xhprof_run_valid_release(const char *release, size_t length);

/* The id of a UUID's bytes: their hexadecimal digits. */
void xhprof_run_id_text(const unsigned char bytes[XHPROF_RUN_ID_LENGTH / 2], char id[XHPROF_RUN_ID_LENGTH + 1]);

/* A new id. Not for a signal's handler. */
void xhprof_run_make_id(char id[XHPROF_RUN_ID_LENGTH + 1]);

/* The bytes of an equally good one, in a signal's handler too. */
void xhprof_run_make_id_bytes(unsigned char bytes[XHPROF_RUN_ID_LENGTH / 2]);

typedef struct xhprof_run_written {
	uint64_t bytes; /* of the file */
	int folder;     /* descriptor of the folder that it is in, for operations by name; to be closed by the caller */
} xhprof_run_written;

/* errno of the failure, and then no file is left behind and no descriptor open, or 0. `written` may be NULL. */
int xhprof_run_write(const xhprof_run *run, xhprof_run_written *written);

/* Whether this run has been written. */
bool xhprof_run_is_written(const char *directory, const char *source, const char *id);

#endif
