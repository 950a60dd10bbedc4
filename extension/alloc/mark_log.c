#include "mark_log.h"

#include "base/arena.h"

#include <string.h>

void xhprof_mark_log_add(xhprof_mark_log *log, uint32_t mark, uint64_t size)
{
	if (mark != log->count + 1 || log->count == XHPROF_MARK_LOG_MAX ||
		(log->count == log->capacity &&
		 !xhprof_pages_double((void **)&log->entries, sizeof(*log->entries), &log->capacity, 256))) {
		return;
	}
	log->entries[log->count++] = (xhprof_mark_entry){.size = size};
}

void xhprof_mark_log_name(xhprof_mark_log *log, uint32_t mark, uint32_t job)
{
	if (mark && mark <= log->count && job && !log->entries[mark - 1].job) {
		log->entries[mark - 1].job = job;
		log->jobs++;
	}
}

void xhprof_mark_log_release(xhprof_mark_log *log)
{
	xhprof_pages_unmap(log->entries, log->capacity * sizeof(*log->entries));
	memset(log, 0, sizeof(*log));
}
