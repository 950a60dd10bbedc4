/* A process's memory at one moment, copied while it is stopped and read from the copy when it runs on. Memory that
 * others could change later is copied whole; constants of libraries are copied before the stop. Untouched pages of
 * those, and of shared memory, are still read in place. */
#ifndef XHPROF_INSPECT_COPY_H
#define XHPROF_INSPECT_COPY_H

#include "remote.h"

typedef struct xhprof_copy_part {
	uint64_t from, to;
	size_t at; /* in `bytes`; XHPROF_COPY_EMPTY: all zero, as nothing was ever written there */
} xhprof_copy_part;
#define XHPROF_COPY_EMPTY SIZE_MAX

/* Bytes of a mapping that is searched. Larger ones are a sanitizer's, or hostile. */
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

/* Default limit of bytes for a copy: half of the memory that the system has left. */
uint64_t xhprof_copy_max(void);

/* Sets memory aside and copies constants, before the process is stopped. False if its memory is larger than `max`, or
 * none is left. */
bool xhprof_copy_open(xhprof_copy *copy, xhprof_remote *remote, uint64_t max);

/* Copies the memory of the stopped process: from then on `remote` reads the copy. False if it is larger than the memory
 * set aside; `remote` then reads the process. `maps` (by malloc) is the list of its memory; the copy takes
 * ownership. */
bool xhprof_copy_take(xhprof_copy *copy, char *maps, size_t length);

/* `remote` reads the process again. Another copy can be taken. */
void xhprof_copy_drop(xhprof_copy *copy);

/* Drops it, and frees the memory set aside. Harmless if there is none. */
void xhprof_copy_close(xhprof_copy *copy);

#endif
