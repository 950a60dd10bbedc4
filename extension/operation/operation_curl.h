/* Facts that curl knows of a handle. */
#ifndef XHPROF_OPERATION_CURL_H
#define XHPROF_OPERATION_CURL_H

#include "php_xhprof.h"

/* Calls curl_getinfo() for a handle, by the name of a constant of curl. The result is a string, which the caller
 * releases. False, and no result, if curl does not know it, or while an exception is on its way. */
bool xhprof_operation_curl_info(zend_execute_data *call, const zval *handle, const char *constant, size_t length,
								zval *result);

#endif
