/* The files in which the profiled functions are defined, each once. A file is named by the path that the engine has for
 * it, or by "ext:NAME" for the functions of an extension. */
#ifndef XHPROF_TRACE_FILE_LIST_H
#define XHPROF_TRACE_FILE_LIST_H

#include "base/arena.h"
#include "base/table.h"

#include <stdint.h>

typedef struct xhprof_file {
	const char *path;
	uint32_t length;
	uint32_t id;               /* from 1 on, in the order in which files were added */
	uint32_t set;              /* number of the last list that had the file */
	struct xhprof_file *chain; /* next file with the same hash */
	struct xhprof_file *next;  /* the file that was added after this one */
} xhprof_file;

/* A list is empty when all of its bytes are zero. */
typedef struct xhprof_file_list {
	xhprof_table by_path;
	xhprof_file *first, *last;
	const xhprof_file *recent; /* asked for last, or expected next: functions of one file often follow each other */
	uint32_t count;
	uint32_t set; /* number of this list; files of earlier lists have that list's until they are asked for again */
} xhprof_file_list;

/* Bytes of the longest path that is kept. */
#define XHPROF_FILE_MAX 8192

/* Returns the file whose path is `prefix` followed by `path`. A new file is put into `arena`. Returns NULL if the path is
 * too long, or if there is no memory. */
const xhprof_file *xhprof_file_list_add(xhprof_file_list *files, xhprof_arena *arena, const char *prefix,
										const char *path, size_t length);

/* Names the file that is most likely asked for next. It may be of this list or of one before a restart. */
static inline void xhprof_file_list_expect(xhprof_file_list *files, const xhprof_file *file)
{
	files->recent = file;
}

/* Begins a new list. It keeps the memory of the old list's files: each is in the new list once it is asked for again. */
void xhprof_file_list_restart(xhprof_file_list *files);

/* Empties the list; its files live in the arena, which the caller resets. */
void xhprof_file_list_clear(xhprof_file_list *files);
void xhprof_file_list_recycle(xhprof_file_list *files, size_t *budget); /* see base/table.h */

#endif
