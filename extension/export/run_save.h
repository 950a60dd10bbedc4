/* A profile as files: ID.SOURCE.xhprof, .tree.json and .meta.json in the run folder, and .memory.json where allocations
 * were recorded. */
#ifndef XHPROF_EXPORT_RUN_SAVE_H
#define XHPROF_EXPORT_RUN_SAVE_H

#include "php_xhprof.h"

#define XHPROF_RUN_ID_LENGTH 32

/* True when `source` may be part of a file name: [A-Za-z0-9_-], 1 to 64 of them. */
bool xhprof_run_valid_source(const char *source, size_t length);

/* Writes the last stopped profile; `memory` is what it left behind (or NULL), and released in any case; `id` gets the new
 * run id. Each file appears whole or not at all, the .xhprof last.
 * On failure an exception says what failed and where, and no file is left behind. */
bool xhprof_run_save(const xhprof_tracer *tracer, xhprof_alloc_dump *memory, const char *source, zval *user_meta,
					 char id[XHPROF_RUN_ID_LENGTH + 1]);

/* The run folder: environment XHPROF_OUTPUT_DIR, INI xhprof.output_dir, else the folder for temporary files. */
const char *xhprof_run_directory(void);

#endif
