/* libxhprof_malloc.so for any program: counts what malloc() and its family hand out, in all threads.
 *
 *   LD_PRELOAD=/path/to/libxhprof_malloc.so program
 *
 * prints at the end of each process, its children too, the current allocation, the peak, the total, and the numbers of blocks
 * allocated and freed. Settings, all of them environment variables:
 *
 *   XHPROF_MALLOC_REPORT=FILE        the report is added to this file instead ("%p": the process id); "off": no report;
 *                                    "stderr": the default, and also when PHP's xhprof took the figures (which silences it)
 *   XHPROF_MALLOC_PROFILE=FILE       memory over time, in columns for gnuplot; its head describes them and how to plot
 *                                    them. A process that is forked, or finds another one at this file, adds ".PID" to its
 *                                    name; "%p" is the process id here too. A forked child's time goes on from its parent's.
 *   XHPROF_MALLOC_RESOLUTION=10ms    the least time between two rows, with us, ms or s; 0ms: a row for each change. After a
 *                                    comma, the bytes (k, m, g) by which the memory must differ from the last row: 10ms,64k
 *
 * Sizes are malloc_usable_size()'s: what a block can hold, not the allocator's own bytes around it. A realloc() is one
 * allocation and one free. mmap(), brk(), and allocators of a program's own (the Zend heap is one) are not counted. What is
 * loaded with RTLD_DEEPBIND, as PHP's extensions, is loaded without it: its allocations would go past this library. The figures
 * of a forked child begin with its parent's. With one thread the peak is exact; several may each move it by up to 32 KB.
 * A process that ends by a signal or by quick_exit() reports nothing.
 *
 * A program that is linked with the library (-lxhprof_malloc) can read the figures itself, with the functions below. One that
 * should run without the library too defines XHPROF_MALLOC_OPTIONAL before it includes this header: the functions are then looked
 * up when first called (glibc before 2.34: -ldl) and do nothing, with figures of 0, unless it is preloaded. */
#ifndef XHPROF_MALLOC_H
#define XHPROF_MALLOC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#ifdef XHPROF_MALLOC_OPTIONAL
#include <dlfcn.h>
#include <string.h>
#endif

#ifdef __cplusplus
extern "C" {
#endif

typedef struct xhprof_malloc_stats {
	uint64_t current_bytes, peak_bytes, total_bytes; /* as malloc_usable_size() counts */
	uint64_t current_blocks, allocations, frees;
} xhprof_malloc_stats;

/* In the thread that has allocated or freed, from within malloc(), free() and so on: it may do only what a signal
 * handler may, and allocate; that does not call it again. */
typedef void (*xhprof_malloc_callback)(void *cookie, uint64_t current_bytes);

#ifndef XHPROF_MALLOC_OPTIONAL

/* Without it the first call of a function would run the dynamic linker on the measured stack. */
#ifdef __has_attribute
#if __has_attribute(noplt)
#define XHPROF_MALLOC_FUNCTION __attribute__((visibility("default"), noplt))
#endif
#endif
#ifndef XHPROF_MALLOC_FUNCTION
#define XHPROF_MALLOC_FUNCTION __attribute__((visibility("default")))
#endif

XHPROF_MALLOC_FUNCTION void xhprof_malloc_read(xhprof_malloc_stats *stats);
/* The peak becomes the current allocation. */
XHPROF_MALLOC_FUNCTION void xhprof_malloc_reset_peak(void);
/* NULL: none. On return, no other thread is within the previous callback. Not to be called by a callback. */
XHPROF_MALLOC_FUNCTION void xhprof_malloc_set_callback(xhprof_malloc_callback callback, void *cookie);
/* The report, as at the end. */
XHPROF_MALLOC_FUNCTION void xhprof_malloc_write_report(int fd);
/* Measures the stack that the code between two points of one function needs: clear() writes a pattern below the
 * caller's frame, to the end of the thread's stack but 8 MB at most, usage() is how far it was overwritten since: up to
 * a few hundred bytes are its own and those of signal handlers. Clearing needs the memory, and time for it. Not on a
 * stack that is not the thread's own (of a coroutine, or a signal handler): NULL, and 0. With musl, the first thread's
 * is known only as far as it has grown. */
XHPROF_MALLOC_FUNCTION void *xhprof_stack_clear(void);
XHPROF_MALLOC_FUNCTION size_t xhprof_stack_usage(const void *mark);

static inline bool xhprof_malloc_present(void)
{
	return true;
}

#else

typedef struct xhprof_malloc_library {
	void (*read)(xhprof_malloc_stats *stats);
	void (*reset_peak)(void);
	void (*set_callback)(xhprof_malloc_callback callback, void *cookie);
	void (*write_report)(int fd);
	void *(*stack_clear)(void);
	size_t (*stack_usage)(const void *mark);
} xhprof_malloc_library;

/* Looks up all at once: usage() should not do it on the stack that it measures. */
static inline const xhprof_malloc_library *xhprof_malloc_look_up(void)
{
	static xhprof_malloc_library library;
	static bool looked_up;
	if (!looked_up) {
		void *everything = NULL; /* RTLD_DEFAULT, which <dlfcn.h> may hide */
		*(void **)&library.read = dlsym(everything, "xhprof_malloc_read");
		*(void **)&library.reset_peak = dlsym(everything, "xhprof_malloc_reset_peak");
		*(void **)&library.set_callback = dlsym(everything, "xhprof_malloc_set_callback");
		*(void **)&library.write_report = dlsym(everything, "xhprof_malloc_write_report");
		*(void **)&library.stack_clear = dlsym(everything, "xhprof_stack_clear");
		*(void **)&library.stack_usage = dlsym(everything, "xhprof_stack_usage");
		looked_up = true;
	}
	return &library;
}

static inline bool xhprof_malloc_present(void)
{
	return xhprof_malloc_look_up()->read != NULL;
}

static inline void xhprof_malloc_read(xhprof_malloc_stats *stats)
{
	if (xhprof_malloc_present()) {
		xhprof_malloc_look_up()->read(stats);
	} else {
		memset(stats, 0, sizeof(*stats));
	}
}

static inline void xhprof_malloc_reset_peak(void)
{
	if (xhprof_malloc_present()) {
		xhprof_malloc_look_up()->reset_peak();
	}
}

static inline void xhprof_malloc_set_callback(xhprof_malloc_callback callback, void *cookie)
{
	if (xhprof_malloc_present()) {
		xhprof_malloc_look_up()->set_callback(callback, cookie);
	}
}

static inline void xhprof_malloc_write_report(int fd)
{
	if (xhprof_malloc_present()) {
		xhprof_malloc_look_up()->write_report(fd);
	}
}

/* In the calling function: the stack below its frame is measured. */
__attribute__((always_inline)) static inline void *xhprof_stack_clear(void)
{
	return xhprof_malloc_present() ? xhprof_malloc_look_up()->stack_clear() : NULL;
}

__attribute__((always_inline)) static inline size_t xhprof_stack_usage(const void *mark)
{
	return mark ? xhprof_malloc_look_up()->stack_usage(mark) : 0;
}

#endif

#ifdef __cplusplus
}
#endif

#endif
