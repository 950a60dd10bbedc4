/* The number of this process, without a system call: getpid() of today's C libraries is one each time. */
#ifndef XHPROF_BASE_PROCESS_H
#define XHPROF_BASE_PROCESS_H

#include <stdint.h>
#include <sys/types.h>

/* At the module's start and end. Outside of them, and where the kernel cannot, each question is a system call. */
void xhprof_process_begin(void);
void xhprof_process_end(void);

/* In a forked child, its own. */
pid_t xhprof_process_id(void);

/* Differs between the processes of several machines, too. */
uint64_t xhprof_process_number(void);

#endif
