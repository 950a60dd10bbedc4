/* Reader of another process's memory, or of a file's: a bounded cache of lines keeps what has been read. */
#ifndef XHPROF_INSPECT_REMOTE_H
#define XHPROF_INSPECT_REMOTE_H

#include "failure.h"
#include "heap/reader.h"

#include <sys/types.h>

/* Lines have 2^XHPROF_REMOTE_LINE_BITS bytes: large ones to read everything, small ones to read a few words often. */
#define XHPROF_REMOTE_WALK 16
#define XHPROF_REMOTE_SAMPLE 12
#define XHPROF_REMOTE_CACHE ((size_t)256 << 20) /* bytes of all lines; the system allocates the used ones */

typedef struct xhprof_remote_line {
	uint64_t number; /* of the line: its address by its size; plus 1, so that 0 is an empty line */
	uint64_t pages;  /* one bit per page of it that could be read */
} xhprof_remote_line;

typedef struct xhprof_remote {
	xhprof_reader reader; /* first: copy() gets from it to this struct */
	pid_t pid;
	bool gone;    /* the process has ended meanwhile */
	bool lost;    /* and memory that it had was needed after that */
	int page_map; /* its /proc/PID/pagemap, or -1 */
	/* Reads from the process, or a file; returns how many bytes are there, beginning with the first. */
	size_t (*fetch)(struct xhprof_remote *remote, xhprof_addr address, void *to, size_t size);
	void *context;
	/* A pointer that reads as another one; address 0: none. */
	uint64_t patch_address, patch_value;
	unsigned line_bits;
	size_t line_count;
	xhprof_remote_line *lines;
	char *bytes;
} xhprof_remote;

/* Of a process; nothing is read yet. False without memory. */
bool xhprof_remote_open(xhprof_remote *remote, pid_t pid, unsigned line_bits, size_t lines);
/* Of another source. */
bool xhprof_remote_open_with(xhprof_remote *remote, unsigned line_bits, size_t lines,
							 size_t (*fetch)(xhprof_remote *, uint64_t, void *, size_t), void *context);
void xhprof_remote_close(xhprof_remote *remote);

/* The fetch function and page map of a process's remote, past its cache. */
size_t xhprof_remote_fetch_process(xhprof_remote *remote, xhprof_addr address, void *to, size_t size);
bool xhprof_remote_page_map(xhprof_reader *reader, xhprof_addr address, uint64_t *entries, size_t count);

/* Reads the process again, after another source. */
void xhprof_remote_of_process(xhprof_remote *remote);

/* Empties the cache: the next reads go to the process again. */
void xhprof_remote_forget(xhprof_remote *remote);

/* Reads several ranges of a process by one system call, in their order and past the cache: true if all could be
 * read. */
typedef struct xhprof_remote_range {
	xhprof_addr address;
	void *to;
	size_t size;
} xhprof_remote_range;
#define XHPROF_REMOTE_RANGES 64 /* at most */
bool xhprof_remote_read(xhprof_remote *remote, const xhprof_remote_range *ranges, size_t count);

static inline bool xhprof_remote_get(xhprof_remote *remote, xhprof_at where, void *to, size_t size)
{
	xhprof_addr address = where.number;
	return remote->reader.copy(&remote->reader, address, to, size);
}

/* The pointer at an address, or 0. */
static inline uint64_t xhprof_remote_pointer(xhprof_remote *remote, xhprof_addr address)
{
	uint64_t pointer;
	return xhprof_remote_get(remote, address, &pointer, sizeof(pointer)) ? pointer : 0;
}

/* A C string, cut at size - 1 bytes. False if nothing could be read. */
bool xhprof_remote_c_string(xhprof_remote *remote, xhprof_at address, char *to, size_t size);

#endif
