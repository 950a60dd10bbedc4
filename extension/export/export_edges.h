/* The classic shape, "caller==>callee" => [ct, wt, cpu, mu, pmu], as the text that serialize() makes of it. */
#ifndef XHPROF_EXPORT_EDGES_H
#define XHPROF_EXPORT_EDGES_H

#include "trace/columns.h"
#include "writer.h"

/* Of a stopped profile. Files' top-level code has edges of its own, as it has nodes in the tree that is saved beside them: what
 * is read from one is in the other. False when there is no memory to fold with. */
bool xhprof_export_serialized(const xhprof_tracer *tracer, xhprof_columns *columns, xhprof_writer *writer);

#endif
