/* Finds PHP in a process: its program or its library, the engine's variables, and whether its structures are those of
 * the PHP that this program is built for. */
#ifndef XHPROF_INSPECT_PHP_PROCESS_H
#define XHPROF_INSPECT_PHP_PROCESS_H

#include "chosen.h"
#include "php_threads.h"
#include "heap/walk.h"

typedef struct xhprof_php {
	pid_t pid, thread; /* thread: pid if PHP is not thread-safe */
	xhprof_engine engine;
	xhprof_addr heap;          /* zend_mm_get_heap()'s result, or 0 */
	xhprof_addr heap_variable; /* address of that variable, or 0 */
	xhprof_addr frameless;     /* address of the list of functions that are called without a frame (8.4), or 0 */
	xhprof_addr base;          /* of the program or library in memory */
	char version[32];          /* "8.2.35", "8.6.0RC3", or "" */
	char sapi[32];
	char path[256]; /* of the program or library, by the process's name for it */
	/* Of a thread-safe one: */
	xhprof_addr threads; /* the engine's list of them */
	xhprof_thread of_thread;
	xhprof_thread_marks marks;
} xhprof_php;

/* Whether this program reads thread-safe PHP, or the other. */
extern const bool xhprof_php_has_threads;

/* Searches the process that `remote` reads for the chosen thread that runs PHP. */
xhprof_exit xhprof_php_find(xhprof_php *php, xhprof_remote *remote, xhprof_chosen chosen, xhprof_failure *failure);

/* What is known of a process without asking the system: of a core file. */
typedef struct xhprof_php_place {
	pid_t pid;
	const char *maps;    /* its memory, as /proc/PID/maps lists it */
	const char *command; /* without secrets */
	const pid_t *threads;
	size_t thread_count;
} xhprof_php_place;

/* Searches there for that thread (0: the only one). `remote` reads its memory. */
xhprof_exit xhprof_php_find_in(xhprof_php *php, xhprof_remote *remote, const xhprof_php_place *place, pid_t thread,
							   xhprof_failure *failure);

/* The threads of a process that run PHP: itself, if it is not thread-safe. Stores up to `max`; `count` is that of all.
 * `table`: xhprof_chosen.threads of an earlier list, or 0. */
xhprof_exit xhprof_php_threads(xhprof_remote *remote, xhprof_addr table, xhprof_chosen *chosen, size_t max,
							   size_t *count, xhprof_failure *failure);

/* Whether the thread still runs, by the same memory. */
bool xhprof_php_has_thread(const xhprof_php *php, xhprof_remote *remote);

/* Whether that is still at its place in `maps`, of the same process: the process may run another program by now. */
bool xhprof_php_is_in(const xhprof_php *php, const char *maps);

/* Looks up the heap again: `remote` reads another moment of the same process. */
void xhprof_php_find_heap(xhprof_php *php, xhprof_remote *remote);

/* The structures that this program is built for: the name of the build, and sizes. */
void xhprof_php_build(char *build, size_t size, uint64_t sizes[4]);
const char *xhprof_php_own_version(void);

/* Whether no request is being served, as in a worker that waits for one. */
bool xhprof_php_is_idle(const xhprof_php *php, xhprof_remote *remote);

/* An address within the Zend heap, if it cannot be found otherwise: the page of the VM stack. */
uint64_t xhprof_php_in_heap(const xhprof_php *php, xhprof_remote *remote);

/* Its activity: the script's file, and the request's address, without its secrets, if any. "" if unknown or idle. */
void xhprof_php_request(const xhprof_php *php, xhprof_remote *remote, char *script, size_t script_size, char *uri,
						size_t uri_size);

#endif
