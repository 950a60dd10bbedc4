/* The interface of libxhprof_malloc.so, preloaded into a PHP process, for the extension: dlsym(RTLD_DEFAULT,
 * "xhprof_malloc_api"). Not for other programs; those link against malloc/xhprof_malloc.h. */
#ifndef XHPROF_BASE_MALLOC_API_H
#define XHPROF_BASE_MALLOC_API_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define XHPROF_MALLOC_API_VERSION 2

/* Called in the thread that allocates or frees; must not call malloc() again (allocations within are not reported).
 * `mine`: it is the thread that began to watch. A block is reported as freed before it can be given to anyone else, and
 * a realloc() that fails reports its block as allocated again. */
typedef struct xhprof_malloc_watcher {
	void (*allocated)(void *context, void *block, size_t size, bool mine);
	void (*freed)(void *context, void *block, size_t size, bool mine);
	void *context;
} xhprof_malloc_watcher;

typedef struct xhprof_malloc_api {
	uint32_t version;
	/* The struct must stay until it is unwatched. False while another watcher is active. */
	bool (*watch)(const xhprof_malloc_watcher *watcher);
	/* By the thread that watches. On return no thread is within the watcher's functions. */
	void (*unwatch)(const xhprof_malloc_watcher *watcher);
	/* Bytes allocated now, and their maximum, as malloc_usable_size() counts. */
	void (*bytes)(uint64_t *current, uint64_t *peak);
} xhprof_malloc_api;

#endif
