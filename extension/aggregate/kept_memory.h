/* What a process has kept of a request: the growth of its resident memory, which shows when the next one begins, after all
 * that was the request's is freed. With threads it is that of all, so no request's own, and not known. */
#ifndef XHPROF_AGGREGATE_KEPT_MEMORY_H
#define XHPROF_AGGREGATE_KEPT_MEMORY_H

#include "counting.h"
#include "resident_memory.h"

/* Of a request that is counted already. */
typedef struct xhprof_kept {
	bool known;
	int64_t bytes;
	char route[XHPROF_ROUTE_MAX + 1];
	size_t route_length;
} xhprof_kept;

/* Of a process. All zero at first. */
typedef struct xhprof_kept_memory {
	xhprof_resident_memory memory;
	xhprof_kept *keeper; /* of the request that ended last, if the next one shows what was kept of it; or NULL */
	xhprof_counting_kind kind;
	uint64_t resident; /* memory at its begin, and until the next one begins; 0: not known */
	bool warm;         /* the process's first request, which fills caches, is over */
} xhprof_kept_memory;

/* PHP begins a request, of whatever kind. */
void xhprof_kept_memory_rinit(xhprof_kept_memory *process);

/* A request that will be counted begins. */
void xhprof_kept_memory_begin(xhprof_kept_memory *process, xhprof_counting *counting);

/* It has ended; `kept` is where it is counted. */
void xhprof_kept_memory_end(xhprof_kept_memory *process, xhprof_kept *kept, const xhprof_counting *counting);

/* `kept` goes away. */
void xhprof_kept_memory_drop(xhprof_kept_memory *process, const xhprof_kept *kept);

/* In a forked child. */
void xhprof_kept_memory_forked(xhprof_kept_memory *process);
void xhprof_kept_memory_close(xhprof_kept_memory *process);

#endif
