#include "kept_memory.h"

#include <string.h>

#ifdef ZTS
#define resident_now(of) UINT64_C(0)
#else
#define resident_now(of) xhprof_resident_memory_now(&(of)->memory)
#endif

/* Of requests this leaves out what PHP frees at their ends; a span's next one is in the same request. */
static void settle(xhprof_kept_memory *of, xhprof_counting_kind kind, uint64_t resident)
{
	if (of->keeper && of->kind == kind && resident) {
		of->keeper->bytes = (int64_t)(resident - of->resident);
		of->keeper->known = true;
	}
	of->keeper = NULL;
	of->resident = resident;
}

void xhprof_kept_memory_rinit(xhprof_kept_memory *of)
{
	bool shows = of->keeper && of->kind == XHPROF_COUNTING_REQUEST;
	settle(of, XHPROF_COUNTING_REQUEST, shows ? resident_now(of) : 0);
}

void xhprof_kept_memory_begin(xhprof_kept_memory *of, xhprof_counting *counting)
{
	if (counting->kind != XHPROF_COUNTING_REQUEST || !of->resident) { /* or it is known since RINIT */
		settle(of, counting->kind, counting->kind == XHPROF_COUNTING_PROGRAM ? 0 : resident_now(of));
	}
	of->kind = counting->kind;
	counting->resident = of->resident;
}

void xhprof_kept_memory_end(xhprof_kept_memory *of, xhprof_kept *kept, const xhprof_counting *counting)
{
	if (of->warm && counting->resident && !counting->cut) { /* with others at once it is none's own */
		memcpy(kept->route, counting->route, counting->route_length);
		kept->route_length = counting->route_length;
		kept->known = false;
		of->keeper = kept;
		of->kind = counting->kind;
		of->resident = counting->resident;
	}
	of->warm = true;
}

void xhprof_kept_memory_drop(xhprof_kept_memory *of, const xhprof_kept *kept)
{
	of->keeper = of->keeper == kept ? NULL : of->keeper;
}

void xhprof_kept_memory_forked(xhprof_kept_memory *of)
{
	xhprof_kept_memory_close(of);
	of->keeper = NULL;
	of->warm = false;
	of->resident = 0; /* the parent's */
}

void xhprof_kept_memory_close(xhprof_kept_memory *of)
{
	xhprof_resident_memory_close(&of->memory);
}
