/* Parts of functions and classes, for walk_code.c (functions) and walk_class.c. */
#ifndef XHPROF_HEAP_WALK_CODE_H
#define XHPROF_HEAP_WALK_CODE_H

#include "walker.h"

/* A larger count of anything in one function or class is treated as damage. */
#define XHPROF_WALK_CODE_MAX ((uint64_t)1 << 22)

/* False for an impossible number, which is counted. */
bool xhprof_walk_code_plausible(xhprof_walker *walker, uint64_t count);

/* A literal or default: only if it has memory of its own. Interned strings are the engine's. */
void xhprof_walk_code_constant(xhprof_walker *walker, const char *part, xhprof_edge_label label, const zval *value);

/* Names in a type. */
void xhprof_walk_code_type(xhprof_walker *walker, const zend_type *type);

#endif
