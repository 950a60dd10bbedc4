#include "code_place.h"

#include "delegation.h"

#include "SAPI.h"

/* The most frames that are looked at: the one searched is the next one, but where functions are ignored or not
 * followed. */
#define MAX_FRAMES 1000

bool xhprof_has_code(const zend_function *function)
{
	return function && ZEND_USER_CODE(function->type) && !(function->common.fn_flags & ZEND_ACC_CALL_VIA_TRAMPOLINE);
}

uint32_t xhprof_line_within(const zend_function *function, const zend_op *opline)
{
	if (!xhprof_has_code(function)) {
		return 0;
	}
	uintptr_t offset = (uintptr_t)opline - (uintptr_t)function->op_array.opcodes;
	bool within = offset % sizeof(zend_op) == 0 && offset / sizeof(zend_op) < function->op_array.last;
	return within ? opline->lineno : 0;
}

uint32_t xhprof_line_of(const zend_execute_data *frame)
{
	return xhprof_line_within(frame->func, xhprof_delegation_is_at(frame) ? frame->opline - 1 : frame->opline);
}

static xhprof_place place_of(xhprof_symbols *symbols, const zend_function *function)
{
	xhprof_place place = {NULL, 0, 0};
	if (function->type == ZEND_INTERNAL_FUNCTION) {
		const zend_module_entry *module = function->internal_function.module;
		place.file = module ? xhprof_symbols_file(symbols, "ext:", module->name, strlen(module->name)) : NULL;
	} else if (xhprof_has_code(function) && function->op_array.filename) {
		const zend_string *path = function->op_array.filename;
		place.file = xhprof_symbols_file(symbols, "", ZSTR_VAL(path), ZSTR_LEN(path));
		place.line = function->op_array.line_start;
		place.last_line = function->op_array.line_end;
	}
	return place;
}

#define MAIN_REF ((xhprof_symbol_ref)XHPROF_SYMBOL_MAIN << XHPROF_SYMBOL_FLAG_BITS)

/* Gives main() the place of the script. A file that settings put before it is code of main() too, but not the
 * script. */
static void place_script(xhprof_symbols *symbols, const zend_function *script)
{
	const char *primary = SG(request_info).path_translated;
	if (xhprof_symbols_lack_place(symbols, MAIN_REF) ||
		(primary && script->op_array.filename &&
		 zend_string_equals_cstr(script->op_array.filename, primary, strlen(primary)))) {
		xhprof_symbols_set_place(symbols, MAIN_REF, place_of(symbols, script));
	}
}

static bool is_script(const zend_execute_data *frame)
{
	return !frame->prev_execute_data && xhprof_has_code(frame->func) && !frame->func->common.function_name;
}

void xhprof_place_function(xhprof_symbols *symbols, xhprof_symbol_ref ref, const zend_function *function)
{
	const zend_execute_data *running = EG(current_execute_data);
	if (running && running->func == function && is_script(running)) {
		place_script(symbols, function);
	}
	if (xhprof_symbols_lack_place(symbols, ref)) {
		xhprof_symbols_set_place(symbols, ref, place_of(symbols, function));
	}
}

void xhprof_place_file(xhprof_symbols *symbols, xhprof_symbol_ref ref, const char *path, size_t length)
{
	if (xhprof_symbols_lack_place(symbols, ref)) {
		xhprof_symbols_set_place(symbols, ref, (xhprof_place){.file = xhprof_symbols_file(symbols, "", path, length)});
	}
}

static const zend_execute_data *outermost(const zend_execute_data *frame)
{
	while (frame && frame->prev_execute_data) {
		frame = frame->prev_execute_data;
	}
	return frame;
}

void xhprof_place_main(xhprof_symbols *symbols)
{
	if (xhprof_symbols_lack_place(symbols, MAIN_REF)) {
		const zend_execute_data *frame = outermost(EG(current_execute_data));
		if (frame && is_script(frame)) {
			place_script(symbols, frame->func);
		}
	}
}

uint32_t xhprof_call_line(const void *wanted)
{
	const zend_execute_data *frame = EG(current_execute_data);
	for (int i = 0; frame && i < MAX_FRAMES; i++, frame = frame->prev_execute_data) {
		if (wanted ? frame == wanted : !frame->prev_execute_data) {
			return xhprof_line_of(frame);
		}
		if (wanted && xhprof_delegation_has(frame, wanted)) {
			return xhprof_line_of(wanted);
		}
	}
	return 0;
}
