/* The memory that a process has kept of a request: the growth of its resident memory, seen when the next request
 * begins, after all that was the request's is freed. With threads it is not known, as it is that of all. */
#ifndef XHPROF_AGGREGATE_KEPT_MEMORY_H
#define XHPROF_AGGREGATE_KEPT_MEMORY_H

#include "counting.h"
#include "resident_memory.h"

/* The memory kept of a request that is counted already. */
typedef struct xhprof_kept {
	bool known;
	int64_t bytes;
	char route[XHPROF_ROUTE_MAX + 1];
	size_t route_length;
} xhprof_kept;

/* The state of a process. All zero at first. */
typedef struct xhprof_kept_memory {
	xhprof_resident_memory memory;
	xhprof_kept *keeper; /* of the request that ended last, if the next one shows what was kept of it; or NULL */
	xhprof_counting_kind kind;
	uint64_t resident; /* memory at its begin, and until the next one begins; 0: not known */
	bool warm;         /* the process's first request, which fills caches, is over */
} xhprof_kept_memory;

/* Settles the request before, when PHP begins one of whatever kind. */
void xhprof_kept_memory_rinit(xhprof_kept_memory *process);

/* Begins a request that will be counted. */
void xhprof_kept_memory_begin(xhprof_kept_memory *process, xhprof_counting *counting);

/* Ends it; `kept` gets its memory when the next one begins. */
void xhprof_kept_memory_end(xhprof_kept_memory *process, xhprof_kept *kept, const xhprof_counting *counting);

/* Forgets `kept`, which goes away. */
void xhprof_kept_memory_drop(xhprof_kept_memory *process, const xhprof_kept *kept);

/* Begins anew in a forked child; closes the file. */
void xhprof_kept_memory_forked(xhprof_kept_memory *process);
void xhprof_kept_memory_close(xhprof_kept_memory *process);

#endif
