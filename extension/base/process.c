#include "process.h"

#include "arena.h"
#include "hash.h"

#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static pid_t *known; /* in a page that the kernel empties in a forked child, however that is made; or NULL */

void xhprof_process_begin(void)
{
#ifdef MADV_WIPEONFORK
	known = xhprof_pages_map(sizeof(*known));
	if (known && madvise(known, sizeof(*known), MADV_WIPEONFORK) != 0) {
		xhprof_process_end();
	}
#endif
}

void xhprof_process_end(void)
{
	xhprof_pages_unmap(known, sizeof(*known));
	known = NULL;
}

pid_t xhprof_process_id(void)
{
	pid_t id = known ? __atomic_load_n(known, __ATOMIC_RELAXED) : 0;
	if (!id) {
		id = getpid();
		if (known) {
			__atomic_store_n(known, id, __ATOMIC_RELAXED);
		}
	}
	return id;
}

uint64_t xhprof_process_number(void)
{
	char host[256] = "";
	gethostname(host, sizeof(host) - 1);
	return xhprof_hash_bytes(host, strlen(host), (uint64_t)xhprof_process_id());
}
