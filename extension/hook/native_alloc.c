#include "native_alloc.h"

#include "fork_watch.h"

#include "base/malloc_api.h"

#include <dlfcn.h>
#ifdef HAVE_MALLINFO2
#include <malloc.h>
#endif
#include <pthread.h>

typedef struct xhprof_native {
	xhprof_malloc_watcher watcher;
	const xhprof_malloc_api *api;
	pthread_mutex_t lock; /* guards the variables below; recursive, as sorting a dump may allocate */
	xhprof_block_map map;
	const xhprof_tracer *tracer;
	const uint32_t *marks;
	bool watching;
	uint64_t allocated_bytes, allocated_blocks, freed_bytes, freed_blocks, dropped_blocks;
} xhprof_native;

static const xhprof_malloc_api *find_api(void)
{
	const xhprof_malloc_api *api = dlsym(RTLD_DEFAULT, "xhprof_malloc_api");
	return api && api->version == XHPROF_MALLOC_API_VERSION ? api : NULL;
}

const char *xhprof_native_refusal(void)
{
	if (!dlsym(RTLD_DEFAULT, "xhprof_malloc_api")) {
		return "start PHP with LD_PRELOAD=libxhprof_malloc.so";
	}
	return find_api() ? NULL : "the preloaded libxhprof_malloc.so is of another version";
}

static void native_freed_one(xhprof_native *native, size_t size)
{
	native->freed_bytes += size;
	native->freed_blocks++;
}

static void native_displaced(void *context, xhprof_record record, size_t size)
{
	native_freed_one(context, size);
}

static void native_allocated(void *context, void *block, size_t size, bool mine)
{
	xhprof_native *native = context;
	pthread_mutex_lock(&native->lock);
	uint32_t node = mine ? native->tracer->current->id : XHPROF_NODE_OTHER_THREADS;
	uint32_t mark = __atomic_load_n(native->marks, __ATOMIC_RELAXED);
	if (xhprof_block_map_add(&native->map, (uintptr_t)block, size, (xhprof_record){node, mark})) {
		native->allocated_bytes += size;
		native->allocated_blocks++;
	} else {
		native->dropped_blocks++;
	}
	pthread_mutex_unlock(&native->lock);
}

static void native_freed(void *context, void *block, size_t size, bool mine)
{
	xhprof_native *native = context;
	xhprof_record record;
	pthread_mutex_lock(&native->lock);
	size_t recorded = xhprof_block_map_remove(&native->map, (uintptr_t)block, &record);
	if (recorded) {
		native_freed_one(native, recorded);
	}
	pthread_mutex_unlock(&native->lock);
}

/* A child must not inherit a lock held by a thread that it does not have. */

static void before_fork(void)
{
	xhprof_native *native = XHPROF_G(native);
	if (native) {
		pthread_mutex_lock(&native->lock);
	}
}

static void after_fork(void)
{
	xhprof_native *native = XHPROF_G(native);
	if (native) {
		pthread_mutex_unlock(&native->lock);
	}
}

static bool make_lock(pthread_mutex_t *lock)
{
	pthread_mutexattr_t recursive;
	pthread_mutexattr_init(&recursive);
	pthread_mutexattr_settype(&recursive, PTHREAD_MUTEX_RECURSIVE);
	int error = pthread_mutex_init(lock, &recursive);
	pthread_mutexattr_destroy(&recursive);
	return error == 0;
}

bool xhprof_native_start(uint32_t max_records)
{
	xhprof_native_release();
	xhprof_native *native = xhprof_pages_map(sizeof(*native));
	if (!native || !make_lock(&native->lock)) {
		xhprof_pages_unmap(native, sizeof(*native));
		return false;
	}
	native->watcher = (xhprof_malloc_watcher){native_allocated, native_freed, native};
	native->api = find_api();
	native->tracer = &XHPROF_G(tracer);
	native->marks = &XHPROF_G(alloc).ledger.marks;
	XHPROF_G(native) = native;
	static xhprof_fork_watcher forks = {.before = before_fork, .in_parent = after_fork, .in_child = after_fork};
	xhprof_fork_watch(&forks);
	native->watching = native->api &&
					   xhprof_block_map_begin(&native->map, false, max_records, native_displaced, native) &&
					   native->api->watch(&native->watcher);
	if (!native->watching) {
		xhprof_native_release();
	}
	return XHPROF_G(native) != NULL;
}

void xhprof_native_stop(void)
{
	xhprof_native *native = XHPROF_G(native);
	if (native && native->watching) {
		native->api->unwatch(&native->watcher);
		native->watching = false;
	}
}

void xhprof_native_release(void)
{
	xhprof_native *native = XHPROF_G(native);
	if (native) {
		xhprof_native_stop();
		XHPROF_G(native) = NULL;
		xhprof_block_map_release(&native->map);
		pthread_mutex_destroy(&native->lock);
		xhprof_pages_unmap(native, sizeof(*native));
	}
}

void xhprof_native_sums(xhprof_alloc_sums *sums)
{
	const xhprof_malloc_api *api = find_api();
	xhprof_native *native = XHPROF_G(native);
	if (api) {
		api->bytes(&sums->size, &sums->peak);
	} else {
#ifdef HAVE_MALLINFO2
		struct mallinfo2 info = mallinfo2();
		sums->size = info.uordblks + info.hblkhd;
#endif
	}
	if (native) {
		pthread_mutex_lock(&native->lock);
		uint64_t live = native->allocated_bytes - native->freed_bytes;
		sums->tracked = true;
		sums->allocated_bytes = native->allocated_bytes;
		sums->allocated_blocks = native->allocated_blocks;
		sums->freed_bytes = native->freed_bytes;
		sums->freed_blocks = native->freed_blocks;
		sums->before_bytes = sums->size > live ? sums->size - live : 0;
		pthread_mutex_unlock(&native->lock);
	}
}

void xhprof_native_moved(const xhprof_shedding *shedding)
{
	xhprof_block_map *map = xhprof_native_lock();
	if (map) {
		xhprof_block_map_moved(map, shedding);
	}
	xhprof_native_unlock();
}

xhprof_block_map *xhprof_native_lock(void)
{
	xhprof_native *native = XHPROF_G(native);
	if (!native) {
		return NULL;
	}
	pthread_mutex_lock(&native->lock);
	return &native->map;
}

void xhprof_native_unlock(void)
{
	if (XHPROF_G(native)) {
		pthread_mutex_unlock(&XHPROF_G(native)->lock);
	}
}
