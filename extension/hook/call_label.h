/* xhprof.collect_additional_info: names with the subject of a call, such as "PDO::query#SELECT 1" or
 * "curl_exec#URL". */
#ifndef XHPROF_HOOK_CALL_LABEL_H
#define XHPROF_HOOK_CALL_LABEL_H

#include "php_xhprof.h"

/* XHPROF_SYMBOL_LABELLED if calls of this function get labels, else 0. */
uint32_t xhprof_call_label_flag(const zend_function *function, const zend_class_entry *scope);

/* The symbol of one call of a labelled function; `plain` if the arguments have no label. */
xhprof_symbol_ref xhprof_call_label_symbol(xhprof_tracer *tracer, zend_execute_data *call, xhprof_symbol_ref plain);

/* Gives back the memory that labels are built in. */
void xhprof_call_label_rshutdown(void);

#endif
