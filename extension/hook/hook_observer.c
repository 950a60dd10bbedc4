#include "hook_observer.h"

#include "call_label.h"
#include "delegation.h"
#include "function_name.h"
#include "operation.h"
#include "operation_count.h"
#include "sampler.h"
#include "watched_call.h"

#include "compat/property_reads.h"

#include "zend_generators.h"

/* The slots of functions. This and the following are written once: in MINIT, and the way of arming at the first
 * request. */
static xhprof_function_slots slots;
static bool registered;
static xhprof_observer_handle idle_handle, all_handle, users_handle, counting_handle; /* the engine's own is `all` */
static size_t observers;                                                              /* of all extensions */
static const char *switch_refusal;
static bool decided;

/* A function's slot holds the epoch of the profile that wrote it, and the symbol: `tracer->epoch | symbol`. These bits
 * of `slot ^ tracer->epoch` are not 0 if the slot is stale or the symbol needs special handling. */
#define NOT_PLAIN (~(uint64_t)UINT32_MAX | XHPROF_SYMBOL_SPECIAL)

static bool slot_is_stale(const xhprof_tracer *tracer, uint64_t slot)
{
	return (slot ^ tracer->epoch) > UINT32_MAX;
}

static xhprof_symbol_ref observer_resolve(xhprof_tracer *tracer, zend_function *function, uint64_t *slot)
{
	xhprof_tracer_close_segment(tracer);
	xhprof_symbol_ref symbol = xhprof_function_symbol(&tracer->symbols, function);
	if (symbol) {
		*slot = tracer->epoch | symbol;
	}
	xhprof_tracer_skip(tracer);
	return symbol;
}

/* Returns whether a generator is called and not resumed. Its handlers run at every resume; it is called when its first
 * instruction is about to run. */
static bool generator_starts(const zend_execute_data *call)
{
	const zend_op *op = call->opline,
				  *first = call->func->op_array.opcodes; /* elsewhere while an exception is thrown in */
	return op > first && op < first + call->func->op_array.last && op[-1].opcode == ZEND_GENERATOR_CREATE;
}

/* The place where a call begins below generators that delegate to it. */
typedef struct below_generators {
	xhprof_tracer *tracer;
	xhprof_node *caller;
	const zend_execute_data *frame; /* the caller's, or NULL */
} below_generators;

static void add_generator(void *context, const zend_execute_data *frame)
{
	below_generators *below = context;
	uint64_t *slot = xhprof_compat_slot(&slots, frame->func);
	xhprof_symbol_ref symbol = slot_is_stale(below->tracer, *slot) ? observer_resolve(below->tracer, frame->func, slot)
																   : (xhprof_symbol_ref)*slot;
	if (!(symbol & XHPROF_SYMBOL_TRANSPARENT)) {
		below->caller = xhprof_tracer_below(below->tracer, below->caller, below->frame, symbol);
		below->frame = frame;
	}
}

/* Begins a call below the generators that delegate to it, whose own calls have been counted. */
static void observer_begin_delegated(xhprof_tracer *tracer, const zend_execute_data *call, xhprof_symbol_ref symbol,
									 unsigned count, const zend_execute_data *delegation)
{
	xhprof_tracer_close_segment(tracer);
	below_generators below = {tracer, tracer->current, tracer->top->frame};
	xhprof_delegation_each(delegation, add_generator, &below);
	xhprof_tracer_enter_below(tracer, below.caller, below.frame, call, symbol, count);
}

/* Returns the operation of a function. While a sampled profile counts operations, a function's slot holds the epoch and
 * the number of its operation. That of an exact one, which has ended, holds a symbol. */
static const xhprof_operation_function *operation_of(const zend_function *function)
{
	const xhprof_tracer *tracer = &XHPROF_G(tracer);
	if (!xhprof_sampler_running()) {
		return xhprof_operation_of(function, function->common.scope);
	}
	uint64_t *slot = xhprof_compat_slot(&slots, function);
	if (slot_is_stale(tracer, *slot)) {
		const xhprof_operation_function *operation = xhprof_operation_of(function, function->common.scope);
		*slot = tracer->epoch | xhprof_operation_function_number(operation);
	}
	return xhprof_operation_function_at((unsigned)(*slot ^ tracer->epoch));
}

/* Counts an operation at its begin, if counting is on. Its frame may outlive the counting, and end in that of another
 * profile. */
static void count_begin(zend_execute_data *call)
{
	if (xhprof_operation_counting()) {
		xhprof_operation_count_begin(operation_of(call->func), call);
	}
}

