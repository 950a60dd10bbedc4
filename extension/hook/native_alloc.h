/* The tracking of memory outside the Zend heap, by the call path that called malloc(). It needs a preloaded
 * libxhprof_malloc.so. Only one thread at a time can watch; allocations of others meanwhile are "(other threads)". */
#ifndef XHPROF_HOOK_NATIVE_ALLOC_H
#define XHPROF_HOOK_NATIVE_ALLOC_H

#include "php_xhprof.h"

#include "alloc/alloc_dump.h"

/* Returns the reason why native memory cannot be watched, or NULL. */
const char *xhprof_native_refusal(void);

/* Starts watching. False, with nothing begun, without memory or if another thread watches. */
bool xhprof_native_start(uint32_t max_records);

/* Stop watching, and release the live-block map, which stays until then. */
void xhprof_native_stop(void);
void xhprof_native_release(void);

/* Gives the sums of malloc()'s allocations, as far as they are known, and those of the tracked part. */
void xhprof_native_sums(xhprof_alloc_sums *sums);

/* Follows nodes of the tracer's tree that have moved. */
void xhprof_native_moved(const xhprof_shedding *shedding);

/* Locks the live-block map for reading while other threads run on; NULL when nothing is watched. */
xhprof_block_map *xhprof_native_lock(void);
void xhprof_native_unlock(void);

#endif
