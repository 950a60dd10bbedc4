/* Addresses in the process that is read: numbers, for nothing is there for us. */
#ifndef XHPROF_HEAP_ADDRESS_H
#define XHPROF_HEAP_ADDRESS_H

#include <stdint.h>

typedef uint64_t xhprof_addr;

/* One as a parameter. A pointer in a structure that has been read is given as it is. */
typedef union xhprof_at {
	xhprof_addr number;
	const void *pointer;
} xhprof_at __attribute__((__transparent_union__));

#endif
