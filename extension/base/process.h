/* The id of this process without a system call, which getpid() of current C libraries makes each time. */
#ifndef XHPROF_BASE_PROCESS_H
#define XHPROF_BASE_PROCESS_H

#include <stdint.h>
#include <sys/types.h>

/* Begin and end to keep the id, at the module's start and end. Before and after, and where the kernel has no support,
 * each call of the functions below is a system call. */
void xhprof_process_begin(void);
void xhprof_process_end(void);

/* Returns the id of this process; in a forked child that of the child. */
pid_t xhprof_process_id(void);

/* Returns a number of this process that differs from those of other processes, on other machines too. */
uint64_t xhprof_process_number(void);

#endif
