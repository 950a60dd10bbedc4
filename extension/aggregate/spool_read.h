/* The reader of a spool's records. Anything may have written them: a record is checked as a whole before any of it
 * counts. */
#ifndef XHPROF_AGGREGATE_SPOOL_READ_H
#define XHPROF_AGGREGATE_SPOOL_READ_H

#include "spool_fields.h"

/* Returns the size of the whole record at the start of `bytes`, or 0. Bytes are aligned to XHPROF_SPOOL_ALIGN. */
size_t xhprof_spool_read_size(const void *bytes, size_t length);

/* Adds a record whose size xhprof_spool_read_size() has returned, and sets *process to the writing one. False, and
 * nothing added, if it is damaged or was sampled in another way. */
bool xhprof_spool_read_merge(const void *bytes, xhprof_merged *merged, uint64_t *process);

#endif
