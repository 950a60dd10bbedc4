/* The chosen processes, and threads of them. */
#ifndef XHPROF_INSPECT_CHOICE_H
#define XHPROF_INSPECT_CHOICE_H

#include "chosen.h"
#include "failure.h"

#include <stdbool.h>
#include <stddef.h>

#define XHPROF_CHOICE_MAX 256

typedef struct xhprof_choice {
	size_t count;
	xhprof_chosen list[XHPROF_CHOICE_MAX]; /* each once */
} xhprof_choice;

/* False if there are too many. */
bool xhprof_choice_add(xhprof_choice *choice, pid_t pid);

/* Adds all processes that run PHP and have this text in their command, except this one. */
xhprof_exit xhprof_choice_add_pool(xhprof_choice *choice, const char *text, xhprof_failure *failure);

/* Takes this thread of each process, or one entry for each that runs PHP (XHPROF_CHOICE_THREADS). Processes that cannot be
 * read stay, for the message about them. */
xhprof_exit xhprof_choice_take_threads(xhprof_choice *choice, pid_t thread, xhprof_failure *failure);

/* The threads of a process that run PHP now: `count` of all. False if it cannot be read, or there is none. */
bool xhprof_choice_list_threads(xhprof_chosen process, xhprof_chosen threads[XHPROF_CHOICE_MAX], size_t *count);

/* `pattern` with the numbers of process and thread for each %p and %t; false if that is too long. */
bool xhprof_choice_file(const char *pattern, pid_t pid, pid_t thread, char *to, size_t size);

#endif
