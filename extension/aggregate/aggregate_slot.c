#include "aggregate_slot.h"

#include "base/process.h"
#include "export/run_info.h"
#include "folder/log_once.h"
#include "folder/run_saved.h"

#include <errno.h>
#include <inttypes.h>

/* Releases a slot. Data that could not be brought to the folder are left to others. */
void xhprof_aggregate_slot_release(xhprof_aggregate_slot *slot)
{
	if (xhprof_merged_empty(&slot->merged)) {
		xhprof_journal_remove(&slot->journal);
	} else {
		xhprof_journal_leave(&slot->journal);
	}
	xhprof_spool_close(&slot->spool);
	xhprof_merged_release(&slot->merged);
	xhprof_pages_unmap(slot, sizeof(*slot));
}

void xhprof_aggregate_slot_empty(xhprof_aggregate_slot *slot)
{
	if (!xhprof_merged_begin(&slot->merged, slot->place.interval_us, slot->place.clock, slot->place.alloc_bytes,
							 XHPROF_COUNTING_NODES, XHPROF_COUNTING_NAMES)) {
		xhprof_merged_release(&slot->merged); /* then it is empty: no memory */
	}
}

static void on_run_saved(const xhprof_aggregate_saver *saver, const xhprof_aggregate_place *place,
						 const xhprof_run_written *written)
{
	if (!XHPROF_G(aggregate).quiet) {
		xhprof_run_saved(written, place->directory, place->source);
	}
}

xhprof_aggregate_saver xhprof_aggregate_saver_now(uint64_t now_ms, xhprof_run_engine *engine)
{
	xhprof_run_engine_now(engine);
	engine->flags = 0;
	engine->peak_memory = 0;
	engine->overhead = NULL;
	return (xhprof_aggregate_saver){engine, on_run_saved, xhprof_process_number(), now_ms, XHPROF_G(aggregate).quiet,
									NULL};
}

/* Reports an error of flushing. What a daemon has counted before it became another user waits in the journal for the
 * other user's next process. */
void xhprof_aggregate_slot_log(const xhprof_aggregate_slot *slot, int error)
{
	bool waits = slot->user != geteuid() && xhprof_journal_is_open(&slot->journal);
	if (!XHPROF_G(aggregate).quiet && !waits) {
		xhprof_log_failure("cannot write a run to %s: %s", slot->place.directory, strerror(error));
	}
}

/* Reports that the slot's data are lost, as there will be no retry. */
void xhprof_aggregate_slot_log_lost(const xhprof_aggregate_slot *slot)
{
	if (!XHPROF_G(aggregate).quiet && !xhprof_merged_empty(&slot->merged) && !xhprof_journal_is_open(&slot->journal)) {
		xhprof_log_failure("a window for %s is lost: %" PRIu64 " requests", slot->place.directory,
						   slot->merged.requests);
	}
}

/* Brings the slot's data to the folder. Returns 0 if they are there, and the slot is empty; or an errno, EAGAIN while
 * another process has the lock. */
int xhprof_aggregate_slot_flush_by(xhprof_aggregate_slot *slot, xhprof_flush why, const xhprof_aggregate_saver *saver,
								   int *save_error)
{
	uint64_t now_ms = saver->now_ms;
	uint64_t end = (slot->window + 1) * slot->place.seconds;
	end = why == XHPROF_FLUSH_WINDOW || end < now_ms / 1000 + 1 ? end : now_ms / 1000 + 1;
	if (!xhprof_merged_empty(&slot->merged)) {
		xhprof_merged_span(&slot->merged, slot->merged.from, end);
	}
	int error = xhprof_aggregate_flush(&slot->place, &slot->spool, &slot->merged, &slot->journal, slot->window, why,
									   saver, save_error);
	if (error) {
		slot->retry_ms = now_ms + XHPROF_AGGREGATE_RETRY_MS;
		slot->failed = error;
	} else {
		xhprof_aggregate_slot_empty(slot);
	}
	return error;
}

int xhprof_aggregate_slot_flush(xhprof_aggregate_slot *slot, xhprof_flush why, uint64_t now_ms)
{
	bool ends = why == XHPROF_FLUSH_END || why == XHPROF_FLUSH_LAST;
	if (!ends && now_ms < slot->retry_ms && now_ms + XHPROF_AGGREGATE_RETRY_MS >= slot->retry_ms) {
		return slot->failed;
	}
	xhprof_run_engine engine;
	xhprof_aggregate_saver saver = xhprof_aggregate_saver_now(now_ms, &engine);
	int save_error, error = xhprof_aggregate_slot_flush_by(slot, why, &saver, &save_error);
	if (save_error || (error && error != EAGAIN)) {
		xhprof_aggregate_slot_log(slot, save_error ? save_error : error);
	}
	return error;
}
