/* The files that contain functions, each once. A file is the path that the engine has for it, or "ext:NAME" for the
 * functions of an extension. */
#ifndef XHPROF_TRACE_FILE_LIST_H
#define XHPROF_TRACE_FILE_LIST_H

#include "base/arena.h"
#include "base/table.h"

#include <stdint.h>

typedef struct xhprof_file {
	const char *path;
	uint32_t length;
	uint32_t id;               /* from 1, in order of arrival */
	uint32_t set;              /* number of the last list that it was in */
	struct xhprof_file *chain; /* next with the same hash */
	struct xhprof_file *next;  /* the next one in order of arrival */
} xhprof_file;

/* Initially all zero. */
typedef struct xhprof_file_list {
	xhprof_table by_path;
	xhprof_file *first, *last;
	const xhprof_file
		*recent; /* the file that was asked for last, or is expected: functions of one file come after each other */
	uint32_t count;
	uint32_t set; /* number of this list; files that are kept are of earlier ones until they are asked for */
} xhprof_file_list;

/* Most bytes of a path. Longer ones are not kept. */
#define XHPROF_FILE_MAX 8192

/* Returns the file whose path is `prefix` and `path` together, and copies it to `arena` if it is new. NULL if it is too
 * long, or without memory. */
const xhprof_file *xhprof_file_list_add(xhprof_file_list *files, xhprof_arena *arena, const char *prefix,
										const char *path, size_t length);

/* Notes the file that is probably asked for next: one of this list, or of an earlier one that was restarted. */
static inline void xhprof_file_list_expect(xhprof_file_list *files, const xhprof_file *file)
{
	files->recent = file;
}

/* Begins a new list, whose files are those of the old one that are asked for again, and new ones. */
void xhprof_file_list_restart(xhprof_file_list *files);

/* Empties the list; its files live in the arena, which the caller resets. */
void xhprof_file_list_clear(xhprof_file_list *files);
void xhprof_file_list_recycle(xhprof_file_list *files, size_t *budget); /* see base/table.h */

#endif
