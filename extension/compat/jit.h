/* When the engine may be interrupted, and when allocations may read its stack: what is known of its virtual machine and
 * its JIT, by the version that runs, which may be another patch release than the one that the module was built with.
 *
 * Dates and numbers of patch releases are those of the NEWS files of 8.2.36, 8.4.28, 8.5.7 and 8.6.0RC3. 8.4 and 8.5 are
 * released on the same days: 8.4.22 with 8.5.7, so 8.4.28 with 8.5.13. */
#ifndef XHPROF_COMPAT_JIT_H
#define XHPROF_COMPAT_JIT_H

#include "php.h"
#include "SAPI.h"
#include "zend_vm.h"

typedef enum xhprof_jit_mode {
	XHPROF_JIT_OFF,
	XHPROF_JIT_PLAIN,     /* compiles functions; variables stay in memory */
	XHPROF_JIT_REGISTERS, /* compiles functions; variables are in registers */
	XHPROF_JIT_TRACING,
} xhprof_jit_mode;

/* The engine that runs. */
typedef struct xhprof_engine {
	int version; /* as PHP_VERSION_ID */
	int vm_kind; /* ZEND_VM_KIND_* */
	xhprof_jit_mode jit;
} xhprof_engine;

#define XHPROF_VM_TAILCALL 5 /* ZEND_VM_KIND_TAILCALL of 8.5 */

/* Parses opcache.jit: a word, or four digits, of which the second is the use of registers and the third the trigger of
 * compilation (zend_jit_config in ext/opcache/jit/zend_jit.c). */
static inline xhprof_jit_mode xhprof_jit_mode_of(const char *jit)
{
	if (!jit || !*jit) {
		return XHPROF_JIT_OFF;
	}
	if (strlen(jit) == 4 && strspn(jit, "0123456789") == 4) {
		return jit[0] == '0'   ? XHPROF_JIT_OFF
			   : jit[2] == '5' ? XHPROF_JIT_TRACING
			   : jit[1] >= '2' ? XHPROF_JIT_REGISTERS
							   : XHPROF_JIT_PLAIN;
	}
	static const char *const off[] = {"0", "disable", "off", "no", "false"};
	for (size_t i = 0; i < sizeof(off) / sizeof(*off); i++) {
		if (strcasecmp(jit, off[i]) == 0) {
			return XHPROF_JIT_OFF;
		}
	}
	return strcasecmp(jit, "function") == 0 ? XHPROF_JIT_REGISTERS : XHPROF_JIT_TRACING;
}

/* Whether this version is one of a minor version (804: 8.4) before a patch release. */
static inline bool xhprof_engine_before(const xhprof_engine *engine, int minor, int patch)
{
	return engine->version / 100 == minor && engine->version % 100 < patch;
}

/* Why this engine must not be interrupted, or NULL. */
static inline const char *xhprof_engine_interrupt_refusal(const xhprof_engine *engine)
{
	/* Crashes in a helper of the VM (php-src#21922, 8.5.7) and after a loop (#22265, after 8.5.7); hangs where the flag is
	 * raised once more in the meantime (NEWS of 8.4.28, which names this VM). */
	if (engine->vm_kind == XHPROF_VM_TAILCALL && xhprof_engine_before(engine, 805, 13)) {
		return "PHP built with the tailcall VM crashes where it is interrupted, before 8.5.13";
	}
	/* Throughout a function; seen in 8.2.35 and 8.4.24, as well with pcntl_async_signals() and without any extension. */
	if (engine->jit == XHPROF_JIT_REGISTERS) {
		return "PHP's JIT loses variables where it is interrupted, unless opcache.jit is \"tracing\" or off";
	}
	/* The new JIT of 8.4 returns to a wrong operation after an observed call (php-src#21910, 8.4.22 and 8.5.7), and loses
	 * variables at the end of a loop ("register-allocated CVs" in NEWS of 8.4.28). */
	if (engine->jit == XHPROF_JIT_TRACING &&
		(xhprof_engine_before(engine, 804, 28) || xhprof_engine_before(engine, 805, 13))) {
		return "PHP's tracing JIT loses variables where it is interrupted, before 8.4.28 and 8.5.13";
	}
	return NULL;
}

/* Why an allocation must not read this engine's stack, or NULL. The end of a generator allocates while its frame is
 * half gone in compiled code (DataDog/dd-trace-php#2088; fixed in 8.2.8). In 8.4.0 to 8.4.6 the recorded operation
 * dangles while a function is compiled (dd-trace-php#3197, php-src#18289); compat/frameless.h can take that. */
static inline const char *xhprof_engine_stack_refusal(const xhprof_engine *engine)
{
	return engine->jit != XHPROF_JIT_OFF && xhprof_engine_before(engine, 802, 8)
			   ? "PHP's JIT breaks the stack for a moment, before 8.2.8"
			   : NULL;
}

/* The JIT's mode by the setting of now or of the start: one says nothing about code compiled under the other. */
static inline xhprof_jit_mode xhprof_compat_jit_mode(void)
{
	bool on = INI_BOOL("opcache.enable") && (strcmp(sapi_module.name, "cli") != 0 || INI_BOOL("opcache.enable_cli")) &&
			  INI_INT("opcache.jit_buffer_size");
	xhprof_jit_mode now = xhprof_jit_mode_of(INI_STR("opcache.jit")),
					first = xhprof_jit_mode_of(INI_ORIG_STR("opcache.jit"));
	return !on ? XHPROF_JIT_OFF
		   : now == XHPROF_JIT_REGISTERS || first == XHPROF_JIT_REGISTERS
			   ? XHPROF_JIT_REGISTERS
			   : (now > first ? now : first);
}

static inline bool xhprof_compat_jit_is_on(void)
{
	return xhprof_compat_jit_mode() != XHPROF_JIT_OFF;
}

static inline xhprof_engine xhprof_compat_engine(void)
{
	zval *version = zend_get_constant_str("PHP_VERSION_ID", sizeof("PHP_VERSION_ID") - 1);
	return (xhprof_engine){.version = version && Z_TYPE_P(version) == IS_LONG ? (int)Z_LVAL_P(version) : PHP_VERSION_ID,
						   .vm_kind = zend_vm_kind(),
						   .jit = xhprof_compat_jit_mode()};
}

static inline const char *xhprof_compat_interrupt_refusal(void)
{
	xhprof_engine engine = xhprof_compat_engine();
	return xhprof_engine_interrupt_refusal(&engine);
}

static inline const char *xhprof_compat_stack_refusal(void)
{
	xhprof_engine engine = xhprof_compat_engine();
	return xhprof_engine_stack_refusal(&engine);
}

#endif
