/* Differences between PHP 8.2 and 8.6. Together with this folder's other headers the only place with
 * PHP_VERSION_ID. */
#ifndef XHPROF_COMPAT_H
#define XHPROF_COMPAT_H

#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include "SAPI.h"
#include "php.h"
#include "zend_closures.h"
#include "zend_extensions.h"
#include "zend_ini.h"
#include "zend_observer.h"

#if PHP_VERSION_ID < 80200
#error "XHProf needs PHP 8.2 or newer"
#endif

/* The first in a PHP since that version, the second before; the other one need not make sense. Braces with commas take
 * parentheses. */
#if PHP_VERSION_ID >= 80300
#define XHPROF_SINCE_83(since, before) since
#else
#define XHPROF_SINCE_83(since, before) before
#endif
#if PHP_VERSION_ID >= 80400
#define XHPROF_SINCE_84(since, before) since
#else
#define XHPROF_SINCE_84(since, before) before
#endif
#if PHP_VERSION_ID >= 80500
#define XHPROF_SINCE_85(since, before) since
#else
#define XHPROF_SINCE_85(since, before) before
#endif
#if PHP_VERSION_ID >= 80600
#define XHPROF_SINCE_86(since, before) since
#else
#define XHPROF_SINCE_86(since, before) before
#endif

/* A setting's value now, read by zend_ini_long() or zend_ini_string(). 8.6 has no INI_INT() and the like, and its macros for
 * literals are not in 8.2 (Zend/zend_ini.h). */
#define XHPROF_COMPAT_INI(kind, name) zend_ini_##kind((name), strlen(name), 0)

/* The setting error_log, or NULL. A zend_string since 8.6 (main/php_globals.h). */
static inline const char *xhprof_compat_error_log(void)
{
	return XHPROF_SINCE_86(PG(error_log) ? ZSTR_VAL(PG(error_log)) : NULL, PG(error_log));
}

/* Makes a closure of a function, as PHP's first-class callables are. `object`: its $this, of which the closure holds a reference;
 * or NULL. A zend_object since 8.6 (Zend/zend_closures.h). */
static inline void xhprof_compat_fake_closure(zval *closure, zend_function *function, zend_class_entry *scope,
											  zend_class_entry *called_scope, zend_object *object)
{
	zval holder;
	ZVAL_UNDEF(&holder);
	if (object) {
		ZVAL_OBJ(&holder, object);
	}
	zend_create_fake_closure(closure, function, scope, called_scope, XHPROF_SINCE_86(object, &holder));
}

/* One word per function for us, in its run-time cache: zeroed for every request, freed with the function. Since 8.4
 * internal functions count their words separately. Reserve in MINIT only. */
typedef struct xhprof_function_slots {
	int user;
	int internal;
} xhprof_function_slots;

/* Reserves words until there are as many for internal functions as for user functions. The JIT looks for the handlers of
 * some user functions where those of internal ones are (php-src#22158, NEWS of 8.4.23; seen in 8.5.7), and crashes where
 * the places differ: where an extension has reserved words of one kind only. One that is loaded later still can. */
static inline void xhprof_compat_align_slots(void)
{
#if PHP_VERSION_ID >= 80400
	int internal = (int)(zend_internal_run_time_cache_reserved_size() / sizeof(void *));
	int user = zend_op_array_extension_handles;
	if (internal < user) {
		zend_get_internal_function_extension_handles("xhprof", user - internal);
	} else if (user < internal) {
		zend_get_op_array_extension_handles("xhprof", internal - user);
	}
#endif
}

static inline xhprof_function_slots xhprof_compat_reserve_slots(void)
{
	xhprof_function_slots slots;
	xhprof_compat_align_slots();
	slots.user = zend_get_op_array_extension_handle("xhprof");
	slots.internal = XHPROF_SINCE_84(zend_get_internal_function_extension_handle("xhprof"), slots.user);
	return slots;
}

