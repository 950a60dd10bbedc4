/* Finds out which virtual machine and JIT run, and asks engine_faults.h. */
#ifndef XHPROF_COMPAT_JIT_H
#define XHPROF_COMPAT_JIT_H

#include "engine_faults.h"

#include "php_compat.h"

#include "zend_constants.h"
#include "zend_vm.h"

/* By the setting of now and that of the start, the worse one: neither says how code has been compiled that runs. */
static inline xhprof_jit_mode xhprof_compat_jit_mode(void)
{
	bool on = XHPROF_COMPAT_INI(long, "opcache.enable") &&
			  (strcmp(sapi_module.name, "cli") != 0 || XHPROF_COMPAT_INI(long, "opcache.enable_cli")) &&
			  XHPROF_COMPAT_INI(long, "opcache.jit_buffer_size");
	if (!on) {
		return XHPROF_JIT_OFF;
	}
	xhprof_jit_mode now = xhprof_jit_mode_of(XHPROF_COMPAT_INI(string, "opcache.jit"));
	xhprof_jit_mode first = xhprof_jit_mode_of(zend_ini_string("opcache.jit", strlen("opcache.jit"), 1));
	return now > first ? now : first;
}

static inline xhprof_vm xhprof_compat_vm(void)
{
	const zval *version = zend_get_constant_str("PHP_VERSION_ID", sizeof("PHP_VERSION_ID") - 1);
	return (xhprof_vm){(int)Z_LVAL_P(version), zend_vm_kind(), xhprof_compat_jit_mode()};
}

/* By opcache's own word, which it decides at its start: with extensions that replace the engine's handlers, or without
 * memory for code, it is off whatever the settings say (zend_jit_check_support() in ext/opcache/jit/zend_jit.c). True where it
 * does not say. */
static inline bool xhprof_compat_jit_is_there(void)
{
	zend_function *function =
		zend_hash_str_find_ptr(CG(function_table), "opcache_get_status", sizeof("opcache_get_status") - 1);
	const char *restricted = XHPROF_COMPAT_INI(string, "opcache.restrict_api");
	if (!function || function->type != ZEND_INTERNAL_FUNCTION || (restricted && *restricted) || EG(exception)) {
		return true;
	}
	zval no_scripts, status;
	ZVAL_FALSE(&no_scripts);
	ZVAL_UNDEF(&status);
	zend_call_known_function(function, NULL, NULL, &status, 1, &no_scripts, NULL);
	const zval *jit = Z_TYPE(status) == IS_ARRAY ? zend_hash_str_find(Z_ARRVAL(status), "jit", 3) : NULL;
	const zval *enabled = jit && Z_TYPE_P(jit) == IS_ARRAY ? zend_hash_str_find(Z_ARRVAL_P(jit), "enabled", 7) : NULL;
	bool is = enabled && Z_TYPE_P(enabled) == IS_TRUE;
	zval_ptr_dtor(&status);
	return is;
}

static inline const char *xhprof_compat_refusal(const char *(*refusal_of)(const xhprof_vm *vm))
{
	xhprof_vm vm = xhprof_compat_vm();
	const char *refusal = refusal_of(&vm);
	if (refusal && vm.jit != XHPROF_JIT_OFF && !xhprof_compat_jit_is_there()) {
		vm.jit = XHPROF_JIT_OFF;
		refusal = refusal_of(&vm);
	}
	return refusal;
}

static inline const char *xhprof_compat_interrupt_refusal(void)
{
	return xhprof_compat_refusal(xhprof_vm_interrupt_refusal);
}

static inline const char *xhprof_compat_stack_refusal(void)
{
	return xhprof_compat_refusal(xhprof_vm_stack_refusal);
}

#endif
