/* A dump as folded stacks, for flame graphs: "main();a;b 123" per line, with types "main();a;b;[string] 123". */
#ifndef XHPROF_ALLOC_FOLDED_H
#define XHPROF_ALLOC_FOLDED_H

#include "alloc_paths.h"

bool xhprof_alloc_write_folded(const xhprof_alloc_dump *dump, const xhprof_alloc_options *options,
							   xhprof_alloc_paths *paths, xhprof_writer *writer);

#endif
