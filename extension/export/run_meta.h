/* The metadata of a saved run: the document "meta" of its file. */
#ifndef XHPROF_EXPORT_RUN_META_H
#define XHPROF_EXPORT_RUN_META_H

#include "run.h"
#include "trace/columns.h"

/* Sums over all nodes, in ns and bytes. */
typedef struct xhprof_run_sums {
	uint64_t functions, calls;
	int64_t cpu, user, system, memory, peak;
} xhprof_run_sums;

/* The source of the metadata. */
typedef struct xhprof_run_meta {
	const xhprof_run *run;
	xhprof_run_sums sums;
} xhprof_run_meta;

/* Computes the sums in one pass over the columns. False without memory to count functions. */
bool xhprof_run_sums_of(xhprof_run_sums *sums, const xhprof_tracer *tracer, xhprof_columns *columns);

/* Writes the members of the document; `from` is a xhprof_run_meta. Times are us, except "ts", which is seconds since
 * the epoch. */
void xhprof_run_meta_head(xhprof_json *json, const void *from);

#endif
