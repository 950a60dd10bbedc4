/* Dumps for gperftools' pprof, as memprof writes them: symbols as text, then machine words; bytes by path, without
 * types. main() is the "root". */
#ifndef XHPROF_EXPORT_ALLOC_HEAP_PROFILE_H
#define XHPROF_EXPORT_ALLOC_HEAP_PROFILE_H

#include "alloc_paths.h"

/* Writes the dump. False without memory. */
bool xhprof_alloc_write_heap_profile(const xhprof_alloc_dump *dump, xhprof_alloc_paths *paths, xhprof_writer *writer);

#endif
