/* Large results and memory_limit. In older releases an allocation past the limit leaves by a bailout. Newer patch
 * releases (8.2.35 of Debian for one) allow it, raise the fatal error when the function returns, and end the whole
 * process at twice the limit; there, large results need an allocation that may fail. On NULL or false: give up. */
#ifndef XHPROF_COMPAT_FALLIBLE_H
#define XHPROF_COMPAT_FALLIBLE_H

#include "php.h"

static zend_always_inline void *xhprof_compat_try_alloc(size_t size)
{
#ifdef femalloc
	return femalloc(size, true);
#else
	return emalloc(size);
#endif
}

static zend_always_inline zend_string *xhprof_compat_try_string(size_t length)
{
#ifdef femalloc
	return zend_string_falloc(length, false, true);
#else
	return zend_string_alloc(length, false);
#endif
}

/* Allocates the elements of an empty array that was made with a size. */
static zend_always_inline bool xhprof_compat_try_real_init(HashTable *array, bool packed)
{
#ifdef femalloc
	return zend_hash_real_finit(array, packed, true) == SUCCESS;
#else
	zend_hash_real_init(array, packed);
	return true;
#endif
}

/* Adds an empty list with room for `count` numbers, under `name`. */
static inline HashTable *xhprof_compat_try_list(zval *into, const char *name, uint32_t count)
{
	zval list;
	array_init_size(&list, count);
	add_assoc_zval(into, name, &list);
	return xhprof_compat_try_real_init(Z_ARRVAL(list), true) ? Z_ARRVAL(list) : NULL;
}

#endif
