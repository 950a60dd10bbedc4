/* xhprof.heap_if: a heap snapshot in the run folder when a condition holds, once per process and hour.
 *
 * kept: what the process has kept since its first requests or spans have settled it: those before the tenth has ended,
 * as classes are loaded and caches filled by them. Of spans it is the growth of the Zend heap, seen at the end of each.
 * While others are open, which hold memory too, it is that of the least of the last XHPROF_HEAP_CONDITION_RECENT ends;
 * of requests that of the process's own resident memory, seen when the next one begins, when PHP has freed the heap.
 * peak: the most bytes of the Zend heap of a request or span. It is noticed when the engine is interrupted, as each
 * sample does, and at memory_limit, while the memory is there; else at the end. */
#ifndef XHPROF_REQUEST_HEAP_CONDITION_H
#define XHPROF_REQUEST_HEAP_CONDITION_H

#include "php_xhprof.h"

void xhprof_heap_condition_minit(void);
void xhprof_heap_condition_mshutdown(void);
void xhprof_heap_condition_rinit(void);

/* Returns whether spans are to be followed, although nothing profiles them. */
bool xhprof_heap_condition_wanted(void);

/* A span begins, and has ended, with its profile. Do nothing where the setting is empty. The end may leave the Zend
 * heap by a bailout, if an extension's handler reaches memory_limit. */
void xhprof_heap_condition_begin_span(uint64_t number, const zend_string *name);
void xhprof_heap_condition_end_span(uint64_t number);

/* The request ends: its profile has ended, and its facts are still known. */
void xhprof_heap_condition_end_request(void);

void xhprof_heap_condition_gshutdown(zend_xhprof_globals *globals);

#endif
