/* Handlers on the live Zend heap that put every block on the books and leave the work to the heap itself. Its statistics
 * and its limit stay what they are. */
#ifndef XHPROF_HOOK_ALLOC_H
#define XHPROF_HOOK_ALLOC_H

#include "php_xhprof.h"

/* At start-up only. */
void xhprof_hook_alloc_minit(void);
void xhprof_hook_alloc_mshutdown(void);

/* At every request: handlers that could not be taken off at the end of the last one are forgotten. */
void xhprof_hook_alloc_rinit(void);

/* False where the module came too late for what is needed, by dl(). */
bool xhprof_hook_alloc_ready(void);

/* Begins the books and records from now on; the nodes of the tracer's tree count blocks. `by_stack`: the tracer does not
 * run, so the path of a sampled block is read from the stack. `at_limit`: called once when memory_limit has been reached; or
 * NULL. False when there is no memory. */
bool xhprof_hook_alloc_start(uint32_t max_records, uint64_t sample_bytes, bool by_stack, void (*at_limit)(void));

/* Stops recording and takes the handlers off; the books stay. Where another extension has put its own above ours since,
 * ours stay as well and only pass on what they are asked: called again, it tries again. */
void xhprof_hook_alloc_stop(void);

/* Gives the books' memory back. */
void xhprof_hook_alloc_release(void);

/* What is in use, as memory_get_usage() tells; and its peak. */
size_t xhprof_hook_alloc_size(void);
size_t xhprof_hook_alloc_peak(void);

#endif
