/* Structures of functions, classes and the engine's lists that are read in place, perhaps in another process, and that
 * differ from 8.2 to 8.6. Nothing here calls the engine: it only computes. */
#ifndef XHPROF_COMPAT_CODE_LAYOUT_H
#define XHPROF_COMPAT_CODE_LAYOUT_H

#include "php_compat.h"

#include "SAPI.h"
#include "ext/standard/basic_functions.h"
#include "ext/standard/file.h"
#include "php_output.h"

/* Since 8.4 every function may have one, and internal classes too. */
static inline const zend_string *xhprof_layout_function_comment(const zend_function *function)
{
	return XHPROF_SINCE_84(function->common.doc_comment,
						   ZEND_USER_CODE(function->type) ? function->op_array.doc_comment : NULL);
}

static inline const zend_string *xhprof_layout_class_comment(const zend_class_entry *class_entry)
{
	return XHPROF_SINCE_84(class_entry->doc_comment,
						   class_entry->type == ZEND_USER_CLASS ? class_entry->info.user.doc_comment : NULL);
}

/* The comment of a function's argument, which has one since 8.6 (zend_arg_info in Zend/zend_compile.h), or NULL. */
static inline const zend_string *xhprof_layout_argument_comment(const zend_arg_info *info)
{
	return XHPROF_SINCE_86(info->doc_comment, NULL);
}

/* Whether a closure points to its declaration's first static variables without holding them: since 8.5 it only holds its own
 * copy of them (zend_create_closure_ex() of Zend/zend_closures.c; their count is 1 in 8.5.7). */
#define XHPROF_LAYOUT_CLOSURE_BORROWS_STATICS XHPROF_SINCE_85(true, false)

/* Where in a node of a constant expression the address of a closure's function is (8.5; zend_ast_op_array of Zend/zend_ast.h).
 * 0: the node has none. */
static inline size_t xhprof_layout_closure_node(zend_ast_kind kind)
{
	return XHPROF_SINCE_85(kind == ZEND_AST_OP_ARRAY ? offsetof(zend_ast_op_array, op_array) : 0, 0);
}

/* Functions of a property's hooks: how many there may be, and the address of the array of pointers to them. */
#define XHPROF_LAYOUT_HOOKS XHPROF_SINCE_84(ZEND_PROPERTY_HOOK_COUNT, 0)

static inline const void *xhprof_layout_hooks(const zend_property_info *info)
{
	return XHPROF_SINCE_84(info->hooks, NULL);
}

/* The type of a class constant, or NULL. */
static inline const zend_type *xhprof_layout_constant_type(const zend_class_constant *constant)
{
	return XHPROF_SINCE_83(&constant->type, NULL);
}

/* The Closure being called, which may be stored beside the object it is bound to. */
static inline const void *xhprof_layout_callable_closure(const zend_fcall_info_cache *cache)
{
	return XHPROF_SINCE_83(cache->closure, NULL);
}

/* The headers of the script's last HTTP response, or NULL. */
static inline const zval *xhprof_layout_http_headers(const php_basic_globals *globals)
{
	return XHPROF_SINCE_84(&globals->last_http_headers, NULL);
}

/* The message of a failed allocation, not yet reported; see fallible.h. */
static inline const zend_string *xhprof_layout_pending_message(const zend_executor_globals *globals)
{
#ifdef femalloc
	return globals->delayed_oom.message;
#else
	return NULL;
#endif
}

/* spl_autoload_register()'s record of a function: of ext/spl/php_spl.c; since 8.6 a zend_fcall_info_cache, in
 * Zend/zend_autoload.c. */
typedef struct xhprof_layout_autoload {
	zend_function *function;
#if PHP_VERSION_ID >= 80600
	zend_class_entry *calling_scope;
	zend_class_entry *scope;
	zend_object *object;
	zend_object *closure;
#else
	zend_object *object;
	zend_object *closure;
	zend_class_entry *scope;
#endif
} xhprof_layout_autoload;

/* Of ext/standard/basic_functions.c: register_tick_function()'s record. */
typedef struct xhprof_layout_tick {
#if PHP_VERSION_ID >= 80500
	zend_fcall_info_cache cache;
	zval *params;
	uint32_t param_count;
#else
	zend_fcall_info info;
	zend_fcall_info_cache cache;
#endif
	bool calling;
} xhprof_layout_tick;

/* A function that the engine will call, and its arguments. The callable holds what it consists of, and the resolution
 * nothing. Without a callable, NULL, the resolution itself holds the object, the closure and a trampoline. */
