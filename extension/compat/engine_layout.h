/* Structures of the engine that are read where they lie, perhaps in another process, and that differ from 8.2 to 8.4. Nothing
 * here calls the engine: it only computes. */
#ifndef XHPROF_COMPAT_ENGINE_LAYOUT_H
#define XHPROF_COMPAT_ENGINE_LAYOUT_H

#include "php_compat.h"

#include "zend_fibers.h"
#include "zend_generators.h"

/* Values without keys lie one after another, since 8.2; the mask tells it, as in values.h. */
static zend_always_inline bool xhprof_layout_is_packed(const HashTable *table)
{
	return table->nTableMask == HT_MIN_MASK;
}

#endif
