/* Structures of functions, classes and the engine's lists that are read in place, perhaps in another process, and that
 * differ from 8.2 to 8.4. Nothing here calls the engine: it only computes. */
#ifndef XHPROF_COMPAT_CODE_LAYOUT_H
#define XHPROF_COMPAT_CODE_LAYOUT_H

#include "php_compat.h"

#include "ext/standard/basic_functions.h"

/* Since 8.4 every function may have one, and internal classes too. */
static inline const zend_string *xhprof_layout_function_comment(const zend_internal_function *function)
{
#if PHP_VERSION_ID >= 80400
	return function->doc_comment;
#else
	(void)function;
	return NULL;
#endif
}

static inline const zend_string *xhprof_layout_class_comment(const zend_class_entry *class_entry)
{
#if PHP_VERSION_ID >= 80400
	return class_entry->doc_comment;
#else
	return class_entry->type == ZEND_USER_CLASS ? class_entry->info.user.doc_comment : NULL;
#endif
}

/* Functions of a property's hooks: how many there may be, and the address of the array of pointers to them. */
#if PHP_VERSION_ID >= 80400
#define XHPROF_LAYOUT_HOOKS ZEND_PROPERTY_HOOK_COUNT
#else
#define XHPROF_LAYOUT_HOOKS 0
#endif

static inline const void *xhprof_layout_hooks(const zend_property_info *info)
{
#if PHP_VERSION_ID >= 80400
	return info->hooks;
#else
	(void)info;
	return NULL;
#endif
}

/* The type of a class constant, or NULL. */
static inline const zend_type *xhprof_layout_constant_type(const zend_class_constant *constant)
{
#if PHP_VERSION_ID >= 80300
	return &constant->type;
#else
	(void)constant;
	return NULL;
#endif
}

/* The Closure being called, which may be stored beside the object it is bound to. */
static inline const void *xhprof_layout_callable_closure(const zend_fcall_info_cache *cache)
{
#if PHP_VERSION_ID >= 80300
	return cache->closure;
#else
	(void)cache;
	return NULL;
#endif
}

/* The headers of the script's last HTTP response, or NULL. */
static inline const zval *xhprof_layout_http_headers(const php_basic_globals *globals)
{
#if PHP_VERSION_ID >= 80400
	return &globals->last_http_headers;
#else
	(void)globals;
	return NULL;
#endif
}

/* The message of a failed allocation, not yet reported; see fallible.h. */
static inline const zend_string *xhprof_layout_pending_message(const zend_executor_globals *globals)
{
#ifdef femalloc
	return globals->delayed_oom.message;
#else
	(void)globals;
	return NULL;
#endif
}

/* Of ext/spl/php_spl.c: spl_autoload_register()'s record of a function. */
typedef struct xhprof_layout_autoload {
	zend_function *function;
	zend_object *object;
	zend_object *closure;
	zend_class_entry *scope;
} xhprof_layout_autoload;

/* Of ext/standard/basic_functions.c: register_tick_function()'s record. */
typedef struct xhprof_layout_tick {
	zend_fcall_info info;
	zend_fcall_info_cache cache;
	bool calling;
} xhprof_layout_tick;

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