typedef struct xhprof_layout_call {
	const zval *callable;
	const zend_fcall_info_cache *resolution; /* NULL if it is not reported, beside a callable */
	const zval *params;
	uint32_t param_count;
	const zend_array *named_params;
} xhprof_layout_call;

#if PHP_VERSION_ID < 80600
static inline xhprof_layout_call xhprof_layout_info_call(const zval *callable, const zend_fcall_info *info,
														 const zend_fcall_info_cache *resolution)
{
	return (xhprof_layout_call){callable, resolution, info->params, info->param_count, info->named_params};
}
#endif

static inline xhprof_layout_call xhprof_layout_shutdown_call(const php_shutdown_function_entry *entry)
{
	return XHPROF_SINCE_85(((xhprof_layout_call){NULL, &entry->fci_cache, entry->params, entry->param_count, NULL}),
						   xhprof_layout_info_call(&entry->fci.function_name, &entry->fci, &entry->fci_cache));
}

static inline xhprof_layout_call xhprof_layout_tick_call(const xhprof_layout_tick *entry)
{
	return XHPROF_SINCE_85(((xhprof_layout_call){NULL, &entry->cache, entry->params, entry->param_count, NULL}),
						   xhprof_layout_info_call(&entry->info.function_name, &entry->info, &entry->cache));
}

/* Of main/php_output.h: the record of an output handler written in PHP, and its address. */
typedef XHPROF_SINCE_86(zend_fcall_info_cache, php_output_handler_user_func_t) xhprof_layout_output;

static inline const xhprof_layout_output *xhprof_layout_output_of(const php_output_handler *handler)
{
	return XHPROF_SINCE_86(handler->func.user_fcc, handler->func.user);
}

static inline xhprof_layout_call xhprof_layout_output_call(const xhprof_layout_output *entry)
{
	return XHPROF_SINCE_86(((xhprof_layout_call){NULL, entry, NULL, 0, NULL}),
						   xhprof_layout_info_call(&entry->zoh, &entry->fci, &entry->fcc));
}

/* The name of the user whose request it is, in one of two forms: the other is NULL. A zend_string since 8.6 (main/SAPI.h). */
static inline const zend_string *xhprof_layout_user_string(const sapi_request_info *request)
{
	return XHPROF_SINCE_86(request->current_user, NULL);
}

static inline const char *xhprof_layout_user_text(const sapi_request_info *request)
{
	return XHPROF_SINCE_86(NULL, request->current_user);
}

/* header_register_callback()'s function, of main/SAPI.h. */
static inline xhprof_layout_call xhprof_layout_header_call(const sapi_globals_struct *globals)
{
	return XHPROF_SINCE_86(((xhprof_layout_call){NULL, &globals->send_header_fcc, NULL, 0, NULL}),
						   ((xhprof_layout_call){&globals->callback_func, NULL, NULL, 0, NULL}));
}

/* Errors of stream wrappers that are not reported yet, of ext/standard/file.h. */
static inline const HashTable *xhprof_layout_wrapper_errors(const php_file_globals *globals)
{
	return XHPROF_SINCE_86(globals->wrapper_logged_errors, globals->wrapper_errors);
}

/* Errors of streams that the program may still ask for, since 8.6 (main/streams/php_stream_errors.h): operations, each with
 * its errors. */
typedef struct xhprof_layout_stream_error {
	zend_string *message;
	int code;
	char *wrapper, *function;
	int severity;
	bool terminating;
	struct xhprof_layout_stream_error *next;
} xhprof_layout_stream_error;

typedef struct xhprof_layout_stream_errors {
	xhprof_layout_stream_error *first;
	uint32_t count;
	struct xhprof_layout_stream_errors *next;
} xhprof_layout_stream_errors;

/* The address of the first operation, or NULL. */
static inline const void *xhprof_layout_stored_stream_errors(const php_file_globals *globals)
{
#if PHP_VERSION_ID >= 80600
	_Static_assert(sizeof(xhprof_layout_stream_error) == sizeof(php_stream_error_entry) &&
					   offsetof(xhprof_layout_stream_error, next) == offsetof(php_stream_error_entry, next) &&
					   sizeof(xhprof_layout_stream_errors) == sizeof(php_stream_stored_error),
				   "errors of streams");
	return globals->stream_error_state.stored_errors;
#else
	return NULL;
#endif
}

/* Of ext/standard/basic_functions.c: putenv()'s record, and of user_filters.c: stream_filter_register()'s. */
typedef struct xhprof_layout_putenv {
	char *setting;
	char *previous;
	zend_string *key;
} xhprof_layout_putenv;

typedef struct xhprof_layout_user_filter {
	zend_class_entry *class_entry;
	zend_string *class_name;
} xhprof_layout_user_filter;

#endif
