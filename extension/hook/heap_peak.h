/* The peaks of the Zend heap: that of a profile, and that of the program, xhprof_heap_peak(). PHP's own counter is not
 * enough, as programs set it back (memory_reset_peak_usage()), test runners before each test. */
#ifndef XHPROF_HOOK_HEAP_PEAK_H
#define XHPROF_HOOK_HEAP_PEAK_H

#include "php_xhprof.h"

/* From here on resets by programs are noticed. */
void xhprof_heap_peak_minit(void);
void xhprof_heap_peak_rinit(void);

/* Around a profile with memory figures, whose own peak starts at the bytes now in use: PHP's counter is lowered, and
 * afterwards is what it would be without the profile. Only that of used bytes: memory_get_peak_usage(true) is never
 * touched. */
void xhprof_heap_peak_begin(void);
void xhprof_heap_peak_end(void);

#endif
