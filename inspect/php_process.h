/* Finds PHP in a process: its program or its library, the engine's variables, and whether its structures are those of the
 * PHP that this program is built for. */
#ifndef XHPROF_INSPECTOR_PHP_PROCESS_H
#define XHPROF_INSPECTOR_PHP_PROCESS_H

#include "remote.h"
#include "heap/walk.h"

typedef struct xhprof_php {
	pid_t pid;
	xhprof_engine engine;
	xhprof_addr heap;          /* zend_mm_get_heap()'s answer, or 0 */
	xhprof_addr heap_variable; /* where that is, or 0 */
	xhprof_addr base;          /* of the program or library in memory */
	char version[32];          /* "8.2.35", or "" */
	char sapi[32];
	char path[256]; /* of the program or library, as the process calls it */
} xhprof_php;

/* Looks into a process. */
xhprof_exit xhprof_php_find(xhprof_php *php, xhprof_remote *remote, xhprof_failure *failure);

/* Whether that is still where `maps`, of the same process, has it: the process may run another program by now. */
bool xhprof_php_is_in(const xhprof_php *php, const char *maps);

/* Looks again which heap there is: `remote` reads another moment of the same process. */
void xhprof_php_find_heap(xhprof_php *php, xhprof_remote *remote);

/* What structures this program is built for: the name of the build, and sizes. */
void xhprof_php_build(char *build, size_t size, uint64_t sizes[4]);
const char *xhprof_php_own_version(void);

/* No request is being served, as by a worker that waits for one. */
bool xhprof_php_is_idle(const xhprof_php *php, xhprof_remote *remote);

/* An address within the Zend heap, for when it cannot be found otherwise: the page of the VM stack. */
uint64_t xhprof_php_in_heap(const xhprof_php *php, xhprof_remote *remote);

/* What it is at: the script's file, and the request's address, without its secrets, where there is one. "" when unknown or idle. */
void xhprof_php_request(const xhprof_php *php, xhprof_remote *remote, char *script, size_t script_size, char *uri,
						size_t uri_size);

#endif
