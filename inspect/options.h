/* The command line. */
#ifndef XHPROF_INSPECT_OPTIONS_H
#define XHPROF_INSPECT_OPTIONS_H

#include "choice.h"
#include "failure.h"
#include "export/heap_output.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

typedef struct xhprof_inspect_options {
	xhprof_choice processes; /* none with an image or a program */
	const char *pool;        /* or NULL: a text in the commands of more processes */
	pid_t thread;            /* of them: a number, XHPROF_CHOICE_THREAD or XHPROF_CHOICE_THREADS */
	const char *image;       /* memory: a file instead of a process */
	const char *core, *exe;  /* a core file instead of a process; its program, or NULL: the one that it names */
	char **arguments;        /* after "--": a program to run, or NULL */
	const char *output;      /* or NULL: standard output */
	bool stack;              /* memory of a core file: print its calls first */
	bool lines;              /* trace: each sample at once, not folded ones at the end */
	bool stop, no_stop;
	bool redact, scalars;
	uint64_t max_string;
	bool copy_is_bounded;
	uint64_t max_copied; /* bytes, then */
	double after;        /* seconds */
	const char *limit_file;
	uint32_t limit_line, limit_depth;
	uint32_t rate, depth;
	double seconds, interval; /* or 0 */
} xhprof_inspect_options;

/* Reads the arguments after the command's name. */
xhprof_exit xhprof_options_read(xhprof_inspect_options *options, const char *command, int count, char **words,
								xhprof_failure *failure);

#endif
