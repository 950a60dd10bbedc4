#include "sample_log.h"

#include <string.h>

#define FIRST_RUNS 1024

static bool sample_log_room(xhprof_sample_log *log)
{
	return log->used < log->capacity ||
		   xhprof_pages_double((void **)&log->runs, sizeof(*log->runs), &log->capacity, FIRST_RUNS);
}

void xhprof_sample_log_add(xhprof_sample_log *log, uint64_t first, uint64_t count, const xhprof_node *node)
{
	if (log->samples + count > XHPROF_SAMPLE_MAX) {
		uint64_t keep = XHPROF_SAMPLE_MAX - log->samples;
		log->dropped += count - keep;
		count = keep;
	}
	if (!count) {
		return;
	}
	xhprof_sample_run *last = log->used ? &log->runs[log->used - 1] : NULL;
	if (last && last->node == node && last->first + last->count == first) {
		last->count += count;
	} else if (sample_log_room(log)) {
		log->runs[log->used++] = (xhprof_sample_run){first, count, node};
	} else {
		log->dropped += count;
		return;
	}
	log->samples += count;
}

void xhprof_sample_log_release(xhprof_sample_log *log)
{
	xhprof_pages_unmap(log->runs, log->capacity * sizeof(*log->runs));
	memset(log, 0, sizeof(*log));
}
