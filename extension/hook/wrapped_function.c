#include "wrapped_function.h"

static zend_function *find_function(const HashTable *functions, const char *name)
{
	zend_function *function = functions ? zend_hash_str_find_ptr(functions, name, strlen(name)) : NULL;
	return function && function->type == ZEND_INTERNAL_FUNCTION ? function : NULL;
}

void xhprof_wrapped_function_set(HashTable *functions, const char *name, zif_handler wrapper, zif_handler *previous)
{
	zend_function *function = find_function(functions, name);
	if (function && function->internal_function.handler != wrapper) {
		*previous = function->internal_function.handler;
		__atomic_store_n(&function->internal_function.handler, wrapper, __ATOMIC_RELEASE);
	}
}

void xhprof_wrapped_function_restore(HashTable *functions, const char *name, zif_handler wrapper, zif_handler previous)
{
	zend_function *function = find_function(functions, name);
	if (function && function->internal_function.handler == wrapper) {
		function->internal_function.handler = previous;
	}
}
