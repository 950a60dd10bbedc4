/* What a process has in memory at one moment, copied while it stands still and read from the copy when it goes on. What others
 * could change of it later is copied whole; constants of libraries are copied before it stands still. What the process has never
 * touched of those, and of memory that processes share, is still read where it is. */
#ifndef XHPROF_INSPECTOR_COPY_H
#define XHPROF_INSPECTOR_COPY_H

#include "remote.h"

typedef struct xhprof_copy_part {
	uint64_t from, to;
	size_t at; /* in `bytes`; XHPROF_COPY_EMPTY: all zero, as nothing was ever written there */
} xhprof_copy_part;
#define XHPROF_COPY_EMPTY SIZE_MAX

/* Bytes of a mapping that is looked through. Larger ones are a sanitizer's, or hostile. */
#define XHPROF_COPY_MAPPING ((uint64_t)64 << 30)

typedef struct xhprof_copy_list {
	xhprof_copy_part *parts; /* by address */
	size_t count, capacity;
} xhprof_copy_list;

typedef struct xhprof_copy {
	xhprof_remote *remote;
	char *bytes;
	size_t size, used; /* of `bytes`: at most, and so far */
	xhprof_copy_list moment, constants;
	size_t constants_used; /* of `bytes`, which begin with them */
	char *constants_maps;
	char *maps; /* the list of its memory at that moment, or NULL */
	size_t maps_length;
} xhprof_copy;

/* Bytes that a copy may take unless other is asked for: half of what the system has left. */
uint64_t xhprof_copy_most(void);

/* Sets memory aside and copies constants, before the process is stopped. False when its memory is larger than `most`, or there
 * is none left. */
bool xhprof_copy_open(xhprof_copy *copy, xhprof_remote *remote, uint64_t most);

/* Copies what the process, which stands still, has in memory: from then on `remote` reads that. False when it is more than what
 * is set aside; `remote` reads the process then. `maps` (by malloc) is the list of its memory, and the copy's from now on. */
bool xhprof_copy_take(xhprof_copy *copy, char *maps, size_t length);

/* `remote` reads the process again. Another copy can be taken. */
void xhprof_copy_drop(xhprof_copy *copy);

/* Drops it, and gives back what was set aside. Harmless when nothing was. */
void xhprof_copy_close(xhprof_copy *copy);

#endif
