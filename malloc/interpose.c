#include "library.h"

#include <dlfcn.h>
#include <errno.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "counters.h"
#include "observe.h"

#define PUBLIC __attribute__((visibility("default")))
#define LIKELY(condition) __builtin_expect(!!(condition), 1)
#define UNLIKELY(condition) __builtin_expect(!!(condition), 0)

static struct {
	void *(*malloc)(size_t);
	void (*free)(void *);
	void *(*calloc)(size_t, size_t);
	void *(*realloc)(void *, size_t);
	int (*posix_memalign)(void **, size_t, size_t);
	void *(*aligned_alloc)(size_t, size_t);
	void *(*memalign)(size_t, size_t);
	void *(*valloc)(size_t);
	void *(*pvalloc)(size_t);
	void (*exit_at_once)(int) __attribute__((noreturn));
} next;

enum { UNKNOWN, LOOKING, KNOWN };
static _Atomic int next_known;

/* The bytes of memory for the dynamic linker while it looks up the functions above; never given back. */
#define FIRST_BLOCKS 16384
#define BLOCK_ALIGNMENT 16
static char first_blocks[FIRST_BLOCKS] __attribute__((aligned(BLOCK_ALIGNMENT)));
static _Atomic size_t first_blocks_used;

static bool is_first_block(const void *block)
{
	return UNLIKELY((uintptr_t)block - (uintptr_t)first_blocks < FIRST_BLOCKS);
}

/* Returns a block of this memory, with its size in front of it. It is zeroed, as no block is used twice. */
static void *first_block(size_t size)
{
	if (size < FIRST_BLOCKS) {
		size_t need = ((size + BLOCK_ALIGNMENT - 1) & ~(size_t)(BLOCK_ALIGNMENT - 1)) + BLOCK_ALIGNMENT;
		size_t at = atomic_fetch_add(&first_blocks_used, need);
		if (at <= FIRST_BLOCKS - need) {
			memcpy(first_blocks + at, &size, sizeof(size));
			return first_blocks + at + BLOCK_ALIGNMENT;
		}
	}
	errno = ENOMEM;
	return NULL;
}

static size_t first_block_size(const void *block)
{
	size_t size;
	memcpy(&size, (const char *)block - BLOCK_ALIGNMENT, sizeof(size));
	return size;
}

/* Fails for functions that the C library lacks, so that no program can be linked with them; or during the lookup. */
static void *fail_missing(void)
{
	errno = ENOMEM;
	return NULL;
}

static void look_for(void *function, const char *name)
{
	void *found = dlsym(RTLD_NEXT, name);
	memcpy(function, &found, sizeof(found));
}

static bool find_next(void)
{
	if (LIKELY(atomic_load_explicit(&next_known, memory_order_acquire) == KNOWN)) {
		return true;
	}
	int unknown = UNKNOWN, saved_errno = errno;
	if (!atomic_compare_exchange_strong(&next_known, &unknown, LOOKING)) {
		return false;
	}
	look_for(&next.malloc, "malloc");
	look_for(&next.free, "free");
	look_for(&next.calloc, "calloc");
	look_for(&next.realloc, "realloc");
	look_for(&next.posix_memalign, "posix_memalign");
	look_for(&next.aligned_alloc, "aligned_alloc");
	look_for(&next.memalign, "memalign");
	look_for(&next.valloc, "valloc");
	look_for(&next.pvalloc, "pvalloc");
	look_for(&next.exit_at_once, "_exit");
	atomic_store_explicit(&next_known, KNOWN, memory_order_release);
	errno = saved_errno;
	return true;
}

__attribute__((noinline)) static bool begin_thread(void)
{
	if (!find_next()) {
		return false;
	}
	xhprof_counters_begin_thread();
	return true;
}

/* Returns whether the functions have been looked up: false only during the lookup. */
static inline bool is_ready(void)
{
	return LIKELY(xhprof_counters_own != NULL) || begin_thread();
}

static inline bool is_observed(void)
{
	return UNLIKELY(atomic_load_explicit(&xhprof_observe_active, memory_order_relaxed) != 0) &&
		   !xhprof_counters_paused();
}

