/* A process's merged data of a window, so that they survive the process's sudden end: a file of its own, to which
 * each request adds a record (spool_part.h) by one write. When it is full the whole window is written anew as one
 * record. A lock shows that the process lives; others adopt the journal of a dead process. The file is not mapped to be
 * read or written: if another one shortens, replaces or removes it, no process is hurt, and what was in it is written
 * again with the next request. Its space is reserved, so that a disk that becomes full later loses nothing. No PHP.
 * Functions return 0 or an errno. */
#ifndef XHPROF_AGGREGATE_JOURNAL_H
#define XHPROF_AGGREGATE_JOURNAL_H

#include "spool_part.h"
#include "spool_record.h"

#include <sys/types.h>

#define XHPROF_JOURNAL_PATH 4352

typedef struct xhprof_journal {
	char *record;      /* room for one; NULL: no journal is open */
	void *lock;        /* the mapping that keeps the lock, or NULL */
	uint64_t mark;     /* before records that count */
	size_t size;       /* of the file */
	size_t start, end; /* of the valid records */
	int fd;
	uint64_t number; /* from its name, or 0 */
	dev_t device;
	ino_t inode;
	char path[XHPROF_JOURNAL_PATH];
} xhprof_journal;

static inline bool xhprof_journal_is_open(const xhprof_journal *journal)
{
	return journal->record != NULL;
}

/* Puts at `path` the name of the file of this number: `prefix`, 16 digits and ".journal". False if that is too long. */
bool xhprof_journal_path(char path[XHPROF_JOURNAL_PATH], const char *prefix, uint64_t number);

/* Returns the number in a name, of which `rest` comes after the prefix; 0 if it is not a journal's. */
uint64_t xhprof_journal_number(const char *rest);

/* Makes an empty file of a random number, unless a usable one is open that begins with `prefix`. */
int xhprof_journal_open(xhprof_journal *journal, const char *prefix);

/* Adds a request's part. `merged` has it already, and is written as a whole if there is no room for the part alone.
 * An error closes the journal. */
int xhprof_journal_add(xhprof_journal *journal, const xhprof_spool_part *part, const xhprof_merged *merged,
					   uint64_t process);

/* The same for a record of data that `merged` has already. */
int xhprof_journal_add_record(xhprof_journal *journal, const xhprof_spool_record *record, const xhprof_merged *merged,
							  uint64_t process);

/* Empties the journal, whose data are in the spool. One that cannot be written is removed. */
void xhprof_journal_clear(xhprof_journal *journal);

/* Removes the file. */
void xhprof_journal_remove(xhprof_journal *journal);

/* Leaves the file to others. */
void xhprof_journal_leave(xhprof_journal *journal);

/* Forgets the journal in a forked child, as it stays the parent's. The child does not have the mappings. */
void xhprof_journal_forget(xhprof_journal *journal);

/* The journal that a dead process has left. */
typedef struct xhprof_left_journal {
	int fd;
	uint64_t process, damaged;
} xhprof_left_journal;

/* Adds its records to `merged`, and leaves the file open and locked until _done(). EAGAIN if its process lives. What is
 * wrong with it is counted as damage, as anything may have written it. */
int xhprof_left_journal_read(xhprof_left_journal *left, const char *path, xhprof_merged *merged);

/* Removes the file if `error` is 0, or leaves it for the next process. Returns whether it was removed. */
bool xhprof_left_journal_done(xhprof_left_journal *left, const char *path, int error);

#endif
