/* What a call of an operation's function is of: its text, and the hash of its values. Nothing of the program runs, and
 * nothing is taken from the Zend heap but by curl. */
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

/* Before the call. */
void xhprof_operation_subject_read(xhprof_operation_subject *subject, zend_execute_data *call);

/* After it, while its arguments are still there. `return_value` may be NULL. False: it was no operation. */
bool xhprof_operation_subject_end(xhprof_operation_subject *subject, zend_execute_data *call, const zval *return_value);

/* The kind of such a call, before it, without its text. */
xhprof_operation_kind xhprof_operation_subject_kind(const xhprof_operation_function *function, zend_execute_data *call);

/* Of XHPROF_TEXT_MAY_ASK, after the call: whether the server was asked. */
bool xhprof_operation_subject_asked(const zval *return_value);

void xhprof_operation_subject_rshutdown(void);

#endif
