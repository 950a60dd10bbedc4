/* Effects of the engine's JIT on interrupts of the program. */
#ifndef XHPROF_COMPAT_JIT_H
#define XHPROF_COMPAT_JIT_H

#include "php_compat.h"

/* Parses opcache.jit: "function", or four digits, of which the second is the use of registers and the third the trigger
 * of compilation. Traces (5) keep track of registers themselves. */
static inline bool xhprof_compat_jit_loses_variables(const char *jit)
{
	if (!jit) {
		return false;
	}
	bool digits = strlen(jit) == 4 && strspn(jit, "0123456789") == 4;
	return digits ? jit[0] != '0' && jit[1] >= '2' && jit[2] != '5' : strcasecmp(jit, "function") == 0;
}

/* If the JIT keeps variables in registers throughout a function, an interrupt of the engine in a loop loses them (seen
 * in 8.2.35 and 8.4.24, as well with pcntl_async_signals() and without any extension): the program would go wrong. NULL
 * if it can be interrupted. */
static inline const char *xhprof_compat_interrupt_refusal(void)
{
	bool on = XHPROF_COMPAT_INI(long, "opcache.enable") &&
			  (strcmp(sapi_module.name, "cli") != 0 || XHPROF_COMPAT_INI(long, "opcache.enable_cli")) &&
			  XHPROF_COMPAT_INI(long, "opcache.jit_buffer_size");
	if (on && (xhprof_compat_jit_loses_variables(XHPROF_COMPAT_INI(string, "opcache.jit")) ||
			   xhprof_compat_jit_loses_variables(zend_ini_string("opcache.jit", strlen("opcache.jit"), 1)))) {
		return "PHP's JIT loses variables where it is interrupted, unless opcache.jit is \"tracing\" or off";
	}
	return NULL;
}

#endif
