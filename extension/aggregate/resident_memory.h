/* The resident memory that is this process's own: neither of files nor shared with other processes, such as the
 * cache of opcache. Each reading takes one system call, on a file of /proc that stays open. No PHP. */
#ifndef XHPROF_AGGREGATE_RESIDENT_MEMORY_H
#define XHPROF_AGGREGATE_RESIDENT_MEMORY_H

#include <stdint.h>
#include <sys/types.h>

/* All zero at first. */
typedef struct xhprof_resident_memory {
	int fd; /* 0: not opened yet; -1: /proc cannot be read */
	dev_t device;
	ino_t inode;
} xhprof_resident_memory;

/* Returns bytes; 0 if that is not known. */
uint64_t xhprof_resident_memory_now(xhprof_resident_memory *memory);

/* Closes the file, at the end and in a forked child, whose file is another one. */
void xhprof_resident_memory_close(xhprof_resident_memory *memory);

#endif
