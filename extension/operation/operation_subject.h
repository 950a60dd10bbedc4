/* The subject of a call of an operation's function: its text, and the hash of its values. Nothing of the program
 * runs, and only curl takes memory from the Zend heap. */
#ifndef XHPROF_OPERATION_SUBJECT_H
#define XHPROF_OPERATION_SUBJECT_H

#include "php_xhprof.h"

#include "trace/operations.h"

typedef struct xhprof_operation_subject {
	xhprof_operations *operations;
	const xhprof_operation_function *function;
	const xhprof_symbol *symbol; /* of the function */
	xhprof_operation_text *text; /* NULL: without memory */
	uint64_t values;             /* their hash; 0: not known */
} xhprof_operation_subject;

/* Reads the subject before the call. */
void xhprof_operation_subject_read(xhprof_operation_subject *subject, zend_execute_data *call);

/* Completes the subject after the call, while its arguments are still there. `return_value` may be NULL. False: it
 * was no operation. */
bool xhprof_operation_subject_end(xhprof_operation_subject *subject, zend_execute_data *call, const zval *return_value);

/* Returns the kind of a call before it, without reading its text. */
xhprof_operation_kind xhprof_operation_subject_kind(const xhprof_operation_function *function, zend_execute_data *call);

/* Returns whether a call of XHPROF_TEXT_MAY_ASK, which has ended, has asked the server. */
bool xhprof_operation_subject_asked(const zval *return_value);

/* Frees the memory in which texts are made. */
void xhprof_operation_subject_rshutdown(void);

#endif
