/* What blocks of the Zend heap hold compiled code: functions, classes, and what the compiler keeps them in. */
#ifndef XHPROF_HOOK_CODE_TYPES_H
#define XHPROF_HOOK_CODE_TYPES_H

#include "php_xhprof.h"

/* Calls found(context, block, type) for the blocks of this request's functions and classes, as "compiled code", and for
 * their comments, as strings; some of them more than once, and some that are not the heap's. Only reads, and needs no
 * memory. To be called within a PHP function only. */
void xhprof_code_types_walk(xhprof_alloc_types *types, void (*found)(void *context, const void *block, uint16_t type),
							void *context);

#endif
