/* The threads of a thread-safe PHP, each with globals and a heap of its own. The engine's list of them is a variable that is
 * no symbol; it is found by what its entries must have. */
#ifndef XHPROF_INSPECT_PHP_THREADS_H
#define XHPROF_INSPECT_PHP_THREADS_H

#include "remote.h"

#include "compat/engine_layout.h"

#define XHPROF_THREADS_MAX 1024

typedef struct xhprof_thread {
	pid_t id;          /* as /proc/PID/task names it */
	uint32_t own;      /* the same in its own namespace, as the process knows it */
	xhprof_addr entry; /* of the engine's list */
	xhprof_addr known; /* address of `own` in the C library's description of the thread */
	xhprof_layout_thread globals;
} xhprof_thread;

/* Two resources of each thread: their numbers, and their distances from its entry. An entry is one that has both. */
typedef struct xhprof_thread_marks {
	uint32_t ids[2];
	uint64_t offsets[2];
} xhprof_thread_marks;

typedef struct xhprof_threads {
	xhprof_addr table; /* of the engine: its list; 0: to be searched, or not found */
	size_t count;
	const pid_t *known; /* the numbers of all threads of a process that is no more; NULL: the system knows them */
	size_t known_count;
	bool more; /* the list has more entries than XHPROF_THREADS_MAX: it is damaged, or made up */
	xhprof_thread list[XHPROF_THREADS_MAX];
} xhprof_threads;

/* Finds the threads that have globals and are alive. The engine's file is mapped at `base`. A known table is not searched for
 * again, also if it is gone. */
void xhprof_threads_find(xhprof_threads *threads, xhprof_remote *remote, xhprof_addr base,
						 const xhprof_thread_marks *marks);

/* Whether it still is one, by the same memory. */
bool xhprof_thread_is_there(const xhprof_thread *thread, xhprof_remote *remote, const xhprof_thread_marks *marks);

/* The address of its globals of a resource; 0: none. */
xhprof_addr xhprof_thread_globals(const xhprof_thread *thread, xhprof_remote *remote, uint32_t id);

#endif
