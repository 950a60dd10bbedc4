/* The interface between the extension and libxhprof_malloc.so, which is preloaded into the PHP process:
 * dlsym(RTLD_DEFAULT, "xhprof_malloc_api"). Other programs use malloc/xhprof_malloc.h. */
#ifndef XHPROF_BASE_MALLOC_API_H
#define XHPROF_BASE_MALLOC_API_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define XHPROF_MALLOC_API_VERSION 2

/* Callbacks for allocations. They run in the thread that allocates or frees, and must not call malloc() themselves:
 * such blocks are not reported. `mine`: that thread is the one that called watch(). A block is reported as freed before
 * it can be given to anyone else, and a realloc() that fails reports its block as allocated again. */
typedef struct xhprof_malloc_watcher {
	void (*allocated)(void *context, void *block, size_t size, bool mine);
	void (*freed)(void *context, void *block, size_t size, bool mine);
	void *context;
} xhprof_malloc_watcher;

typedef struct xhprof_malloc_api {
	uint32_t version;
	/* Starts the reports. The struct must live until unwatch(). False while another watcher is active. */
	bool (*watch)(const xhprof_malloc_watcher *watcher);
	/* Ends the reports. Called by the thread that called watch(). On return no thread is within the watcher's
	 * functions. */
	void (*unwatch)(const xhprof_malloc_watcher *watcher);
	/* Gives the bytes that are allocated now, and their maximum so far, as malloc_usable_size() counts them. */
	void (*bytes)(uint64_t *current, uint64_t *peak);
} xhprof_malloc_api;

#endif
