/* A merged tree as bytes in a spool: a head with length and checksum, and numbers of 7 bits a byte. */
#ifndef XHPROF_AGGREGATE_SPOOL_RECORD_H
#define XHPROF_AGGREGATE_SPOOL_RECORD_H

#include "spool_fields.h"

typedef struct xhprof_spool_record {
	void *bytes; /* mapped */
	size_t size; /* with head and padding */
	size_t mapped;
	uint64_t window, journal; /* for the spool's head: `window` and `taken`; or 0 */
} xhprof_spool_record;

/* Makes the record of a tree. `process` distinguishes the writing processes. False without memory. */
bool xhprof_spool_record_make(xhprof_spool_record *record, const xhprof_merged *merged, uint64_t process);
void xhprof_spool_record_release(xhprof_spool_record *record);

#endif
