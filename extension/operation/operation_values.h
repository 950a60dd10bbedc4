/* The values of an operation: compared by their hash, and shown only where xhprof.operation_values asks for it. */
#ifndef XHPROF_OPERATION_VALUES_H
#define XHPROF_OPERATION_VALUES_H

#include "php_xhprof.h"

/* Returns the hash of a value and what came before; 0: values are not known, as those of objects. */
uint64_t xhprof_operation_hash(const zval *value, uint64_t before);

/* Returns the hash of the values with which a statement executes, those given or else those bound before; 0: not
 * known. */
uint64_t xhprof_operation_hash_statement(zval *statement, const zval *given, uint64_t before);

/* Puts at `to` at most `size` bytes of SQL, in which the parameters (NULL: none) replace `?` and `:name` outside of
 * quotes. Returns the number of bytes. */
size_t xhprof_operation_show(char *to, size_t size, const zend_string *sql, const HashTable *parameters);

#endif
