/* What a saved run tells of itself: the contents of ID.SOURCE.meta.json. */
#ifndef XHPROF_EXPORT_RUN_META_H
#define XHPROF_EXPORT_RUN_META_H

#include "php_xhprof.h"
#include "trace/columns.h"

#include "zend_smart_str.h"

/* Appends the JSON of the last stopped profile; `user` (may be NULL) is kept as "meta". Times are us but "ts", which is
 * seconds since the epoch. False when `user` cannot be JSON (an exception may be set). */
bool xhprof_run_meta_json(const xhprof_tracer *tracer, xhprof_columns *columns, const char *id, const char *source,
						  zval *user, smart_str *json);

#endif
