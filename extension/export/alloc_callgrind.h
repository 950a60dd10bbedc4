/* Dumps for KCachegrind and callgrind_annotate: by function, at any depth, without types. A function that calls itself,
 * directly or not, counts once: its inclusive figures are those of its outermost calls. */
#ifndef XHPROF_EXPORT_ALLOC_CALLGRIND_H
#define XHPROF_EXPORT_ALLOC_CALLGRIND_H

#include "alloc_paths.h"

/* Writes the dump. False without memory. */
bool xhprof_alloc_write_callgrind(const xhprof_alloc_dump *dump, xhprof_alloc_paths *paths, xhprof_writer *writer);

#endif