static void observer_begin_special(xhprof_tracer *tracer, zend_execute_data *call, xhprof_symbol_ref symbol)
{
	unsigned count = 1;
	if (symbol & XHPROF_SYMBOL_OPERATION && tracer->operations.on) {
		xhprof_operation_begin(tracer, call, symbol);
		return;
	}
	if (symbol & XHPROF_SYMBOL_OPERATION) { /* only its number is asked for */
		count_begin(call);
	}
	if (symbol & XHPROF_SYMBOL_TRANSPARENT) {
		return;
	}
	if (symbol & XHPROF_SYMBOL_EXAMINED) {
		bool hook = xhprof_compat_is_property_hook(call->func);
		if (hook) {
			xhprof_compat_forget_caller_read(call);
		}
		if (call->func->common.fn_flags & ZEND_ACC_GENERATOR) {
			count = generator_starts(call);
		} else if (!hook) {
			symbol = xhprof_call_label_begin(tracer, call, symbol);
		}
		const zend_execute_data *delegation = xhprof_delegation_of(call, !(tracer->flags & XHPROF_TRACE_NO_BUILTINS));
		if (delegation) {
			observer_begin_delegated(tracer, call, symbol, count, delegation);
			return;
		}
	}
	xhprof_tracer_begin_any(tracer, call, symbol, count);
}

/* Begins a function's first call in a profile, or the call of a symbol that needs special handling. */
static ZEND_COLD zend_never_inline void observer_begin_slow(zend_execute_data *call, uint64_t *slot)
{
	xhprof_tracer *tracer = &XHPROF_G(tracer);
	xhprof_symbol_ref symbol = (xhprof_symbol_ref)*slot;
	if (slot_is_stale(tracer, *slot)) {
		symbol = observer_resolve(tracer, call->func, slot);
	}
	if (symbol & XHPROF_SYMBOL_SPECIAL) {
		observer_begin_special(tracer, call, symbol);
	} else {
		xhprof_tracer_begin_any(tracer, call, symbol, 1);
	}
}

/* Begins a call in this mode, a constant. */
static zend_always_inline void observer_begin_in(xhprof_tracer_mode mode, zend_execute_data *call, uint64_t *slot)
{
	xhprof_tracer *tracer = &XHPROF_G(tracer);
	uint64_t value = *slot ^ tracer->epoch;
	if (UNEXPECTED(value & NOT_PLAIN)) {
		observer_begin_slow(call, slot);
		return;
	}
	uint64_t now = mode == XHPROF_MODE_PATHS ? 0 : xhprof_clock_cycles();
	if (xhprof_tracer_mode_is_full(mode) && UNEXPECTED(xhprof_tracer_disturbed(tracer, now))) {
		observer_begin_slow(call, slot);
		return;
	}
	xhprof_tracer_begin(tracer, call, (xhprof_symbol_ref)value, 1, mode, now);
}

/* Makes a function for each mode in which calls have a fast path. */
#define EACH_MODE(M) M(PATHS) M(WALL) M(TIMELINE) M(FULL) M(FULL_TIMELINE)

static void observer_begin_off(zend_execute_data *call, uint64_t *slot)
{
}

