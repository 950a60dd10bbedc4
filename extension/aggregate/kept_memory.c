#include "kept_memory.h"

#include <string.h>

#ifdef ZTS
#define resident_now(process) UINT64_C(0)
#else
#define resident_now(process) xhprof_resident_memory_now(&(process)->memory)
#endif

/* Gives the request or span before what the process has kept since. Of requests this leaves out what PHP frees at their
 * ends; the span after a span is in the same request. */
static void settle(xhprof_kept_memory *process, xhprof_counting_kind kind, uint64_t resident)
{
	if (process->keeper && process->kind == kind && resident) {
		process->keeper->bytes = (int64_t)(resident - process->resident);
		process->keeper->known = true;
	}
	process->keeper = NULL;
	process->resident = resident;
}

void xhprof_kept_memory_rinit(xhprof_kept_memory *process)
{
	bool shows = process->keeper && process->kind == XHPROF_COUNTING_REQUEST;
	settle(process, XHPROF_COUNTING_REQUEST, shows ? resident_now(process) : 0);
}

void xhprof_kept_memory_begin(xhprof_kept_memory *process, xhprof_counting *counting)
{
	if (counting->kind != XHPROF_COUNTING_REQUEST || !process->resident) { /* or it is known since RINIT */
		settle(process, counting->kind, counting->kind == XHPROF_COUNTING_PROGRAM ? 0 : resident_now(process));
	}
	process->kind = counting->kind;
	counting->resident = process->resident;
}

void xhprof_kept_memory_end(xhprof_kept_memory *process, xhprof_kept *kept, const xhprof_counting *counting)
{
	/* The growth cannot be split between overlapping spans. */
	if (process->warm && counting->resident && !counting->of_job) {
		memcpy(kept->route, counting->route, counting->route_length);
		kept->route_length = counting->route_length;
		kept->known = false;
		process->keeper = kept;
		process->kind = counting->kind;
		process->resident = counting->resident;
	}
	process->warm = true;
}

void xhprof_kept_memory_drop(xhprof_kept_memory *process, const xhprof_kept *kept)
{
	process->keeper = process->keeper == kept ? NULL : process->keeper;
}

void xhprof_kept_memory_forked(xhprof_kept_memory *process)
{
	xhprof_kept_memory_close(process);
	process->keeper = NULL;
	process->warm = false;
	process->resident = 0; /* the parent's */
}

void xhprof_kept_memory_close(xhprof_kept_memory *process)
{
	xhprof_resident_memory_close(&process->memory);
}
