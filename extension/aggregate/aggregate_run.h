/* Brings a process's merged tree to the spool, and makes a run of a spool. No PHP. */
#ifndef XHPROF_AGGREGATE_RUN_H
#define XHPROF_AGGREGATE_RUN_H

#include "aggregate_files.h"
#include "journal.h"

#include "export/run_write.h"

/* The process that saves, and a callback for a saved run (may be NULL). */
typedef struct xhprof_aggregate_saver xhprof_aggregate_saver;
struct xhprof_aggregate_saver {
	const xhprof_run_engine *engine;
	void (*saved)(const xhprof_aggregate_saver *saver, const xhprof_aggregate_place *place,
				  const xhprof_run_written *written);
	uint64_t process;
	uint64_t now_ms;
	bool in_handler;     /* of a signal: the folder is not searched */
	const void *context; /* the saver's own */
};

typedef enum xhprof_flush {
	XHPROF_FLUSH_EARLY,  /* no room */
	XHPROF_FLUSH_WINDOW, /* the window of the data is over */
	XHPROF_FLUSH_QUIET,  /* the same, but no request may follow to save the records */
	XHPROF_FLUSH_END /* of a process with one window only */,
	XHPROF_FLUSH_LAST /* of a process with several: the rest is saved when no other process has data */
} xhprof_flush;

/* Opens the place's spool. If it was not there before, saves spools left by other settings. */
int xhprof_aggregate_open(const xhprof_aggregate_place *place, xhprof_spool *spool,
						  const xhprof_aggregate_saver *saver);

/* Puts the tree (unless it is empty) into the spool. Returns 0 or an errno; on 0 it is in there, `journal` (or NULL)
 * is cleared, and the caller empties the tree. When the spool's period is over, or no other process has data of
 * `window` or before, its records become a run, with those that dead processes left in journals; `*save_error` (else 0)
 * is why that failed. */
int xhprof_aggregate_flush(const xhprof_aggregate_place *place, xhprof_spool *spool, const xhprof_merged *merged,
						   xhprof_journal *journal, uint64_t window, xhprof_flush why,
						   const xhprof_aggregate_saver *saver, int *save_error);

#endif
