#include "operation_curl.h"

#include "zend_exceptions.h"

/* Returns whether a value is a curl handle: curl_getinfo() throws for anything else. The class is final, and only curl
 * makes its objects. */
static bool is_curl_handle(const zval *handle)
{
	return handle && Z_TYPE_P(handle) == IS_OBJECT && Z_OBJCE_P(handle)->type == ZEND_INTERNAL_CLASS &&
		   zend_string_equals_literal(Z_OBJCE_P(handle)->name, "CurlHandle");
}

/* Calls curl_getinfo(), because only curl knows the URL of a curl handle. */
bool xhprof_operation_curl_info(zend_execute_data *call, const zval *handle, const char *constant, size_t length,
								zval *result)
{
	ZVAL_NULL(result);
	zend_function *getinfo = zend_hash_str_find_ptr(CG(function_table), "curl_getinfo", sizeof("curl_getinfo") - 1);
	zval *option = zend_get_constant_str(constant, length);
	if (!is_curl_handle(handle) || !getinfo || getinfo->type != ZEND_INTERNAL_FUNCTION || !option || EG(exception)) {
		return false;
	}
	/* Calls the handler directly: the engine's own way of calling also runs signal handlers and timeouts. */
	zend_execute_data *current = EG(current_execute_data);
	zend_execute_data *frame = zend_vm_stack_push_call_frame(ZEND_CALL_NESTED_FUNCTION, getinfo, 2, NULL);
	ZVAL_COPY(ZEND_CALL_ARG(frame, 1), handle);
	ZVAL_COPY(ZEND_CALL_ARG(frame, 2), option);
	frame->prev_execute_data = call;
	EG(current_execute_data) = frame;
	getinfo->internal_function.handler(frame, result);
	EG(current_execute_data) = current;
	zend_vm_stack_free_args(frame);
	zend_vm_stack_free_call_frame(frame);
	if (EG(exception)) {
		zend_clear_exception(); /* curl_getinfo() throws none that is known */
	}
	if (Z_TYPE_P(result) != IS_STRING) {
		zval_ptr_dtor(result);
		return false;
	}
	return true;
}
