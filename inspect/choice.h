/* The chosen processes. */
#ifndef XHPROF_INSPECT_CHOICE_H
#define XHPROF_INSPECT_CHOICE_H

#include "failure.h"

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#define XHPROF_CHOICE_MAX 256

typedef struct xhprof_choice {
	size_t count;
	pid_t pids[XHPROF_CHOICE_MAX]; /* each once */
} xhprof_choice;

/* False if there are too many. */
bool xhprof_choice_add(xhprof_choice *choice, pid_t pid);

/* Adds all processes that run PHP and have this text in their command, except this one. */
xhprof_exit xhprof_choice_add_pool(xhprof_choice *choice, const char *text, xhprof_failure *failure);

/* `pattern` with the process's number for each %p; false if that is too long. */
bool xhprof_choice_file(const char *pattern, pid_t pid, char *to, size_t size);

#endif
