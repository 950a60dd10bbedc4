/* What functions and classes are made of, for walk_code.c (functions) and walk_class.c. */
#ifndef XHPROF_HEAP_WALK_CODE_H
#define XHPROF_HEAP_WALK_CODE_H

#include "walker.h"

/* More of anything in one function or class is taken for damage. */
#define XHPROF_WALK_CODE_MOST ((uint64_t)1 << 22)

/* False, and counted, for a number that cannot be. */
bool xhprof_walk_code_plausible(xhprof_walker *walker, uint64_t count);

/* A literal or default: only what has memory of its own. Strings that are interned are the engine's. */
void xhprof_walk_code_constant(xhprof_walker *walker, const char *part, xhprof_label label, const zval *value);

/* Names in a type. */
void xhprof_walk_code_type(xhprof_walker *walker, const zend_type *type);

#endif