static zend_always_inline uint64_t *xhprof_compat_slot(const xhprof_function_slots *slots,
													   const zend_function *function)
{
	void **cache = ZEND_MAP_PTR_GET(function->common.run_time_cache);
	bool internal = XHPROF_SINCE_84(function->type == ZEND_INTERNAL_FUNCTION, false);
	return (uint64_t *)&cache[internal ? slots->internal : slots->user];
}

/* The same for the user function that runs in a frame, which points to its cache. */
static zend_always_inline uint64_t *xhprof_compat_user_slot(const xhprof_function_slots *slots,
															const zend_execute_data *call)
{
	return (uint64_t *)&call->run_time_cache[slots->user];
}

/* The engine's offset, in a function's run-time cache, of the handlers of its observers: a number for the whole
 * process, or two. */
typedef struct xhprof_observer_handle {
	int user;
	int internal;
} xhprof_observer_handle;

static zend_always_inline xhprof_observer_handle xhprof_compat_observer_handle(void)
{
	int user = zend_observer_fcall_op_array_extension;
	return (xhprof_observer_handle){user, XHPROF_SINCE_84(zend_observer_fcall_internal_function_extension, user)};
}

static inline void xhprof_compat_switch_observers(xhprof_observer_handle handle)
{
	zend_observer_fcall_op_array_extension = handle.user;
#if PHP_VERSION_ID >= 80400
	zend_observer_fcall_internal_function_extension = handle.internal;
#endif
	zend_observer_activate(); /* frames that were observed through another handle end unobserved */
}

/* Reserves another such place, for as many observers as one. In MINIT only. */
static inline xhprof_observer_handle xhprof_compat_reserve_observer_handle(void)
{
	xhprof_observer_handle handle;
	handle.user = zend_get_op_array_extension_handles("xhprof", 2);
	handle.internal = XHPROF_SINCE_84(zend_get_internal_function_extension_handles("xhprof", 2), handle.user);
	return handle;
}

/* The number of observers. At the first request, while the engine's own handle is the current one: only then all
 * observers have their places, two words each, and these are the last ones. */
static inline size_t xhprof_compat_observer_count(void)
{
	size_t words = zend_internal_run_time_cache_reserved_size() / sizeof(void *);
	return (words - (size_t)xhprof_compat_observer_handle().internal) / 2;
}

/* Why the handle must not be switched at run time, or NULL if it may. At the first request as well. */
static inline const char *xhprof_compat_switch_refusal(size_t observers)
{
#ifdef ZTS
	return "the handle belongs to all threads";
#elif PHP_VERSION_ID >= 80300 && PHP_VERSION_ID < 80400
	return "not proved on PHP 8.3";
#else
	if (observers != 1) {
		return "another extension observes calls";
	}
#if PHP_VERSION_ID >= 80400
	/* The JIT of 8.4 compiles the handle into its code. "disable" is the one setting that stays for the process. */
	const char *jit = XHPROF_COMPAT_INI(string, "opcache.jit");
	bool opcache_on = XHPROF_COMPAT_INI(long, "opcache.enable") &&
					  (strcmp(sapi_module.name, "cli") != 0 || XHPROF_COMPAT_INI(long, "opcache.enable_cli"));
	if (opcache_on && XHPROF_COMPAT_INI(long, "opcache.jit_buffer_size") && jit && strcmp(jit, "disable") != 0) {
		return "the JIT compiles the handle in";
	}
#endif
	return NULL;
#endif
}

/* Writes the answer of the observers into a run-time cache: these handlers, or none. */
static inline void xhprof_compat_set_handlers(void **cache, int handle, size_t observers,
											  zend_observer_fcall_begin_handler begin,
											  zend_observer_fcall_end_handler end)
{
	void *not_observed = (void *)2; /* ZEND_OBSERVER_NOT_OBSERVED, which is in no header */
	void *none = XHPROF_SINCE_84(ZEND_OBSERVER_NONE_OBSERVED, not_observed);
	cache[handle] = begin ? (void *)begin : none;
	cache[(size_t)handle + observers] = end ? (void *)end : not_observed;
}

