/* The timeline of a profile as ID.SOURCE.timeline.json; docs/formats.md describes it. */
#ifndef XHPROF_EXPORT_TIMELINE_JSON_H
#define XHPROF_EXPORT_TIMELINE_JSON_H

#include "trace/tracer.h"
#include "writer.h"

/* Of a stopped profile that has a timeline; `places` by node id, see columns.h. False without memory. */
bool xhprof_timeline_json(const xhprof_tracer *tracer, const uint32_t *places, xhprof_writer *writer);

#endif
