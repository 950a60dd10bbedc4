#include "worker_callback.h"

#include "open_span.h"
#include "span.h"
#include "worker_request.h"

#include "zend_closures.h"
#include "zend_exceptions.h"
#include "zend_interfaces.h"

enum { CALLBACK, ARGUMENT, SPAN }; /* properties of the object that a closure has as $this */

static zend_class_entry *holder_class; /* written in MINIT */

const char *xhprof_worker_callback_ended_by(void)
{
	const zend_object *exception = EG(exception);
	if (!exception) {
		return NULL;
	}
	if (zend_is_unwind_exit(exception)) { /* the engine ends what a fatal error has left open by the same */
		return CG(unclean_shutdown) ? "shutdown" : "exit";
	}
	return zend_is_graceful_exit(exception) ? "fiber" : "exception";
}

static uint64_t begin(uint32_t argument, uint32_t count, const zval *given)
{
	if (!argument) {
		return xhprof_worker_request_begin(NULL);
	}
	bool is_request = argument <= count && Z_TYPE(given[argument - 1]) == IS_OBJECT;
	return is_request ? xhprof_worker_request_begin(Z_OBJ(given[argument - 1])) : 0;
}

static PHP_METHOD(XHProfWorkerCallback, __invoke)
{
	const zend_object *holder = Z_OBJ_P(ZEND_THIS);
	zval callback, *given = ZEND_CALL_ARG(execute_data, 1);
	uint32_t count = ZEND_NUM_ARGS();
	bool named = ZEND_CALL_INFO(execute_data) & ZEND_CALL_HAS_EXTRA_NAMED_PARAMS;
	ZVAL_COPY(&callback, OBJ_PROP_NUM(holder, CALLBACK));
	uint64_t carried = (uint64_t)Z_LVAL_P(OBJ_PROP_NUM(holder, SPAN));
	uint64_t span = carried ? 0 : begin((uint32_t)Z_LVAL_P(OBJ_PROP_NUM(holder, ARGUMENT)), count, given);
	if (carried) {
		xhprof_span_enter(carried);
	}
	zend_fcall_info call = {
		.size = sizeof(call),
		.retval = return_value,
		.params = given,
		.param_count = count,
		.named_params = named ? execute_data->extra_named_params : NULL,
	};
	ZVAL_COPY_VALUE(&call.function_name, &callback);
	zend_call_function(&call, NULL);
	if (Z_ISUNDEF_P(return_value)) {
		ZVAL_NULL(return_value);
	}
	if (carried) {
		xhprof_span_leave(carried);
	}
	xhprof_worker_request_end(span, xhprof_worker_callback_ended_by());
	zval_ptr_dtor(&callback);
}

static PHP_METHOD(XHProfWorkerCallback, __construct)
{
}

ZEND_BEGIN_ARG_INFO_EX(arguments_any, 0, 0, 0)
ZEND_ARG_VARIADIC_INFO(0, arguments)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_INFO_EX(arguments_none, 0, 0, 0)
ZEND_END_ARG_INFO()

/* clang-format off */
static const zend_function_entry methods[] = {
	PHP_ME(XHProfWorkerCallback, __construct, arguments_none, ZEND_ACC_PRIVATE)
	PHP_ME(XHProfWorkerCallback, __invoke, arguments_any, ZEND_ACC_PUBLIC)
	PHP_FE_END
};
/* clang-format on */

void xhprof_worker_callback_minit(void)
{
	zend_class_entry class;
	INIT_CLASS_ENTRY(class, "XHProfWorkerCallback", methods);
	holder_class = zend_register_internal_class(&class);
	holder_class->ce_flags |= ZEND_ACC_FINAL | ZEND_ACC_NO_DYNAMIC_PROPERTIES | ZEND_ACC_NOT_SERIALIZABLE;
	zend_declare_property_null(holder_class, ZEND_STRL("callback"), ZEND_ACC_PRIVATE);
	zend_declare_property_long(holder_class, ZEND_STRL("argument"), 0, ZEND_ACC_PRIVATE);
	zend_declare_property_long(holder_class, ZEND_STRL("span"), 0, ZEND_ACC_PRIVATE);
}

static const zend_function *own_method(void)
{
	return zend_hash_str_find_ptr(&holder_class->function_table, ZEND_STRL("__invoke"));
}

