/* Names of functions, each once, with counts of the samples that contain them. */
#ifndef XHPROF_INSPECT_NAMES_H
#define XHPROF_INSPECT_NAMES_H

#include "base/arena.h"
#include "base/table.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define XHPROF_NAME_LENGTH 1024 /* longer ones are cut */

typedef struct xhprof_name {
	struct xhprof_name *next; /* of the same hash */
	uint32_t id, length;
	uint64_t self, total;               /* samples with it innermost, and anywhere */
	uint64_t recent_self, recent_total; /* since they were last set to 0 */
	uint64_t sample;                    /* the last that counted it */
	char text[];
} xhprof_name;

typedef struct xhprof_names {
	xhprof_arena arena;
	xhprof_table table; /* hash -> xhprof_name */
	xhprof_name **list; /* by id */
	size_t count, capacity;
} xhprof_names;

/* The name with this text. Without memory, or with too many names, the first one: "(truncated)". NULL only without any
 * memory. */
xhprof_name *xhprof_names_intern(xhprof_names *names, const char *text, size_t length);
void xhprof_names_release(xhprof_names *names);

#endif
