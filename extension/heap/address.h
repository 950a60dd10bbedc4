/* Addresses in the process that is read. They are numbers, as they must not be dereferenced here. */
#ifndef XHPROF_HEAP_ADDRESS_H
#define XHPROF_HEAP_ADDRESS_H

#include <stdint.h>

typedef uint64_t xhprof_addr;

/* An address as a parameter. Pointers in structures that have been read are passed unchanged. */
typedef union xhprof_at {
	xhprof_addr number;
	const void *pointer;
} xhprof_at __attribute__((__transparent_union__));

#endif
