/* The classic shape, "caller==>callee" => [ct, wt, cpu, mu, pmu], in serialize()'s format. */
#ifndef XHPROF_EXPORT_EDGES_H
#define XHPROF_EXPORT_EDGES_H

#include "trace/columns.h"
#include "writer.h"

/* Of a stopped profile. Files' top-level code has edges of its own, as it has nodes in the tree that is saved beside
 * them: both files have the same functions. False without memory to fold with. */
bool xhprof_export_serialized(const xhprof_tracer *tracer, xhprof_columns *columns, xhprof_writer *writer);

#endif
