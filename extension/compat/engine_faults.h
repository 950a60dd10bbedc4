/* Faults of the engine by version, virtual machine and JIT: when it must not be interrupted, and when allocations must not
 * read its stack. It only decides; jit.h finds out what runs. The version is that of the running PHP: a module may be
 * built with another patch release.
 *
 * Seen: the NEWS files of 8.2.36, 8.4.28, 8.5.7 and 8.6.0RC3. What they name is certain. "Not verified" is what a later
 * release has to bring: mends go from 8.4 to the branches after it, whose next release has them. 8.4.22 and 8.5.7 came out
 * on one day, in steps of four weeks as 8.4.28 (2026-11-19); by that 8.5.13 is of its day. 8.6.1 is the first release
 * that began after it. */
#ifndef XHPROF_COMPAT_ENGINE_FAULTS_H
#define XHPROF_COMPAT_ENGINE_FAULTS_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <strings.h>

typedef enum xhprof_jit_mode {
	XHPROF_JIT_OFF,
	XHPROF_JIT_PLAIN,     /* compiles functions; variables stay in memory */
	XHPROF_JIT_TRACING,   /* compiles traces */
	XHPROF_JIT_REGISTERS, /* compiles functions; variables are in registers */
} xhprof_jit_mode;

/* What runs. */
typedef struct xhprof_vm {
	int version; /* as PHP_VERSION_ID */
	int kind;    /* ZEND_VM_KIND_* */
	xhprof_jit_mode jit;
} xhprof_vm;

#define XHPROF_VM_TAILCALL 5 /* ZEND_VM_KIND_TAILCALL in Zend/zend_vm_opcodes.h of 8.5 */

/* Parses opcache.jit (NULL: not set): a word, or four digits, of which the second is the use of registers and the third
 * the trigger of compilation (zend_jit_config() in ext/opcache/jit/zend_jit.c). */
static inline xhprof_jit_mode xhprof_jit_mode_of(const char *jit)
{
	static const char *const off[] = {"", "0", "disable", "off", "no", "false"};
	for (size_t i = 0; i < sizeof(off) / sizeof(*off); i++) {
		if (!jit || strcasecmp(jit, off[i]) == 0) {
			return XHPROF_JIT_OFF;
		}
	}
	if (strlen(jit) != 4 || strspn(jit, "0123456789") != 4) {
		return strcasecmp(jit, "function") == 0 ? XHPROF_JIT_REGISTERS : XHPROF_JIT_TRACING;
	}
	return jit[0] == '0'   ? XHPROF_JIT_OFF
		   : jit[2] == '5' ? XHPROF_JIT_TRACING
		   : jit[1] >= '2' ? XHPROF_JIT_REGISTERS
						   : XHPROF_JIT_PLAIN;
}

/* Whether this is a version `minor` (804: 8.4) before that patch release. */
static inline bool xhprof_vm_before(const xhprof_vm *vm, int minor, int patch)
{
	return vm->version / 100 == minor && vm->version % 100 < patch;
}

/* Why it must not be interrupted, or NULL. */
static inline const char *xhprof_vm_interrupt_refusal(const xhprof_vm *vm)
{
	/* Crashes where a helper of the VM takes it (php-src#21922, NEWS of 8.5.7), and in another place (#22265, proposed five
	 * days after 8.5.7; its release is not verified). Hangs where the flag is raised again meanwhile (NEWS of 8.4.28, which
	 * names this VM; not verified in 8.5.13, 8.6.1). */
	if (vm->kind == XHPROF_VM_TAILCALL && (xhprof_vm_before(vm, 805, 13) || xhprof_vm_before(vm, 806, 1))) {
		return "PHP with the tailcall VM crashes or hangs where it is interrupted, before 8.5.13 and 8.6.1";
	}
	/* Throughout a function; seen in 8.2.35 and 8.4.24, as well with pcntl_async_signals() and without any extension. */
	if (vm->jit == XHPROF_JIT_REGISTERS) {
		return "PHP's JIT loses variables where it is interrupted, unless opcache.jit is \"tracing\" or off";
	}
	/* The new JIT of 8.4 continues at a wrong operation after an observed call (php-src#21910, NEWS of 8.4.22 and 8.5.7),
	 * and loses variables at the end of a loop ("register-allocated CVs" in NEWS of 8.4.28, not in that of 8.6.0RC3; not
	 * verified in 8.5.13, 8.6.1). */
	if (vm->jit == XHPROF_JIT_TRACING &&
		(xhprof_vm_before(vm, 804, 28) || xhprof_vm_before(vm, 805, 13) || xhprof_vm_before(vm, 806, 1))) {
		return "PHP's tracing JIT loses variables where it is interrupted, before 8.4.28, 8.5.13 and 8.6.1";
	}
	return NULL;
}

/* Why an allocation must not read its stack, or NULL. Compiled code that ends a generator allocates while the frame is
 * half gone (DataDog/dd-trace-php#2088; fixed in 8.2.8). In 8.4.0 to 8.4.6 the operation that a frame has recorded
 * dangles while the JIT compiles (dd-trace-php#3197, php-src#18289): frameless.h can take that. */
static inline const char *xhprof_vm_stack_refusal(const xhprof_vm *vm)
{
	return vm->jit != XHPROF_JIT_OFF && xhprof_vm_before(vm, 802, 8)
			   ? "PHP's JIT leaves the stack incomplete for a moment, before 8.2.8"
			   : NULL;
}

#endif