/* The engine's list of begin handlers of a function that has been called in this request; NULL for any other. */
static inline void **xhprof_compat_observer_handlers(const zend_function *function)
{
	if (!ZEND_MAP_PTR(function->common.run_time_cache) || !ZEND_MAP_PTR_GET(function->common.run_time_cache)) {
		return NULL;
	}
	return XHPROF_SINCE_84((void **)ZEND_OBSERVER_DATA(function),
						   &ZEND_OP_ARRAY_EXTENSION(&function->common, zend_observer_fcall_op_array_extension));
}

/* Takes our handlers off a called function, if they are there. */
static inline void xhprof_compat_unobserve(zend_function *function, zend_observer_fcall_begin_handler begin,
										   zend_observer_fcall_end_handler end)
{
	void **handlers = xhprof_compat_observer_handlers(function);
	if (!handlers || !*handlers) {
		return;
	}
#if PHP_VERSION_ID >= 80400
	zend_observer_fcall_begin_handler next_begin;
	zend_observer_fcall_end_handler next_end;
	zend_observer_remove_begin_handler(function, begin, &next_begin);
	zend_observer_remove_end_handler(function, end, &next_end);
#else
	zend_observer_remove_begin_handler(function, begin);
	zend_observer_remove_end_handler(function, end);
#endif
}

/*
 * Whether the engine may observe a function without harm. It keeps the previous observed frame in the frame itself,
 * behind the arguments (prev_observed_frame in Zend/zend_observer.c). Two kinds of internal functions lose it, and the program
 * crashes at its end:
 * - one without a temporary: dl() loaded it, before php-src#17211 was fixed. Its last argument is overwritten, too.
 * - IntlBreakIterator::next(null) sets its own number of arguments to 0 (ext/intl/breakiterator/breakiterator_methods.cpp), so
 *   the engine reads another place than it wrote.
 */
static inline bool xhprof_compat_observable(const zend_function *function)
{
	if (function->type != ZEND_INTERNAL_FUNCTION) {
		return true;
	}
	const zend_class_entry *scope = function->common.scope;
	return function->common.T > 0 && !(scope && zend_string_equals_literal(function->common.function_name, "next") &&
									   zend_string_equals_literal(scope->name, "IntlBreakIterator"));
}

/* Adds our handlers to a function whose first call was not profiled, when the engine stored the answer not to observe
 * it. A function not called yet is left alone: the engine will ask. */
static inline void xhprof_compat_observe_late(zend_function *function, zend_observer_fcall_begin_handler begin,
											  zend_observer_fcall_end_handler end)
{
	void **handlers = xhprof_compat_observer_handlers(function);
	if (!handlers || !*handlers || *handlers == (void *)begin) {
		return;
	}
	/* Another observer may have the first place: take ours out before adding, there is one place per observer. */
	xhprof_compat_unobserve(function, begin, end);
	zend_observer_add_begin_handler(function, begin);
	zend_observer_add_end_handler(function, end);
}

/* Calls visit(function, context) for the property hooks of a class (8.4). */
static inline void xhprof_compat_each_property_hook(zend_class_entry *class_entry,
													void (*visit)(zend_function *, void *), void *context)
{
#if PHP_VERSION_ID >= 80400
	zend_property_info *property;
	ZEND_HASH_MAP_FOREACH_PTR(&class_entry->properties_info, property) {
		if (property->ce == class_entry && property->hooks) {
			for (uint32_t i = 0; i < ZEND_PROPERTY_HOOK_COUNT; i++) {
				if (property->hooks[i]) {
					visit(property->hooks[i], context);
				}
			}
		}
	}
	ZEND_HASH_FOREACH_END();
#endif
}

#endif
