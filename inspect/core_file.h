/* The parts of an ELF core file: what memory it has, which files were mapped, the process and its threads. Such a file may
 * be damaged or forged: all its contents are checked. */
#ifndef XHPROF_INSPECT_CORE_FILE_H
#define XHPROF_INSPECT_CORE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#define XHPROF_CORE_PAGE 4096

typedef struct xhprof_core_segment {
	uint64_t from, to;      /* addresses */
	uint64_t offset, bytes; /* the place in the file, and how many bytes it has, beginning with the first */
	uint32_t rights;        /* PF_R, PF_W, PF_X */
} xhprof_core_segment;

/* A part of a file that was mapped. */
typedef struct xhprof_core_mapped {
	uint64_t from, to, offset;
	const char *path; /* printable */
} xhprof_core_mapped;

typedef struct xhprof_core_file {
	int file;
	uint64_t size;
	int64_t time;                  /* of its last change: seconds since 1970 */
	xhprof_core_segment *segments; /* by address, without overlaps */
	size_t segment_count;
	xhprof_core_mapped *mapped; /* by address, without overlaps */
	size_t mapped_count;
	char *notes; /* that `path` points into */
	pid_t pid;   /* 0: not known */
	pid_t *threads;
	size_t thread_count;
	int signal;             /* that has ended the process, or 0 */
	uint64_t stack;         /* an address within the stack of the main thread, or 0 */
	uint64_t program;       /* the address of the program's ELF headers, or 0 */
	char arguments[80 + 2]; /* the beginning of the command line, each argument ended by a '\0' */
	size_t arguments_length;
} xhprof_core_file;

/* Opens a core file. Returns NULL, or what is wrong with it: one line. */
const char *xhprof_core_file_open(xhprof_core_file *core, const char *path);
void xhprof_core_file_close(xhprof_core_file *core);

/* Reads all of these bytes of a file; false if it has less. */
bool xhprof_core_read(int file, void *to, size_t size, uint64_t offset);

/* The segment around an address, or NULL. */
const xhprof_core_segment *xhprof_core_file_segment(const xhprof_core_file *core, uint64_t address);

/* Whether an ELF header is of a machine as this one, with 64 bits. */
bool xhprof_core_is_own_machine(const void *header, const char **why);

#endif
