/* Dumps as memprof's array: ["memory_size" => int, "blocks_count" => int, "memory_size_inclusive" => int,
 * "blocks_count_inclusive" => int, "calls" => int, "called_functions" => [name => the same]]. The outermost one is
 * main(), as in memprof. It has all paths, also empty ones. */
#ifndef XHPROF_EXPORT_ALLOC_ARRAY_H
#define XHPROF_EXPORT_ALLOC_ARRAY_H

#include "php_xhprof.h"
#include "alloc_paths.h"

/* Makes the array. False, and NULL in `result`, without memory. Like every writer it may leave by a bailout. */
bool xhprof_alloc_array(const xhprof_alloc_dump *dump, xhprof_alloc_paths *paths, zval *result);

#endif
