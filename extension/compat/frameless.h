/* Frameless calls: since 8.4 the engine calls some internal functions (str_replace(), in_array()) without a frame on the
 * stack. Such an operation has a number; the functions and their handlers are in lists of the process, which the
 * interpreter reads at every call and the JIT when it compiles one (ZEND_FRAMELESS_ICALL_* in Zend/zend_vm_def.h). */
#ifndef XHPROF_COMPAT_FRAMELESS_H
#define XHPROF_COMPAT_FRAMELESS_H

#include "php_compat.h"

#define XHPROF_FRAMELESS XHPROF_SINCE_84(1, 0)

#if XHPROF_FRAMELESS
#include "zend_frameless_function.h"
#endif

/* The number of an operation that is such a call; SIZE_MAX for any other operation. */
static inline size_t xhprof_compat_frameless_number(const zend_op *opline)
{
	return XHPROF_SINCE_84(ZEND_OP_IS_FRAMELESS_ICALL(opline->opcode) ? opline->extended_value : SIZE_MAX, SIZE_MAX);
}

/* The function that a frame of this process calls so, or NULL. Of a frame that waits for a call: the operation that it
 * recorded is the one that waits. The record may dangle while the JIT compiles a function (php-src#18289), so it is
 * read only within the function's code. */
static inline const zend_function *xhprof_compat_frameless_callee(const zend_execute_data *frame)
{
#if XHPROF_FRAMELESS
	const zend_function *function = frame->func;
	if (!function || !ZEND_USER_CODE(function->type)) {
		return NULL;
	}
	uintptr_t offset = (uintptr_t)frame->opline - (uintptr_t)function->op_array.opcodes;
	if (offset % sizeof(zend_op) || offset / sizeof(zend_op) >= function->op_array.last) {
		return NULL;
	}
	size_t number = xhprof_compat_frameless_number(frame->opline);
	return number != SIZE_MAX ? zend_flf_functions[number] : NULL;
#else
	return NULL;
#endif
}

#if XHPROF_FRAMELESS

/* The list of handlers, which ends with NULL (do_register_internal_function in Zend/zend_API.c). dl() may move it. */
static inline void **xhprof_compat_frameless_handlers(void)
{
	return zend_flf_handlers;
}

/* A function's handlers by number of arguments, up to a NULL; or NULL. The compiler looks there for the one that fits a
 * call, then for its number in the list of handlers, where it must be: that search knows no end
 * (find_frameless_function_offset() in Zend/zend_compile.c). */
static inline const zend_frameless_function_info *xhprof_compat_frameless_infos(const zend_function *function)
{
	return function->internal_function.frameless_function_infos;
}

static inline void xhprof_compat_set_frameless_infos(zend_function *function, const zend_frameless_function_info *infos)
{
	__atomic_store_n(&function->internal_function.frameless_function_infos, infos, __ATOMIC_RELEASE);
}

/* In the list of functions disable_functions leaves pointers to freed ones, so they are taken from the function table. */
static inline bool xhprof_compat_is_frameless(const zend_function *function)
{
	return function->type == ZEND_INTERNAL_FUNCTION && function->internal_function.frameless_function_infos &&
		   function->internal_function.module->type == MODULE_PERSISTENT;
}

#endif

#endif
