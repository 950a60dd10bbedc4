/* The peaks of the Zend heap: that of a profile, and that of the program, xhprof_heap_peak(). PHP's own counter is not
 * enough, as programs reset it (memory_reset_peak_usage()); test runners do so before each test. */
#ifndef XHPROF_HOOK_HEAP_PEAK_H
#define XHPROF_HOOK_HEAP_PEAK_H

#include "php_xhprof.h"

/* Begin to notice resets of PHP's counter by programs: at start-up, and for each request. */
void xhprof_heap_peak_minit(void);
void xhprof_heap_peak_rinit(void);

/* Enclose a profile with memory figures, whose peak starts at the bytes now in use: begin lowers PHP's counter to them,
 * and end sets it to what it would be without the profile. Only the counter of used bytes changes:
 * memory_get_peak_usage(true) is never touched. */
void xhprof_heap_peak_begin(void);
void xhprof_heap_peak_end(void);

/* Sets the peak of the part of the profile that goes on (session_part.h), bytes. */
void xhprof_heap_peak_of_part(size_t peak);

/* Enclose the time in which spans are open, whose peak starts at the bytes now in use; begin may be called again when
 * one has been judged. End sets PHP's counter to what it would be without. */
void xhprof_heap_peak_begin_spans(void);
size_t xhprof_heap_peak_of_spans(void);
void xhprof_heap_peak_end_spans(void);

#endif
