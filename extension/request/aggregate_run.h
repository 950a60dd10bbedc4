/* From a process's merged tree to the spool, and from a spool to a run. No PHP. */
#ifndef XHPROF_REQUEST_AGGREGATE_RUN_H
#define XHPROF_REQUEST_AGGREGATE_RUN_H

#include "aggregate_files.h"
#include "journal.h"

#include "export/run_write.h"

/* Who saves, and what happens to a run that has been saved (may be NULL). */
typedef struct xhprof_aggregate_saver xhprof_aggregate_saver;
struct xhprof_aggregate_saver {
	const xhprof_run_engine *engine;
	void (*saved)(const xhprof_aggregate_saver *saver, const xhprof_aggregate_place *place, uint64_t bytes);
	uint64_t process;
	uint64_t now_ms;
	bool in_handler;     /* of a signal: the folder is not looked through */
	const void *context; /* the saver's own */
};

typedef enum xhprof_flush {
	XHPROF_FLUSH_EARLY,  /* for want of room */
	XHPROF_FLUSH_WINDOW, /* the window of the data is over */
	XHPROF_FLUSH_QUIET,  /* the same, and no request may follow to save the records */
	XHPROF_FLUSH_END /* of a process that has seen one window only */,
	XHPROF_FLUSH_LAST /* of one that has seen several: what is left is saved when no other process has data */
} xhprof_flush;

/* Opens the place's spool. When it was not there before, spools that other settings have left are saved. */
int xhprof_aggregate_open(const xhprof_aggregate_place *place, xhprof_spool *spool,
						  const xhprof_aggregate_saver *saver);

/* Puts the tree (unless it is empty) into the spool; with 0 it is in there, `journal` (or NULL) is cleared, and the tree is to be emptied.
 * When the spool's time has come, or no other process has data of `window` or before, its records become a run, with those that processes have left
 * in journals; `*save_error` (else 0) is why that failed. */
int xhprof_aggregate_flush(const xhprof_aggregate_place *place, xhprof_spool *spool, const xhprof_merged *merged,
						   xhprof_journal *journal, uint64_t window, xhprof_flush why,
						   const xhprof_aggregate_saver *saver, int *save_error);

#endif
