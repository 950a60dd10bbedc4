/* The metadata of a saved run: the contents of ID.SOURCE.meta.json. */
#ifndef XHPROF_EXPORT_RUN_META_H
#define XHPROF_EXPORT_RUN_META_H

#include "run.h"
#include "trace/columns.h"

/* Times are us except "ts", which is seconds since the epoch. False without memory to count with. */
bool xhprof_run_meta_json(const xhprof_run *run, xhprof_columns *columns, xhprof_writer *writer);

#endif
