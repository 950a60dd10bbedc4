/* xhprof_save(): the last stopped profile into the run folder. */
#ifndef XHPROF_EXPORT_RUN_SAVE_H
#define XHPROF_EXPORT_RUN_SAVE_H

#include "php_xhprof.h"
#include "run_write.h"

#include "zend_smart_str.h"

/* Writes the last stopped profile; `memory` is what it left behind (or NULL), and released in any case; `id` gets the new
 * run id. On failure an exception says what failed and where, and no file is left behind. */
bool xhprof_run_save(const xhprof_tracer *tracer, xhprof_alloc_dump *memory, const char *source, zval *user_meta,
					 char id[XHPROF_RUN_ID_LENGTH + 1]);

/* $meta of `function` as JSON; nothing (NULL) for one that is missing or empty. False after an exception, and
 * then there is nothing either. */
bool xhprof_run_encode_meta(const char *function, zval *meta, smart_str *json);

#endif
