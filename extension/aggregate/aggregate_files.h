/* Names and files of windows in a run folder: the spool of a place, and the journals of its processes. No PHP. */
#ifndef XHPROF_AGGREGATE_FILES_H
#define XHPROF_AGGREGATE_FILES_H

#include "journal.h"
#include "spool.h"

#define XHPROF_SOURCE_MAX 64

/* The key of a spool: its data become one run. */
typedef struct xhprof_aggregate_place {
	char directory[4096]; /* absolute */
	char source[XHPROF_SOURCE_MAX + 1];
	uint32_t seconds; /* length of a window */
	uint32_t interval_us;
	xhprof_sample_clock clock;
	uint64_t alloc_bytes; /* see xhprof_merged */
	char release[XHPROF_RELEASE_MAX + 1];
} xhprof_aggregate_place;

/* Returns whether windows of both places go into one run. */
bool xhprof_aggregate_place_is(const xhprof_aggregate_place *a, const xhprof_aggregate_place *b);

#define XHPROF_AGGREGATE_PATH (sizeof(((xhprof_aggregate_place *)NULL)->directory) + 256)

/* Opens the place's spool; if another user's file has its name, or one that is no spool, one with a random part in its
 * name. 0 or an errno; `*made`: it was created. */
int xhprof_aggregate_open_spool(const xhprof_aggregate_place *place, xhprof_spool *spool, bool *made);

/* Puts at `path` what the names of this place's journals begin with; false if it is too long. */
bool xhprof_aggregate_journal_prefix(char path[XHPROF_AGGREGATE_PATH], const xhprof_aggregate_place *place);

/* Opens this process's journal of the place, which is empty then. 0 or an errno. */
int xhprof_aggregate_open_journal(const xhprof_aggregate_place *place, xhprof_journal *journal);

/* Calls `found` for each journal of the place. */
void xhprof_aggregate_each_journal(const xhprof_aggregate_place *place,
								   void (*found)(const char *path, uint64_t number, void *context), void *context);

/* Removes the journal of this number, if it exists. 0 or an errno. */
int xhprof_aggregate_remove_journal(const xhprof_aggregate_place *place, uint64_t number);

/* Calls `found` for each other place of this user whose spool is in the folder of `place`. */
void xhprof_aggregate_each_other(const xhprof_aggregate_place *place,
								 void (*found)(const xhprof_aggregate_place *other, const char *path, void *context),
								 void *context);

#endif
