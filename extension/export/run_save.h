/* xhprof_save(): the last stopped profile into the run folder. */
#ifndef XHPROF_EXPORT_RUN_SAVE_H
#define XHPROF_EXPORT_RUN_SAVE_H

#include "php_xhprof.h"
#include "run_write.h"

#include "zend_smart_str.h"

/* Writes the last stopped profile; `memory` is its dump (or NULL), and released in any case; `id` gets the new run id.
 * On failure an exception reports the file and the error, and no file is left behind. */
bool xhprof_run_save(const xhprof_tracer *tracer, xhprof_alloc_dump *memory, const char *source, zval *user_meta,
					 char id[XHPROF_RUN_ID_LENGTH + 1]);

/* $meta of `function` as JSON; nothing (NULL) if it is missing or empty. False, and nothing, after an exception. */
bool xhprof_run_encode_meta(const char *function, zval *meta, smart_str *json);

#endif
