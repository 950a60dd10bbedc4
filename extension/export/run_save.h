/* The function xhprof_save(), which writes the last stopped profile to the folder of the runs. */
#ifndef XHPROF_EXPORT_RUN_SAVE_H
#define XHPROF_EXPORT_RUN_SAVE_H

#include "php_xhprof.h"
#include "run_write.h"

#include "zend_smart_str.h"

/* Writes the last stopped profile. `memory`: its dump, or NULL; released in any case. `route`: NULL for none. `id` gets
 * the id of the run. On failure an exception reports the file and the error, and no file is left behind. */
bool xhprof_run_save(const xhprof_tracer *tracer, xhprof_alloc_dump *memory, const char *source, const char *route,
					 zval *user_meta, char id[XHPROF_RUN_ID_LENGTH + 1]);

/* Encodes the argument $meta of `function` as JSON; none (NULL) if it is missing or empty. False, without JSON, after
 * an exception. */
bool xhprof_run_encode_meta(const char *function, zval *meta, smart_str *json);

#endif
