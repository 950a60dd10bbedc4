/* Facts of a process from /proc, and why it may not be read. */
#ifndef XHPROF_INSPECT_PROCESS_H
#define XHPROF_INSPECT_PROCESS_H

#include "failure.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* The contents of a file, terminated, to be freed by free(); NULL with errno. At most 64 MiB. */
char *xhprof_system_file(const char *path, size_t *length);
/* The same for the file `name` in the folder of /proc for this process. */
char *xhprof_process_file(pid_t pid, const char *name, size_t *length);

/* Bytes that the system has left for programs; 0: unknown. */
uint64_t xhprof_memory_available(void);

/* Checks that the process exists and may be read. */
xhprof_exit xhprof_process_check(pid_t pid, xhprof_failure *failure);

/* The refusal of `pid` for lack of permission. */
xhprof_exit xhprof_process_denied(pid_t pid, xhprof_failure *failure);
xhprof_exit xhprof_process_gone(pid_t pid, xhprof_failure *failure);

/* Whether the process has ended, or is a zombie. */
bool xhprof_process_ended(pid_t pid);

/* The number after "Name:" in /proc/PID/status, or -1. */
int64_t xhprof_process_status(pid_t pid, const char *name);

/* The program and its arguments, without their secrets, or the title that it has set. */
void xhprof_process_command(pid_t pid, char *to, size_t size);

/* Whether its whole command line, with spaces between, contains the text. */
bool xhprof_process_command_has(pid_t pid, const char *wanted);

/* A line of a maps file. */
typedef struct xhprof_mapping {
	uint64_t from, to, offset;
	char rights[5];
	const char *path; /* up to the end of the line, not terminated */
	size_t path_length;
} xhprof_mapping;

/* The next one from `*text` on, which is advanced; false at the end. Other lines are skipped. */
bool xhprof_process_mapping(const char **text, xhprof_mapping *mapping);

#endif
