/* The common parts of functions (walk_code.c) and classes (walk_class.c). */
#ifndef XHPROF_HEAP_WALK_CODE_H
#define XHPROF_HEAP_WALK_CODE_H

#include "walker.h"

/* Most items of anything in one function or class. A greater number is treated as damage. */
#define XHPROF_WALK_CODE_MAX ((uint64_t)1 << 22)

/* Returns whether a number is possible. An impossible one is counted as unreadable. */
bool xhprof_walk_code_plausible(xhprof_walker *walker, uint64_t count);

/* Reports a literal or a default value, only if it has memory of its own. Interned strings belong to the engine. */
void xhprof_walk_code_constant(xhprof_walker *walker, const char *part, xhprof_edge_label label, const zval *value);

/* Reports the names in a type. */
void xhprof_walk_code_type(xhprof_walker *walker, const zend_type *type);

#endif
