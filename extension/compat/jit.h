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

static inline const char *xhprof_compat_interrupt_refusal(void)
{
	xhprof_vm vm = xhprof_compat_vm();
	return xhprof_vm_interrupt_refusal(&vm);
}

static inline const char *xhprof_compat_stack_refusal(void)
{
	xhprof_vm vm = xhprof_compat_vm();
	return xhprof_vm_stack_refusal(&vm);
}

#endif
