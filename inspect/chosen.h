/* A process, or a thread of one, that is to be read. */
#ifndef XHPROF_INSPECT_CHOSEN_H
#define XHPROF_INSPECT_CHOSEN_H

#include <stdint.h>
#include <sys/types.h>

#define XHPROF_CHOICE_THREAD ((pid_t)0) /* the only one that runs PHP */
#define XHPROF_CHOICE_THREADS ((pid_t)-1)

typedef struct xhprof_chosen {
	pid_t pid, thread; /* thread: its number, or XHPROF_CHOICE_THREAD */
	uint64_t threads;  /* address of the engine's list of them; 0: unknown */
} xhprof_chosen;

#endif
