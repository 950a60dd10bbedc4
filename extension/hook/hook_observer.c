#include "hook_observer.h"

#include "call_label.h"
#include "function_name.h"

#include "zend_generators.h"

/* Written once, in MINIT. */
static xhprof_function_slots slots;
static bool registered;

/* What a function's slot holds: the profile it was written by, and the symbol. */
static zend_always_inline uint64_t slot_value(uint32_t epoch, xhprof_symbol_ref symbol)
{
	return (uint64_t)epoch << 32 | symbol;
}

static xhprof_symbol_ref observer_resolve(xhprof_tracer *tracer, zend_function *function, uint64_t *slot)
{
	xhprof_tracer_close_segment(tracer);
	xhprof_symbol_ref symbol = xhprof_function_symbol(&tracer->symbols, function);
	if (symbol) {
		*slot = slot_value(tracer->epoch, symbol);
	}
	xhprof_tracer_skip(tracer);
	return symbol;
}

/* A generator's handlers run at every resume; it is called when its first instruction is about to run. */
static bool generator_starts(const zend_execute_data *call)
{
	const zend_op *op = call->opline,
				  *first = call->func->op_array.opcodes; /* elsewhere while an exception is thrown in */
	return op > first && op < first + call->func->op_array.last && op[-1].opcode == ZEND_GENERATOR_CREATE;
}

static void observer_begin_special(xhprof_tracer *tracer, zend_execute_data *call, xhprof_symbol_ref symbol)
{
	unsigned count = 1;
	if (symbol & XHPROF_SYMBOL_TRANSPARENT) {
		return;
	}
	if (symbol & XHPROF_SYMBOL_GENERATOR) {
		count = generator_starts(call);
	}
	if (symbol & XHPROF_SYMBOL_LABELLED) {
		xhprof_tracer_close_segment(tracer);
		symbol = xhprof_call_label_symbol(tracer, call, symbol);
		xhprof_tracer_skip(tracer);
	}
	BEGIN_PROFILING(tracer, call, symbol, count);
}

static void observer_begin(zend_execute_data *call)
{
	xhprof_tracer *tracer = &XHPROF_G(tracer);
	if (UNEXPECTED(!tracer->running)) {
		return;
	}
	uint64_t *slot = xhprof_compat_slot(&slots, call->func);
	xhprof_symbol_ref symbol = (xhprof_symbol_ref)*slot;
	if (UNEXPECTED(*slot >> 32 != tracer->epoch)) {
		symbol = observer_resolve(tracer, call->func, slot);
	}
	if (UNEXPECTED(symbol & XHPROF_SYMBOL_SPECIAL)) {
		observer_begin_special(tracer, call, symbol);
		return;
	}
	BEGIN_PROFILING(tracer, call, symbol, 1);
}

static void observer_end(zend_execute_data *call, zval *return_value)
{
	xhprof_tracer *tracer = &XHPROF_G(tracer);
	(void)return_value;
	if (UNEXPECTED(!tracer->running)) {
		return;
	}
	if (UNEXPECTED(tracer->top->frame != call)) {
		uint64_t slot = *xhprof_compat_slot(&slots, call->func);
		if (slot >> 32 == tracer->epoch && slot & XHPROF_SYMBOL_TRANSPARENT) {
			return;
		}
	}
	END_PROFILING(tracer, call);
}

static zend_observer_fcall_handlers observer_init(zend_execute_data *call)
{
	xhprof_tracer *tracer = &XHPROF_G(tracer);
	bool builtin = call->func->type == ZEND_INTERNAL_FUNCTION;
	if (!tracer->running || (builtin && tracer->flags & XHPROF_TRACE_NO_BUILTINS)) {
		XHPROF_G(observer).unarmed = true;
		return (zend_observer_fcall_handlers){NULL, NULL};
	}
	return (zend_observer_fcall_handlers){observer_begin, observer_end};
}

static void arm_function(zend_function *function, void *context)
{
	(void)context;
	if (function->type == ZEND_INTERNAL_FUNCTION && XHPROF_G(tracer).flags & XHPROF_TRACE_NO_BUILTINS) {
		return;
	}
	xhprof_compat_observe_late(function, observer_begin, observer_end);
	if (function->type == ZEND_USER_FUNCTION) {
		for (uint32_t i = 0; i < function->op_array.num_dynamic_func_defs; i++) {
			arm_function((zend_function *)function->op_array.dynamic_func_defs[i], NULL);
		}
	}
}

static void arm_table(HashTable *functions)
{
	zend_function *function;
	ZEND_HASH_MAP_FOREACH_PTR(functions, function) {
		arm_function(function, NULL);
	}
	ZEND_HASH_FOREACH_END();
}

static void arm_closures(void)
{
	zend_objects_store *store = &EG(objects_store);
	for (uint32_t i = 1; i < store->top; i++) {
		zend_object *object = store->object_buckets[i];
		if (IS_OBJ_VALID(object) && object->ce == zend_ce_closure) {
			arm_function((zend_function *)zend_get_closure_method_def(object), NULL);
		}
	}
}

void xhprof_hook_observer_arm(void)
{
	zend_class_entry *class_entry;
	if (!XHPROF_G(observer).unarmed) {
		return;
	}
	arm_table(EG(function_table));
	ZEND_HASH_MAP_FOREACH_PTR(EG(class_table), class_entry) {
		arm_table(&class_entry->function_table);
		xhprof_compat_each_property_hook(class_entry, arm_function, NULL);
	}
	ZEND_HASH_FOREACH_END();
	arm_closures();
	for (zend_execute_data *call = EG(current_execute_data); call; call = call->prev_execute_data) {
		if (call->func) {
			arm_function(call->func, NULL); /* code of no table: files, and closures that nothing else holds */
		}
	}
	XHPROF_G(observer).unarmed = (XHPROF_G(tracer).flags & XHPROF_TRACE_NO_BUILTINS) != 0;
}

void xhprof_hook_observer_minit(void)
{
	slots = xhprof_compat_reserve_slots();
	zend_observer_fcall_register(observer_init);
	registered = true;
}

bool xhprof_hook_observer_ready(void)
{
	return registered;
}

void xhprof_hook_observer_rinit(void)
{
	XHPROF_G(observer).unarmed = true;
}
