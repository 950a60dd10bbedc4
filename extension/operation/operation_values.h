/* The values of an operation: compared by their hash, and shown only where xhprof.operation_values asks for it. */
#ifndef XHPROF_OPERATION_VALUES_H
#define XHPROF_OPERATION_VALUES_H

#include "php_xhprof.h"

/* The hash of a value and what came before; 0: values are not known, as those of objects. */
uint64_t xhprof_operation_hash(const zval *value, uint64_t before);

/* The values of a statement that executes: those given, or else those bound before. The same 0. */
uint64_t xhprof_operation_hash_statement(zval *statement, const zval *given, uint64_t before);

/* SQL with `?` and `:name` outside of quotes replaced by the parameters (NULL: none), at most `size` bytes. Returns the
 * number of bytes. */
size_t xhprof_operation_show(char *to, size_t size, const zend_string *sql, const HashTable *parameters);

#endif
