/* Memory that is not the Zend heap's, by the call path that asked malloc() for it, through a preloaded
 * libxhprof_malloc.so. One thread at a time can watch; what others allocate meanwhile is "(other threads)". */
#ifndef XHPROF_HOOK_NATIVE_ALLOC_H
#define XHPROF_HOOK_NATIVE_ALLOC_H

#include "php_xhprof.h"

#include "alloc/alloc_dump.h"

/* Why native memory cannot be watched, or NULL. */
const char *xhprof_native_refusal(void);

/* False, with nothing begun, when there is no memory or another thread watches. */
bool xhprof_native_start(uint32_t max_records);

/* The register stays until the release. */
void xhprof_native_stop(void);
void xhprof_native_release(void);

/* What malloc() has given out, as far as anybody knows; and what is tracked of it. */
void xhprof_native_sums(xhprof_alloc_sums *sums);

/* For reading the register while other threads go on; NULL when nothing is watched. */
xhprof_register *xhprof_native_lock(void);
void xhprof_native_unlock(void);

#endif