/* Returns whether loading a class is what it takes to know that this can be called: that runs code of the program. */
static bool needs_class(const zval *callback)
{
	const zend_string *name = NULL;
	size_t length = 0;
	if (Z_TYPE_P(callback) == IS_ARRAY) {
		const zval *class = zend_hash_index_find_deref(Z_ARRVAL_P(callback), 0);
		name = class && Z_TYPE_P(class) == IS_STRING ? Z_STR_P(class) : NULL;
		length = name ? ZSTR_LEN(name) : 0;
	} else if (Z_TYPE_P(callback) == IS_STRING) {
		const char *colons = strstr(Z_STRVAL_P(callback), "::");
		name = colons ? Z_STR_P(callback) : NULL;
		length = colons ? (size_t)(colons - Z_STRVAL_P(callback)) : 0;
	}
	if (!name) {
		return false;
	}
	zend_string *class = zend_string_init(ZSTR_VAL(name), length, false);
	bool loaded = zend_lookup_class_ex(class, NULL, ZEND_FETCH_CLASS_NO_AUTOLOAD);
	zend_string_release(class);
	return !loaded;
}

/* Returns whether a closure is already one of ours. */
static bool is_own(const zval *callback)
{
	if (Z_TYPE_P(callback) != IS_OBJECT || Z_OBJCE_P(callback) != zend_ce_closure) {
		return false;
	}
	const zend_function *function = zend_get_closure_method_def(Z_OBJ_P(callback));
	return function->type == ZEND_INTERNAL_FUNCTION &&
		   function->internal_function.handler == zim_XHProfWorkerCallback___invoke;
}

/* Puts at `to` what can be called in place of a callback from anywhere: a method may be private, or need the class or object
 * of the code that gives it. Returns whether it can be called from a call of the function it is given to. */
static bool take_callable(zval *to, zval *callback, zend_execute_data *call)
{
	zend_fcall_info_cache cache;
	while (call && (!call->func || !ZEND_USER_CODE(call->func->type))) {
		call = call->prev_execute_data;
	}
	if (is_own(callback) || needs_class(callback) ||
		!zend_is_callable_at_frame(callback, NULL, call, IS_CALLABLE_SUPPRESS_DEPRECATIONS, &cache, NULL)) {
		return false;
	}
	zend_function *function = cache.function_handler;
	bool is_method = Z_TYPE_P(callback) != IS_OBJECT && function->common.scope &&
					 !(function->common.fn_flags & ZEND_ACC_CALL_VIA_TRAMPOLINE);
	if (is_method) {
		xhprof_compat_fake_closure(to, function, function->common.scope, cache.called_scope, cache.object);
	} else {
		ZVAL_COPY(to, callback);
	}
	zend_release_fcall_info_cache(&cache);
	return true;
}

/* Replaces a callback, with these properties. */
static void replace(zval *callback, zend_execute_data *call, uint32_t argument, uint64_t span)
{
	zval holder, closure, callable;
	if (!take_callable(&callable, callback, call)) {
		return;
	}
	if (object_init_ex(&holder, holder_class) != SUCCESS) {
		zval_ptr_dtor(&callable);
		return;
	}
	zval_ptr_dtor(callback);
	ZVAL_COPY_VALUE(OBJ_PROP_NUM(Z_OBJ(holder), CALLBACK), &callable);
	ZVAL_LONG(OBJ_PROP_NUM(Z_OBJ(holder), ARGUMENT), argument);
	ZVAL_LONG(OBJ_PROP_NUM(Z_OBJ(holder), SPAN), (zend_long)span);
	xhprof_compat_fake_closure(&closure, (zend_function *)own_method(), holder_class, holder_class, Z_OBJ(holder));
	zval_ptr_dtor(&holder); /* the closure has it */
	ZVAL_COPY_VALUE(callback, &closure);
}

void xhprof_worker_callback_wrap(zval *callback, zend_execute_data *call, uint32_t argument)
{
	replace(callback, call, argument, 0);
}

void xhprof_worker_callback_carry(zval *callback, zend_execute_data *call)
{
	uint64_t span = xhprof_open_span_here();
	if (span) {
		replace(callback, call, 0, span);
	}
}
