/* What is known of each mark: the bytes of the heap, and the job that has ended with it. In pages of its own. */
#ifndef XHPROF_ALLOC_MARK_LOG_H
#define XHPROF_ALLOC_MARK_LOG_H

#include <stddef.h>
#include <stdint.h>

#define XHPROF_MARK_LOG_MAX 10000000 /* marks */

typedef struct xhprof_mark_entry {
	uint64_t size; /* of the heap */
	uint32_t job;  /* id of the symbol with its name; 0: none */
} xhprof_mark_entry;

typedef struct xhprof_mark_log {
	xhprof_mark_entry *entries; /* of the marks 1 to `count` */
	size_t count, capacity;
	size_t jobs; /* entries with a name */
} xhprof_mark_log;

/* Adds the next mark. Without memory, or room, this one and the later ones are not kept. */
void xhprof_mark_log_add(xhprof_mark_log *log, uint32_t mark, uint64_t size);

/* Names the job of a mark, if that is kept. */
void xhprof_mark_log_name(xhprof_mark_log *log, uint32_t mark, uint32_t job);

void xhprof_mark_log_release(xhprof_mark_log *log);

#endif
