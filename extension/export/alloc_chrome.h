/* A dump as Chrome's memory-infra writes it into a trace: sums per allocator, and with detail who holds what (heaps_v2). */
#ifndef XHPROF_ALLOC_CHROME_H
#define XHPROF_ALLOC_CHROME_H

#include "alloc_paths.h"

bool xhprof_alloc_write_chrome(const xhprof_alloc_dump *dump, const xhprof_alloc_options *options,
							   xhprof_alloc_paths *paths, xhprof_writer *writer);

#endif
