/* The command line. */
#ifndef XHPROF_INSPECTOR_OPTIONS_H
#define XHPROF_INSPECTOR_OPTIONS_H

#include "failure.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

typedef enum xhprof_format {
	XHPROF_FORMAT_DEFAULT,
	XHPROF_FORMAT_JSONL,
	XHPROF_FORMAT_RELI,
	XHPROF_FORMAT_HEAPSNAPSHOT,
	XHPROF_FORMAT_FOLDED,
	XHPROF_FORMAT_LINES,
} xhprof_format;

typedef struct xhprof_inspect_options {
	pid_t pid;          /* or 0 */
	const char *image;  /* memory: a file instead of a process */
	char **arguments;   /* after "--": a program to run, or NULL */
	const char *output; /* or NULL: standard output */
	xhprof_format format;
	bool stop, no_stop;
	bool pretty, redact, scalars;
	uint64_t max_string;
	double after; /* seconds */
	const char *limit_file;
	uint32_t limit_line, limit_depth;
	uint32_t rate, depth;
	double seconds, interval; /* or 0 */
} xhprof_inspect_options;

/* Reads what follows the command's name. */
xhprof_exit xhprof_options_read(xhprof_inspect_options *options, const char *command, int count, char **words,
								xhprof_failure *failure);

void xhprof_options_help(void);

#endif