static inline void *count_block(void *block)
{
	if (LIKELY(block != NULL)) {
		size_t size = malloc_usable_size(block);
		xhprof_counters_allocated(size);
		if (is_observed()) {
			xhprof_observe_allocated(block, size);
		}
	}
	return block;
}

/* Begins a function that in musl calls others of the family: a block is counted once. */
static inline void outermost_begin(void)
{
#ifndef __GLIBC__
	xhprof_counters_pause();
#endif
}

static inline void outermost_end(void)
{
#ifndef __GLIBC__
	xhprof_counters_resume();
#endif
}

#define OUTERMOST(block, call) \
	outermost_begin();         \
	void *block = (call);      \
	outermost_end()

PUBLIC void *malloc(size_t size)
{
	return is_ready() ? count_block(next.malloc(size)) : first_block(size);
}

PUBLIC void free(void *block)
{
	if (UNLIKELY(block == NULL) || is_first_block(block) || !is_ready()) {
		return;
	}
	size_t size = malloc_usable_size(block);
	xhprof_counters_freed(size);
	if (is_observed()) {
		xhprof_observe_freed(block, size);
	}
	next.free(block);
}

PUBLIC void *calloc(size_t count, size_t size)
{
	if (LIKELY(is_ready())) {
		OUTERMOST(block, next.calloc(count, size));
		return count_block(block);
	}
	size_t bytes;
	return first_block(__builtin_mul_overflow(count, size, &bytes) ? SIZE_MAX : bytes);
}

/* Moves a block of first_block() to the regular allocator. */
static void *move_first_block(void *block, size_t size)
{
	void *moved = malloc(size);
	if (moved) {
		size_t before = first_block_size(block);
		memcpy(moved, block, before < size ? before : size);
	}
	return moved;
}

PUBLIC void *realloc(void *block, size_t size)
{
	if (!block) {
		return is_ready() ? count_block(next.realloc(NULL, size)) : first_block(size);
	}
	if (is_first_block(block)) {
		return move_first_block(block, size);
	}
	if (!is_ready()) {
		return fail_missing();
	}
	size_t before = malloc_usable_size(block);
	if (is_observed()) {
		xhprof_observe_realloc_begin(block, before);
	}
	int saved_errno = errno;
	if (size == 0) {
		errno = 0;
	}
	void *moved = next.realloc(block, size);
	/* For size 0, NULL is not a failure unless there is an error. */
	bool done = moved || (size == 0 && errno != ENOMEM);
	if (size == 0 && errno == 0) {
		errno = saved_errno;
	}
	if (!done) {
		if (is_observed()) {
			xhprof_observe_realloc_failed(block, before);
		}
		return NULL;
	}
	xhprof_counters_freed(before);
	if (!moved && is_observed()) {
		xhprof_observe_freed(NULL, 0);
	}
	return count_block(moved);
}

PUBLIC void *reallocarray(void *block, size_t count, size_t size)
{
	size_t bytes;
	if (__builtin_mul_overflow(count, size, &bytes)) {
		errno = ENOMEM;
		return NULL;
	}
	return realloc(block, bytes);
}

PUBLIC int posix_memalign(void **block, size_t alignment, size_t size)
{
	if (!is_ready()) {
		return ENOMEM;
	}
	outermost_begin();
	int error = next.posix_memalign(block, alignment, size);
	outermost_end();
	if (error == 0) {
		count_block(*block);
	}
	return error;
}

/* Defines functions that a C library may lack. */
#define OPTIONAL(function, parameters, arguments)  \
	PUBLIC void *function parameters               \
	{                                              \
		if (!is_ready() || !next.function) {       \
			return fail_missing();                 \
		}                                          \
		OUTERMOST(block, next.function arguments); \
		return count_block(block);                 \
	}

OPTIONAL(aligned_alloc, (size_t alignment, size_t size), (alignment, size))
OPTIONAL(memalign, (size_t alignment, size_t size), (alignment, size))
OPTIONAL(valloc, (size_t size), (size))
#ifdef __GLIBC__
OPTIONAL(pvalloc, (size_t size), (size))
#endif

/* Ends a process without exit()'s work, which shells do as well. */
PUBLIC void _exit(int status)
{
	xhprof_library_end();
	find_next();
	next.exit_at_once(status);
}

PUBLIC void _Exit(int status)
{
	_exit(status);
}
