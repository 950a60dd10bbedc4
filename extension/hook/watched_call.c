#include "watched_call.h"

#define NO_FUNCTION UINT32_MAX
#define MOST_CALLS 65536u

/* Written in MINIT. */
static const xhprof_watched_function *functions;
static uint32_t function_count;
static uint64_t lengths; /* bit n: a name has n bytes */
static xhprof_watched_begin on_begin;
static xhprof_watched_end on_end;

void xhprof_watched_call_minit(const xhprof_watched_function *names, uint32_t count, xhprof_watched_begin begin,
							   xhprof_watched_end end)
{
	functions = names;
	function_count = count;
	on_begin = begin;
	on_end = end;
	lengths = 0;
	for (uint32_t i = 0; i < count; i++) {
		lengths |= UINT64_C(1) << (strlen(names[i].name) & 63);
	}
}

static void forget_all(void)
{
	if (XHPROF_G(watched).count) { /* a bailout may have skipped their end */
		XHPROF_G(watched).count = 0;
		xhprof_table_clear(&XHPROF_G(watched).fibers);
	}
}

void xhprof_watched_call_rinit(bool on)
{
	XHPROF_G(watched).on = on;
	forget_all();
}

void xhprof_watched_call_rshutdown(void)
{
	XHPROF_G(watched).on = false;
	forget_all();
}

void xhprof_watched_call_gshutdown(zend_xhprof_globals *globals)
{
	xhprof_pages_unmap(globals->watched.calls, globals->watched.room * sizeof(*globals->watched.calls));
	globals->watched.calls = NULL;
	globals->watched.room = 0;
	xhprof_table_release(&globals->watched.fibers);
}

static bool is_of(const zend_class_entry *class, const char *name)
{
	if (zend_string_equals_cstr(class->name, name, strlen(name)) || strcasecmp(ZSTR_VAL(class->name), name) == 0) {
		return true;
	}
	const zend_class_entry *wanted = zend_hash_str_find_ptr(EG(class_table), name, strlen(name));
	return wanted && class->ce_flags & ZEND_ACC_LINKED && instanceof_function(class, wanted);
}

/* Returns the place of the name of a function, or NO_FUNCTION. */
static uint32_t place_of(const zend_function *function)
{
	const zend_string *name = function->common.function_name;
	const zend_class_entry *scope = function->common.scope;
	const uint32_t flags = function->common.fn_flags;
	bool is_closure = flags & ZEND_ACC_CLOSURE && !(flags & ZEND_ACC_FAKE_CLOSURE); /* its own, not that of a method */
	if (!name || ZSTR_LEN(name) > 63 || !(lengths >> ZSTR_LEN(name) & 1) || is_closure ||
		flags & (ZEND_ACC_GENERATOR | ZEND_ACC_CALL_VIA_TRAMPOLINE)) {
		return NO_FUNCTION;
	}
	for (uint32_t i = 0; i < function_count; i++) {
		const xhprof_watched_function *watched = &functions[i];
		if (!watched->class == !scope && strcasecmp(ZSTR_VAL(name), watched->name) == 0 &&
			(!scope || is_of(scope, watched->class))) {
			return i;
		}
	}
	return NO_FUNCTION;
}

bool xhprof_watched_call_has(const zend_function *function)
{
	return XHPROF_G(watched).on && place_of(function) != NO_FUNCTION;
}

static uintptr_t number_in(const zend_fiber_context *fiber)
{
	return (uintptr_t)xhprof_table_find(&XHPROF_G(watched).fibers, (uintptr_t)fiber);
}

/* Adds to the number of a fiber's calls. False without memory. */
static bool count_in(const zend_fiber_context *fiber, intptr_t more)
{
	uintptr_t number = number_in(fiber) + (uintptr_t)more;
	if (!number) {
		xhprof_table_remove(&XHPROF_G(watched).fibers, (uintptr_t)fiber);
		return true;
	}
	return xhprof_table_put(&XHPROF_G(watched).fibers, (uintptr_t)fiber, (void *)number);
}

static void remove_call(uint32_t place)
{
	xhprof_watched_call *calls = XHPROF_G(watched).calls;
	count_in(calls[place].fiber, -1);
	memmove(calls + place, calls + place + 1, (--XHPROF_G(watched).count - place) * sizeof(*calls));
}

/* Returns the place of the call of a frame, or their number. */
static uint32_t find_call(const zend_execute_data *frame)
{
	uint32_t i = XHPROF_G(watched).count;
	while (i-- > 0) {
		if (XHPROF_G(watched).calls[i].frame == frame) {
			return i;
		}
	}
	return XHPROF_G(watched).count;
}

void xhprof_watched_call_begin(zend_execute_data *frame)
{
	uint32_t function = place_of(frame->func), stale = find_call(frame);
	if (stale < XHPROF_G(watched).count) { /* its frame is gone, as another one is there */
		remove_call(stale);
	}
	bool room = XHPROF_G(watched).count < XHPROF_G(watched).room ||
				(XHPROF_G(watched).count < MOST_CALLS &&
				 xhprof_pages_double((void **)&XHPROF_G(watched).calls, sizeof(*XHPROF_G(watched).calls),
									 &XHPROF_G(watched).room, 64));
	if (function == NO_FUNCTION || !room || !count_in(EG(current_fiber_context), 1)) {
		return;
	}
	XHPROF_G(watched).calls[XHPROF_G(watched).count++] =
		(xhprof_watched_call){.frame = frame, .fiber = EG(current_fiber_context), .function = function};
	xhprof_watched_call call = XHPROF_G(watched).calls[XHPROF_G(watched).count - 1];
	on_begin(&call);
	uint32_t place = find_call(frame);
	if (place < XHPROF_G(watched).count) {
		XHPROF_G(watched).calls[place].data = call.data;
	}
}

void xhprof_watched_call_end(zend_execute_data *frame, const zval *return_value)
{
	uint32_t place = find_call(frame);
	if (place == XHPROF_G(watched).count) {
		return;
	}
	xhprof_watched_call call = XHPROF_G(watched).calls[place];
	on_end(&call, return_value);
	place = find_call(frame);
	if (place < XHPROF_G(watched).count) {
		remove_call(place);
	}
}

bool xhprof_watched_call_open(const zend_fiber_context *fiber)
{
	return number_in(fiber);
}

static bool is_on_stack(const zend_execute_data *frame)
{
	const zend_execute_data *call = EG(current_execute_data);
	while (call && call != frame) {
		call = call->prev_execute_data;
	}
	return call;
}

void xhprof_watched_call_each(void (*visit)(zend_execute_data *frame))
{
	for (uint32_t i = 0; i < XHPROF_G(watched).count;) {
		const xhprof_watched_call *call = &XHPROF_G(watched).calls[i];
		if (call->fiber != EG(current_fiber_context)) {
			i++;
		} else if (!is_on_stack(call->frame)) {
			remove_call(i);
		} else {
			visit(call->frame);
			i++;
		}
	}
}
