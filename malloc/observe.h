/* The observers of each block: the watcher of malloc_api.h, the callback of xhprof_malloc.h, the profile over time. */
#ifndef XHPROF_OBSERVE_H
#define XHPROF_OBSERVE_H

#include <stdatomic.h>

#include "base/malloc_api.h"
#include "xhprof_malloc.h"

#define XHPROF_OBSERVE_WATCHER 1
#define XHPROF_OBSERVE_CALLBACK 2
#define XHPROF_OBSERVE_PROFILE 4

/* Nothing of this module is called while it is 0. */
extern _Atomic uint32_t xhprof_observe_active;

/* After the counters have it. */
void xhprof_observe_allocated(void *block, size_t size);
void xhprof_observe_freed(void *block, size_t size);
/* The two halves of a realloc(): before it, and when it has failed, which changes nothing for the others. */
void xhprof_observe_realloc_begin(void *block, size_t size);
void xhprof_observe_realloc_failed(void *block, size_t size);

bool xhprof_observe_watch(const xhprof_malloc_watcher *watcher);
void xhprof_observe_unwatch(const xhprof_malloc_watcher *watcher);
/* Whether this process has ever been watched. */
bool xhprof_observe_was_watched(void);
void xhprof_observe_profile(bool on);
void xhprof_observe_forked(void);

#endif
