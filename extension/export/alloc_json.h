/* A dump as nested JSON, in the shape of alloc_array.h; with types each path also has
 * "types":{"string":{"bytes":1,"blocks":1},...}, of what it holds itself. */
#ifndef XHPROF_ALLOC_JSON_H
#define XHPROF_ALLOC_JSON_H

#include "alloc_paths.h"

bool xhprof_alloc_write_json(const xhprof_alloc_dump *dump, const xhprof_alloc_options *options,
							 xhprof_alloc_paths *paths, xhprof_writer *writer);

#endif
