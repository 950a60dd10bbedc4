/* The wall clock by which windows begin and end. It never goes back within a process by less than a window may be long,
 * so that no window begins twice. */
#ifndef XHPROF_AGGREGATE_WINDOW_CLOCK_H
#define XHPROF_AGGREGATE_WINDOW_CLOCK_H

#include <stdint.h>

/* Returns ms since the epoch. Tests move the clock themselves: where XHPROF_DEV is defined, XHPROF_TEST_CLOCK in the
 * environment is the path of the file with the time. */
uint64_t xhprof_window_clock_ms(void);

/* Returns the time to sleep until the clock may show `ms` more. */
uint64_t xhprof_window_clock_wait(uint64_t ms);

#endif
