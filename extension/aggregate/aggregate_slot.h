/* The data of a window that a process has for one place until they are in the folder, with their journal and the
 * spool that they go to. */
#ifndef XHPROF_AGGREGATE_SLOT_H
#define XHPROF_AGGREGATE_SLOT_H

#include "aggregate_run.h"
#include "kept_memory.h"

/* Time until a failed flush is tried again. */
#define XHPROF_AGGREGATE_RETRY_MS 200

typedef struct xhprof_aggregate_slot {
	xhprof_aggregate_place place;
	xhprof_spool spool;
	uint64_t window;   /* of the data: seconds since the epoch / length */
	uint64_t retry_ms; /* no retry before, after a failure */
	int failed;        /* errno of that failure */
	uid_t user;        /* whose folder it may be */
	uint64_t used;     /* number of the last request that used it */
	xhprof_merged merged;
	xhprof_journal journal; /* of the data in it */
	uint64_t process;       /* its owner */
	xhprof_kept kept;
} xhprof_aggregate_slot;

/* Empties the slot, whose data are in the folder or another process's. Without memory it has no tree then. */
void xhprof_aggregate_slot_empty(xhprof_aggregate_slot *slot);

/* Frees the slot. Data that could not be brought to the folder are left to other processes. */
void xhprof_aggregate_slot_release(xhprof_aggregate_slot *slot);

/* Returns this process, as it is now, as the one that saves. */
xhprof_aggregate_saver xhprof_aggregate_saver_now(uint64_t now_ms, xhprof_run_engine *engine);

/* Bring the data to the folder. 0 if they are there, and the slot is empty; or an errno, EAGAIN while another
 * process has the lock. The first one logs what went wrong; the second, for a thread without PHP, gives it as
 * `save_error`. */
int xhprof_aggregate_slot_flush(xhprof_aggregate_slot *slot, xhprof_flush why, uint64_t now_ms);
int xhprof_aggregate_slot_flush_by(xhprof_aggregate_slot *slot, xhprof_flush why, const xhprof_aggregate_saver *saver,
								   int *save_error);

/* Log an errno, and that the data are lost, as no retry will follow. */
void xhprof_aggregate_slot_log(const xhprof_aggregate_slot *slot, int error);
void xhprof_aggregate_slot_log_lost(const xhprof_aggregate_slot *slot);

#endif
