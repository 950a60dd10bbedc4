/* The peaks of the Zend heap: that of the process, xhprof_heap_peak(), of a profile, and of spans. PHP has one counter for
 * all. It is read in laps: at the end of each its value goes to what it belongs to, and it is set to the bytes now in use.
 * The program does not see this: memory_get_peak_usage() answers what it would without the profiler. Only the counter of
 * used bytes changes, memory_get_peak_usage(true) is never touched. Where the heap's layout is unknown the counter is not
 * set, and each peak is the process's. */
#ifndef XHPROF_HOOK_HEAP_PEAK_H
#define XHPROF_HOOK_HEAP_PEAK_H

#include "php_xhprof.h"

/* Begin to notice what programs do with PHP's counter: at start-up, and for each request. */
void xhprof_heap_peak_minit(void);
void xhprof_heap_peak_rinit(void);

/* Enclose a profile with memory figures, whose peak starts at the bytes now in use. */
void xhprof_heap_peak_begin(void);
void xhprof_heap_peak_end(void);

/* Another part of the profile goes on (session_part.h), whose last peak the tracer has. */
void xhprof_heap_peak_of_part(void);

/* Begins the turn of a span, whose peak in earlier turns was `before`, or 0; or that of none (NULL). Returns the peak of
 * the turn that ends, and of those before; 0 if none had it. */
size_t xhprof_heap_peak_turn(const size_t *before);

/* Returns the peak until now of the span whose turn it is; 0 if none has it. */
size_t xhprof_heap_peak_of_turn(void);

/* Enclose the time in which spans are open, all together, whose peak starts at the bytes now in use; begin may be called
 * again when one has been judged. */
void xhprof_heap_peak_begin_spans(void);
size_t xhprof_heap_peak_of_spans(void);
void xhprof_heap_peak_end_spans(void);

#endif
