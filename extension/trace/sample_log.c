#include "sample_log.h"

#include "sample_tally.h"

#include <string.h>

#define FIRST_RUNS 1024

static bool sample_log_room(xhprof_sample_log *log)
{
	return log->used < log->capacity ||
		   xhprof_pages_double((void **)&log->runs, sizeof(*log->runs), &log->capacity, FIRST_RUNS);
}

/* Adds an entry. False if there is no room for another one. */
static bool sample_log_append(xhprof_sample_log *log, uint64_t first, uint64_t count, const xhprof_node *node,
							  uint32_t line)
{
	xhprof_sample_run *last = log->used ? &log->runs[log->used - 1] : NULL;
	if (last && last->node == node && last->line == line && last->context == log->context &&
		last->first + last->count == first) {
		last->count += (uint32_t)count;
		return true;
	}
	if (!sample_log_room(log)) {
		return false;
	}
	log->runs[log->used++] = (xhprof_sample_run){first, (uint32_t)count, line, node, log->context};
	return true;
}

bool xhprof_sample_log_add_unread(xhprof_sample_log *log, uint64_t first, uint64_t count)
{
	if (log->tally) {
		xhprof_sample_tally_add(log->tally, log->last->id, count);
		return true;
	}
	uint64_t keep = count, room = XHPROF_SAMPLE_MAX - log->samples;
	if (!log->only_counts) {
		keep = keep < room ? keep : room;
		if (keep && !sample_log_append(log, first, keep, log->last, log->last_line)) {
			keep = 0;
		}
	}
	log->samples += keep;
	log->dropped += count - keep;
	log->last->calls += keep;
	return keep == count;
}

bool xhprof_sample_log_add(xhprof_sample_log *log, uint64_t first, uint64_t count, xhprof_node *node, uint32_t line)
{
	uint64_t samples = log->samples;
	if (log->tally) {
		log->tally->taken++;
	}
	log->last = node;
	log->last_line = line;
	bool kept = xhprof_sample_log_add_unread(log, first, count);
	log->taken += log->samples != samples;
	return kept;
}

void xhprof_sample_log_drop(xhprof_sample_log *log, uint64_t count)
{
	*(log->tally ? &log->tally->dropped : &log->dropped) += count;
}

void xhprof_sample_log_delay(xhprof_sample_log *log)
{
	(*(log->tally ? &log->tally->delayed : &log->delayed))++;
}

void xhprof_sample_log_to(xhprof_sample_log *log, struct xhprof_sample_tally *tally)
{
	log->tally = tally;
	log->last = NULL; /* what ran before is another's */
}

void xhprof_sample_log_release(xhprof_sample_log *log)
{
	xhprof_pages_unmap(log->runs, log->capacity * sizeof(*log->runs));
	memset(log, 0, sizeof(*log));
}
