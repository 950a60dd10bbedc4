/* The file in which a host's processes gather the data of one run: a head and records, one after the other. Each
 * process has it open for itself and locks parts of it (own_file.h). One part is for changing the file; one per window
 * means "I have data of that". No PHP; nothing here waits except for a few short tries. Functions return 0 or an
 * errno. */
#ifndef XHPROF_AGGREGATE_SPOOL_H
#define XHPROF_AGGREGATE_SPOOL_H

#include "spool_record.h"

#include "export/run_write.h"

#include <sys/types.h>

#define XHPROF_SPOOL_MAX ((uint64_t)16 * 1024 * 1024) /* bytes; above it a run is saved early */

typedef struct xhprof_spool {
	int fd; /* or -1 */
	dev_t device;
	ino_t inode;
	bool holds; /* data of `window` */
	uint64_t window;
} xhprof_spool;

typedef struct xhprof_spool_head {
	uint64_t magic;
	uint64_t end;      /* of the last whole record; anything behind it was never finished */
	uint64_t begun_ms; /* time of the first record, by the wall clock */
	uint64_t saved;    /* period of the last saved run */
	uint64_t damaged;  /* lost records, which the next run reports */
	uint64_t window;   /* of the youngest record, plus one; 0: unknown */
	uint64_t looked;   /* period of the last search for leftover journals */
	uint64_t taken;    /* journal whose data the records have, not emptied or removed yet; or 0 */
	unsigned char run[XHPROF_RUN_ID_LENGTH / 2]; /* the run being written from the records, or zero */
	uint64_t checksum;
} xhprof_spool_head;

#define XHPROF_SPOOL_CLOSED \
	{                       \
		.fd = -1            \
	}

/* Opens `path`, unless it is open and still the file of that name; creates it if missing (`*made`, may be NULL). Only a
 * file of this user's is accepted. */
int xhprof_spool_open(xhprof_spool *spool, const char *path, bool *made);
void xhprof_spool_close(xhprof_spool *spool);

/* Forgets the file in a forked child: the parent keeps its data. */
void xhprof_spool_forget(xhprof_spool *spool);

/* Shows to other processes that this one has data of a window, and no longer of the last; or has none. */
void xhprof_spool_hold(xhprof_spool *spool, uint64_t window);
void xhprof_spool_let_go(xhprof_spool *spool);

/* Returns whether other processes have data of this window or an earlier one. */
bool xhprof_spool_awaited(const xhprof_spool *spool, uint64_t window);

/* Takes the right to change the file. EAGAIN if others have it for longer than `tries` tries, 0.2 ms apart. */
int xhprof_spool_lock(const xhprof_spool *spool, unsigned tries);
void xhprof_spool_unlock(const xhprof_spool *spool);

/* The functions below are called with the lock held. */

/* Reads the head. A missing or damaged one, which is counted, reads as that of an empty file. */
int xhprof_spool_read_head(const xhprof_spool *spool, xhprof_spool_head *head);

static inline bool xhprof_spool_empty(const xhprof_spool_head *head)
{
	return head->end <= sizeof(*head);
}

/* Appends a record, and writes the head. */
int xhprof_spool_append(const xhprof_spool *spool, xhprof_spool_head *head, const xhprof_spool_record *record,
						uint64_t now_ms);

/* Adds all records to `merged`, and counts the different processes. Damaged ones are counted and skipped. */
int xhprof_spool_merge(const xhprof_spool *spool, const xhprof_spool_head *head, xhprof_merged *merged,
					   uint64_t *processes, uint64_t *damaged);

/* Write the head alone; empty the file, whose next run reports `damaged` records as lost. */
int xhprof_spool_write_head(const xhprof_spool *spool, xhprof_spool_head *head);
int xhprof_spool_clear(const xhprof_spool *spool, xhprof_spool_head *head, uint64_t damaged);

#endif
