/* The classic shape, "caller==>callee" => [ct, wt, cpu, mu, pmu], as the text that serialize() makes of it. */
#ifndef XHPROF_EXPORT_EDGES_H
#define XHPROF_EXPORT_EDGES_H

#include "trace/columns.h"
#include "writer.h"

/* Of a stopped profile. `keep_run_init`: as for xhprof_fold_tree(). False when there is no memory to fold with. */
bool xhprof_export_serialized(const xhprof_tracer *tracer, xhprof_columns *columns, bool keep_run_init,
							  xhprof_writer *writer);

#endif
