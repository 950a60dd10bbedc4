/* A merged tree as bytes in a spool: a head with length and checksum, and numbers of 7 bits a byte. Anyone may have
 * written it: a record is checked as a whole before any of it counts. */
#ifndef XHPROF_REQUEST_SPOOL_RECORD_H
#define XHPROF_REQUEST_SPOOL_RECORD_H

#include "merged.h"

#define XHPROF_SPOOL_ALIGN 8u

typedef struct xhprof_spool_record_head {
	uint32_t magic;
	uint32_t length; /* of the rest, without the padding */
	uint64_t checksum;
	uint64_t head_checksum; /* of the three above */
} xhprof_spool_record_head;

typedef struct xhprof_spool_record {
	void *bytes; /* mapped */
	size_t size; /* with head and padding */
	size_t mapped;
	uint64_t window, journal; /* for the spool's head: `window` and `taken`; or 0 */
} xhprof_spool_record;

/* `process`: distinguishes the writing processes. False without memory. */
bool xhprof_spool_record_make(xhprof_spool_record *record, const xhprof_merged *merged, uint64_t process);
/* A request's contribution to a merged tree. */
typedef struct xhprof_spool_part {
	const xhprof_merged_route *route;     /* its name */
	const xhprof_tracer *profile;         /* or NULL */
	const xhprof_merged_request *request; /* that ends with it; NULL: it goes on */
	uint64_t from;                        /* of the window, seconds since the epoch */
	const int64_t *kept;                  /* bytes, of an earlier request of the route; or NULL */
} xhprof_spool_part;

/* Puts a record of the part alone at `to`, which is aligned; returns its size, or 0 if it does not fit. `merged`: the
 * tree that the part was added to. */
size_t xhprof_spool_record_put(char *to, size_t room, const xhprof_spool_part *part, const xhprof_merged *merged,
							   uint64_t process);

void xhprof_spool_record_release(xhprof_spool_record *record);

/* The size of the whole record at the start of `bytes`, or 0. Bytes are aligned to XHPROF_SPOOL_ALIGN. */
size_t xhprof_spool_record_size(const void *bytes, size_t length);

/* Adds a record whose size xhprof_spool_record_size() has returned. False, and nothing added, if it is damaged or was
 * sampled in another way. */
bool xhprof_spool_record_merge(const void *bytes, xhprof_merged *merged, uint64_t *process);

#endif