#define BEGIN_IN(mode)                                                         \
	static void observer_begin_##mode(zend_execute_data *call, uint64_t *slot) \
	{                                                                          \
		observer_begin_in(XHPROF_MODE_##mode, call, slot);                     \
	}
EACH_MODE(BEGIN_IN)

#define BEGINS(mode) [XHPROF_MODE_##mode] = observer_begin_##mode,
static void (*const begin_in_mode[XHPROF_MODES])(zend_execute_data *call, uint64_t *slot) = {
	[XHPROF_MODE_OFF] = observer_begin_off, [XHPROF_MODE_ANY] = observer_begin_slow, EACH_MODE(BEGINS)};

/* Begins a call in another mode than wall time alone, apart, so that the comparison before it takes one instruction. */
static zend_never_inline void observer_begin_other(zend_execute_data *call, uint64_t *slot)
{
	begin_in_mode[XHPROF_G(tracer).mode](call, slot);
}

/* Begins a call. Wall time alone is inline: one comparison is all that its calls pay for the other modes. */
static zend_always_inline void observer_begin(zend_execute_data *call, uint64_t *slot)
{
	if (UNEXPECTED(XHPROF_G(tracer).mode != XHPROF_MODE_WALL)) {
		observer_begin_other(call, slot);
		return;
	}
	observer_begin_in(XHPROF_MODE_WALL, call, slot);
}

static void observer_begin_user(zend_execute_data *call)
{
	observer_begin(call, xhprof_compat_user_slot(&slots, call));
}

static void observer_begin_internal(zend_execute_data *call)
{
	observer_begin(call, xhprof_compat_slot(&slots, call->func));
}

static zend_observer_fcall_begin_handler begin_handler(const zend_function *function)
{
	return function->type == ZEND_INTERNAL_FUNCTION ? observer_begin_internal : observer_begin_user;
}

/* Ends a call that is not on top, or in a mode without a fast path, or of an operation. */
static ZEND_COLD zend_never_inline void observer_end_slow(zend_execute_data *call, const zval *return_value)
{
	xhprof_tracer *tracer = &XHPROF_G(tracer);
	uint64_t slot = *xhprof_compat_slot(&slots, call->func);
	xhprof_open_operation *operation =
		tracer->operations.opened ? xhprof_operations_find(&tracer->operations, call) : NULL;
	if (operation && !slot_is_stale(tracer, slot)) {
		xhprof_operation_end(tracer, call, operation, return_value, (xhprof_symbol_ref)slot);
		return;
	}
	if (tracer->top->frame == call || slot_is_stale(tracer, slot) || !(slot & XHPROF_SYMBOL_TRANSPARENT)) {
		xhprof_tracer_end_any(tracer, call);
	}
}

/* Ends a call in this mode, a constant. */
static zend_always_inline void observer_end_in(xhprof_tracer_mode mode, zend_execute_data *call,
											   const zval *return_value)
{
	xhprof_tracer *tracer = &XHPROF_G(tracer);
	if (UNEXPECTED(tracer->top->frame != call)) {
		observer_end_slow(call, return_value);
		return;
	}
	uint64_t now = mode == XHPROF_MODE_PATHS ? 0 : xhprof_clock_cycles();
	if (xhprof_tracer_mode_is_full(mode) && UNEXPECTED(xhprof_tracer_disturbed(tracer, now))) {
		observer_end_slow(call, return_value);
		return;
	}
	xhprof_tracer_end(tracer, mode, now);
}

static void observer_end_off(zend_execute_data *call, const zval *return_value)
{
}

#define END_IN(mode)                                                                   \
	static void observer_end_##mode(zend_execute_data *call, const zval *return_value) \
	{                                                                                  \
		observer_end_in(XHPROF_MODE_##mode, call, return_value);                       \
	}
EACH_MODE(END_IN)

#define ENDS(mode) [XHPROF_MODE_##mode] = observer_end_##mode,
static void (*const end_in_mode[XHPROF_MODES])(zend_execute_data *call, const zval *return_value) = {
	[XHPROF_MODE_OFF] = observer_end_off, [XHPROF_MODE_ANY] = observer_end_slow, EACH_MODE(ENDS)};

static zend_never_inline void observer_end_other(zend_execute_data *call, const zval *return_value)
{
	end_in_mode[XHPROF_G(tracer).mode](call, return_value);
}

static void observer_end(zend_execute_data *call, zval *return_value)
{
	if (UNEXPECTED(XHPROF_G(tracer).mode != XHPROF_MODE_WALL)) {
		observer_end_other(call, return_value);
		return;
	}
	observer_end_in(XHPROF_MODE_WALL, call, return_value);
}

/* Returns whether calls of a function are followed. Without built-in functions operations are recorded nevertheless, as
 * their callers'. */
static bool is_followed(const zend_function *function)
{
	bool builtin = function->type == ZEND_INTERNAL_FUNCTION;
	return (!builtin || !(XHPROF_G(tracer).flags & XHPROF_TRACE_NO_BUILTINS) ||
			xhprof_operation_flags(xhprof_operation_of(function, function->common.scope))) &&
		   xhprof_compat_observable(function);
}

static bool is_counted(const zend_function *function)
{
	return xhprof_operation_of(function, function->common.scope) && xhprof_compat_observable(function);
}

static void count_end(zend_execute_data *call, zval *return_value)
{
	if (xhprof_operation_counting()) {
		xhprof_operation_count_end(operation_of(call->func), return_value);
	}
}

/* A function that is watched has these handlers in all places, always. What else there is to do for a call they do. */

static bool relinking; /* an engine that switches its handle has one thread */

static void watched_begin(zend_execute_data *call)
{
	if (relinking) {
		return;
	}
	xhprof_watched_call_begin(call);
	if (xhprof_tracer_running(&XHPROF_G(tracer))) {
		if (is_followed(call->func)) {
			begin_handler(call->func)(call);
		}
	} else if (xhprof_operation_counting() && is_counted(call->func)) {
		count_begin(call);
	}
}

static void watched_end(zend_execute_data *call, zval *return_value)
{
	if (xhprof_tracer_running(&XHPROF_G(tracer))) {
		if (is_followed(call->func)) {
			observer_end(call, return_value);
		}
	} else if (xhprof_operation_counting() && is_counted(call->func)) {
		count_end(call, return_value);
	}
	xhprof_watched_call_end(call, return_value);
}

/* Returns whether a function has the handlers of watched ones. */
static bool is_watched(const zend_function *function)
{
	void **handlers = XHPROF_G(watched).on ? xhprof_compat_observer_handlers(function) : NULL;
	for (size_t i = 0; handlers && i < observers && handlers[i]; i++) {
		if (handlers[i] == (void *)watched_begin) {
			return true;
		}
	}
	return false;
}

static void observe_again(zend_execute_data *call)
{
	zend_observer_fcall_begin(call);
}

/* Switches the handle. Frames that were observed through the one before end unobserved, but for watched calls, which the
 * engine takes for new ones. */
static void switch_observers(xhprof_observer_handle handle)
{
	xhprof_compat_switch_observers(handle);
	if (XHPROF_G(watched).count) {
		relinking = true;
		xhprof_watched_call_each(observe_again);
		relinking = false;
	}
}

static zend_observer_fcall_handlers observer_init(zend_execute_data *call)
{
	if (xhprof_watched_call_has(call->func) && xhprof_compat_observable(call->func)) {
		return (zend_observer_fcall_handlers){watched_begin, watched_end};
	}
	if (xhprof_operation_counting() && !xhprof_tracer_running(&XHPROF_G(tracer))) {
		bool counted = is_counted(call->func);
		return (zend_observer_fcall_handlers){counted ? count_begin : NULL, counted ? count_end : NULL};
	}
	if (!xhprof_tracer_running(&XHPROF_G(tracer)) || !is_followed(call->func)) {
		return (zend_observer_fcall_handlers){NULL, NULL};
	}
	return (zend_observer_fcall_handlers){begin_handler(call->func), observer_end};
}

/* The walk: visits every function that may have been called, for when the handle cannot be switched. */

typedef void (*observer_visit)(zend_function *function);

static void visit_function(zend_function *function, void *visit)
{
	(*(observer_visit *)visit)(function);
	if (function->type == ZEND_USER_FUNCTION) {
		for (uint32_t i = 0; i < function->op_array.num_dynamic_func_defs; i++) {
			visit_function((zend_function *)function->op_array.dynamic_func_defs[i], visit);
		}
	}
}

static void visit_table(HashTable *functions, observer_visit *visit)
{
	zend_function *function;
	ZEND_HASH_MAP_FOREACH_PTR(functions, function) {
		visit_function(function, visit);
	}
	ZEND_HASH_FOREACH_END();
}

static void visit_closures(observer_visit *visit)
{
	zend_objects_store *store = &EG(objects_store);
	for (uint32_t i = 1; i < store->top; i++) {
		zend_object *object = store->object_buckets[i];
		if (IS_OBJ_VALID(object) && object->ce == zend_ce_closure) {
			visit_function((zend_function *)zend_get_closure_method_def(object), visit);
		}
	}
}

static void visit_all(observer_visit visit)
{
	zend_class_entry *class_entry;
	visit_table(EG(function_table), &visit);
	ZEND_HASH_MAP_FOREACH_PTR(EG(class_table), class_entry) {
		visit_table(&class_entry->function_table, &visit);
		xhprof_compat_each_property_hook(class_entry, visit_function, &visit);
	}
	ZEND_HASH_FOREACH_END();
	visit_closures(&visit);
	for (zend_execute_data *call = EG(current_execute_data); call; call = call->prev_execute_data) {
		if (call->func) {
			visit_function(call->func, &visit); /* code in no table: files, and closures that nothing else holds */
		}
	}
}

/* Changes what is observed from here on, by switching the handle; or, where that is not possible, by visiting all
 * functions. */
static void change_observed(xhprof_observer_handle handle, observer_visit visit)
{
	if (!switch_refusal) {
		switch_observers(handle);
	} else {
		visit_all(visit);
	}
}

static void add_handlers(zend_function *function)
{
	if (is_followed(function) && !is_watched(function)) {
		xhprof_compat_observe_late(function, begin_handler(function), observer_end);
	}
}

static void remove_handlers(zend_function *function)
{
	xhprof_compat_unobserve(function, begin_handler(function), observer_end);
}

void xhprof_hook_observer_arm(void)
{
	if (registered && xhprof_compat_has_property_hooks()) {
		visit_all(xhprof_compat_forget_reads);
	}
	change_observed(XHPROF_G(tracer).flags & XHPROF_TRACE_NO_BUILTINS ? users_handle : all_handle, add_handlers);
}

void xhprof_hook_observer_disarm(void)
{
	if (registered) {
		change_observed(idle_handle, remove_handlers);
	}
}

/* Returns whether a function has handlers. One that was not called yet has none, which is faster to see than by looking
 * up its operation. */
static bool has_handlers(const zend_function *function)
{
	void **handlers = xhprof_compat_observer_handlers(function);
	return handlers && *handlers;
}

static void add_counting(zend_function *function)
{
	if (has_handlers(function) && is_counted(function) && !is_watched(function)) {
		xhprof_compat_observe_late(function, count_begin, count_end);
	}
}

static void remove_counting(zend_function *function)
{
	if (has_handlers(function) && is_counted(function)) {
		xhprof_compat_unobserve(function, count_begin, count_end);
	}
}

void xhprof_hook_observer_arm_counting(void)
{
	change_observed(counting_handle, add_counting);
}

void xhprof_hook_observer_disarm_counting(void)
{
	change_observed(idle_handle, remove_counting);
}

bool xhprof_hook_observer_alone(void)
{
	return registered && observers == 1 && zend_execute_ex == execute_ex && !zend_execute_internal;
}

#define PROBE_WORDS 128

bool xhprof_hook_observer_probe(xhprof_symbol_ref symbol, bool internal, bool observed, unsigned calls)
{
	struct {
		zend_execute_data call;
		zval temporaries[2]; /* the engine keeps the frame observed before in the last one */
	} frame;
	zend_function function;
	void *cache[PROBE_WORDS] = {NULL};
	xhprof_observer_handle before = xhprof_compat_observer_handle();
	xhprof_observer_handle handle = observed || switch_refusal ? all_handle : idle_handle;
	if ((size_t)zend_op_array_extension_handles > PROBE_WORDS || observers > PROBE_WORDS / 4) {
		return false;
	}
	memset(&frame, 0, sizeof(frame));
	memset(&function, 0, sizeof(function));
	function.type = internal ? ZEND_INTERNAL_FUNCTION : ZEND_USER_FUNCTION;
	function.common.T = 1;
	ZEND_MAP_PTR_INIT(function.common.run_time_cache, cache);
	frame.call.func = &function;
	frame.call.run_time_cache = cache;
	xhprof_compat_set_handlers(cache, internal ? handle.internal : handle.user, observers,
							   observed ? begin_handler(&function) : NULL, observed ? observer_end : NULL);
	*xhprof_compat_slot(&slots, &function) = XHPROF_G(tracer).epoch | symbol;
	if (!switch_refusal) {
		xhprof_compat_switch_observers(handle);
	}
	for (unsigned i = 0; i < calls; i++) {
		zend_observer_fcall_begin(&frame.call);
		zend_observer_fcall_end(&frame.call, NULL);
	}
	if (!switch_refusal) {
		switch_observers(before);
	}
	return true;
}

void xhprof_hook_observer_fiber(zend_fiber_context *to, bool known)
{
	if (!registered || switch_refusal || known || (XHPROF_G(watched).count && xhprof_watched_call_open(to))) {
		return;
	}
	to->top_observed_frame = NULL;
}

void xhprof_hook_observer_minit(void)
{
	slots = xhprof_compat_reserve_slots();
	idle_handle = xhprof_compat_reserve_observer_handle();
	users_handle = xhprof_compat_reserve_observer_handle();
	counting_handle = xhprof_compat_reserve_observer_handle();
	zend_observer_fcall_register(observer_init);
	registered = true;
}

void xhprof_hook_observer_mshutdown(void)
{
	/* An embedding program may start the engine again, with other settings and other handles. */
	registered = decided = false;
	switch_refusal = NULL;
}

bool xhprof_hook_observer_ready(void)
{
	return registered;
}

const char *xhprof_hook_observer_refusal(void)
{
	return switch_refusal;
}

void xhprof_hook_observer_rinit(bool walk)
{
	if (registered && !__atomic_load_n(&decided, __ATOMIC_ACQUIRE)) {
		all_handle = xhprof_compat_observer_handle();
		observers = xhprof_compat_observer_count();
		switch_refusal = walk ? "xhprof.hooks=walk" : xhprof_compat_switch_refusal(observers);
		__atomic_store_n(&decided, true, __ATOMIC_RELEASE); /* a thread that sees this must see the rest */
	}
	if (registered && !switch_refusal) {
		xhprof_compat_switch_observers(idle_handle);
	}
}
