/* A core file as the memory of a process: what the file does not have of programs and libraries is read from these, where
 * they are the ones that were mapped. Core files, and the names in them, may be forged: of the files that they name only
 * such ELF files are read whose first page is the one in the core file. */
#ifndef XHPROF_INSPECT_CORE_H
#define XHPROF_INSPECT_CORE_H

#include "core_file.h"
#include "target.h"

/* A program or library that was mapped. */
typedef struct xhprof_core_library {
	const char *path;
	uint64_t base; /* the address of its first page; 0: not known */
	int file;      /* -1: it cannot be used */
	const char *why;
	void *programs; /* its program headers */
	size_t program_count;
	uint64_t size;
} xhprof_core_library;

/* Memory that can be read. */
typedef struct xhprof_core_range {
	uint64_t from, to, offset; /* addresses, and the place in the file */
	int file;                  /* of the core file, or of a library */
} xhprof_core_range;

typedef struct xhprof_core {
	xhprof_core_file file;
	xhprof_core_library *libraries;
	size_t library_count;
	xhprof_core_range *ranges; /* by address */
	size_t range_count;
	char *maps; /* the memory that it had, as /proc/PID/maps lists it */
	size_t maps_length, maps_room;
	char command[512];
} xhprof_core;

/* Opens a core file, whose program is `program`, or NULL: the one that it names. */
xhprof_exit xhprof_core_open(xhprof_core *core, const char *path, const char *program, xhprof_failure *failure);
void xhprof_core_close(xhprof_core *core);

/* Finds PHP in it, and a thread (0: the only one): its `target` reads it until it is closed. */
xhprof_exit xhprof_core_target(xhprof_core *core, const char *path, pid_t thread, xhprof_target *target,
							   xhprof_failure *failure);

#endif
