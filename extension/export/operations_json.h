/* The operations of a profile as one JSON object: ID.SOURCE.operations.json. Of a sampling, by the names of functions:
 * the time that samples give to those that are operations. */
#ifndef XHPROF_EXPORT_OPERATIONS_JSON_H
#define XHPROF_EXPORT_OPERATIONS_JSON_H

#include "trace/tracer.h"
#include "writer.h"

/* Whether the stopped profile has any. */
bool xhprof_operations_kept(const xhprof_tracer *tracer);

/* Of a stopped profile; `places` by node id, see columns.h. False without memory. */
bool xhprof_operations_json(const xhprof_tracer *tracer, const uint32_t *places, xhprof_writer *writer);

#endif
