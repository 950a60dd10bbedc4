#include "sample_log.h"

#include <string.h>

static bool sample_log_room(xhprof_sample_log *log)
{
	if (log->used < log->capacity) {
		return true;
	}
	size_t capacity = log->capacity ? log->capacity * 2 : 1024;
	xhprof_sample_run *runs = xhprof_pages_map(capacity * sizeof(*runs));
	if (!runs) {
		return false;
	}
	if (log->runs) {
		memcpy(runs, log->runs, log->used * sizeof(*runs));
		xhprof_pages_unmap(log->runs, log->capacity * sizeof(*runs));
	}
	log->runs = runs;
	log->capacity = capacity;
	return true;
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
