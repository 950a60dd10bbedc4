/* Reads of properties with a get hook. From the second on the engine enters the hook without asking its observers, where the
 * operation's cache has the class and a mark that the engine puts there after the first read: the handler of ZEND_FETCH_OBJ_R
 * has no variant for observers (ZEND_IS_PROPERTY_HOOK_SIMPLE_GET in Zend/zend_vm_def.h; seen in 8.4.24, 8.5.7, 8.6.0RC3).
 * Without the class in it the cache is filled anew, as at the first read, and the hook is called as any function. */
#ifndef XHPROF_COMPAT_PROPERTY_READS_H
#define XHPROF_COMPAT_PROPERTY_READS_H

#include "php_compat.h"

#if PHP_VERSION_ID >= 80400

/* Whether this is the code of a property's hook. */
static inline bool xhprof_compat_is_property_hook(const zend_function *function)
{
	return function->type == ZEND_USER_FUNCTION && function->op_array.prop_info;
}

/* Drops what an operation of a function with this cache knows of a hooked property. Operations that do not enter hooks
 * themselves may share their cache with one that does. */
static inline void xhprof_compat_forget_read(void **cache, const zend_op *opline)
{
	uint32_t offset;
	switch (opline->opcode) {
		case ZEND_FETCH_OBJ_R:
		case ZEND_FETCH_OBJ_IS:
		case ZEND_FETCH_OBJ_FUNC_ARG:
		case ZEND_PRE_INC_OBJ:
		case ZEND_PRE_DEC_OBJ:
		case ZEND_POST_INC_OBJ:
		case ZEND_POST_DEC_OBJ:
			offset = opline->extended_value & ~(uint32_t)ZEND_FETCH_OBJ_FLAGS;
			break;
		case ZEND_ASSIGN_OBJ_OP:
			offset = opline[1].extended_value;
			break;
		default:
			return;
	}
	if (opline->op2_type == IS_CONST) {
		void **slot = (void **)((char *)cache + offset);
		if (*slot && IS_HOOKED_PROPERTY_OFFSET((uintptr_t)slot[1])) {
			*slot = NULL;
		}
	}
}

/* A hook begins: its caller forgets that it may enter it by itself. */
static inline void xhprof_compat_forget_caller_read(const zend_execute_data *call)
{
	const zend_execute_data *caller = call->prev_execute_data;
	if (caller && caller->func && ZEND_USER_CODE(caller->func->type) && caller->run_time_cache) {
		xhprof_compat_forget_read(caller->run_time_cache, caller->opline);
	}
}

/* The same for all of a function that has been called. */
static inline void xhprof_compat_forget_reads(zend_function *function)
{
	if (function->type != ZEND_USER_FUNCTION || !ZEND_MAP_PTR(function->op_array.run_time_cache)) {
		return;
	}
	void **cache = ZEND_MAP_PTR_GET(function->op_array.run_time_cache);
	for (uint32_t i = 0; cache && i < function->op_array.last; i++) {
		xhprof_compat_forget_read(cache, &function->op_array.opcodes[i]);
	}
}

/* Whether there is a class with such a property. */
static inline bool xhprof_compat_has_property_hooks(void)
{
	zend_class_entry *class_entry;
	ZEND_HASH_MAP_FOREACH_PTR(EG(class_table), class_entry) {
		if (class_entry->num_hooked_props) {
			return true;
		}
	}
	ZEND_HASH_FOREACH_END();
	return false;
}

#else

static inline bool xhprof_compat_is_property_hook(const zend_function *function)
{
	return false;
}

static inline void xhprof_compat_forget_caller_read(const zend_execute_data *call)
{
}

static inline void xhprof_compat_forget_reads(zend_function *function)
{
}

static inline bool xhprof_compat_has_property_hooks(void)
{
	return false;
}

#endif

#endif
