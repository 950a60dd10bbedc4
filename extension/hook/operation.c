#include "operation.h"

#include "code_context.h"
#include "operation_count.h"

#include "base/operation_kind.h"
#include "operation/operation_subject.h"

const xhprof_operation_function *xhprof_operation_of(const zend_function *function, const zend_class_entry *scope)
{
	const zend_string *name = function->common.function_name;
	if (function->type != ZEND_INTERNAL_FUNCTION || !name) {
		return NULL;
	}
	const xhprof_operation_function *operation = xhprof_operation_function_find(
		scope ? ZSTR_VAL(scope->name) : NULL, scope ? ZSTR_LEN(scope->name) : 0, ZSTR_VAL(name), ZSTR_LEN(name));
	return operation && operation->kind != XHPROF_OPERATION_GC ? operation : NULL;
}

uint32_t xhprof_operation_flags(const xhprof_operation_function *operation)
{
	return operation && (XHPROF_G(tracer).operations.on || xhprof_operation_count_on())
			   ? XHPROF_SYMBOL_OPERATION | (uint32_t)xhprof_operation_function_number(operation)
											   << XHPROF_SYMBOL_NUMBER_SHIFT
			   : 0;
}

static xhprof_operation_subject subject_of(xhprof_tracer *tracer, xhprof_symbol_ref ref)
{
	const xhprof_symbol *symbol = xhprof_symbols_get(&tracer->symbols, XHPROF_SYMBOL_ID(ref));
	unsigned number = (symbol->flags & XHPROF_SYMBOL_NUMBER_MASK) >> XHPROF_SYMBOL_NUMBER_SHIFT;
	return (xhprof_operation_subject){
		.operations = &tracer->operations, .function = xhprof_operation_function_at(number), .symbol = symbol};
}

void xhprof_operation_begin(xhprof_tracer *tracer, zend_execute_data *call, xhprof_symbol_ref symbol)
{
	xhprof_tracer_close_segment(tracer);
	xhprof_operation_subject subject = subject_of(tracer, symbol);
	xhprof_operation_subject_read(&subject, call);
	uint32_t context = xhprof_code_context_number(tracer);
	xhprof_tracer_skip(tracer);
	if (!(symbol & XHPROF_SYMBOL_TRANSPARENT)) {
		xhprof_tracer_begin_any(tracer, xhprof_operation_frame(call), symbol, 1);
	}
	xhprof_open_operation open = {
		call, tracer->current, subject.text, subject.values, xhprof_tracer_last_time(tracer), context};
	xhprof_operations_open(&tracer->operations, &open);
}

void xhprof_operation_end(xhprof_tracer *tracer, zend_execute_data *call, xhprof_open_operation *open,
						  const zval *return_value, xhprof_symbol_ref symbol)
{
	if (symbol & XHPROF_SYMBOL_TRANSPARENT) {
		xhprof_tracer_close_segment(tracer);
	} else {
		xhprof_tracer_end_any(tracer, xhprof_operation_frame(call));
	}
	uint64_t now = xhprof_tracer_last_time(tracer);
	xhprof_operation_subject subject = subject_of(tracer, symbol);
	subject.text = open->text;
	subject.values = open->values;
	if (xhprof_operation_subject_end(&subject, call, return_value)) {
		open->text = subject.text;
		open->values = subject.values;
		xhprof_operations_close(&tracer->operations, open, tracer->tree.root, now);
	} else {
		xhprof_operations_drop(&tracer->operations, open);
	}
	xhprof_tracer_skip(tracer);
}

void xhprof_operation_begin_engine(xhprof_tracer *tracer, const void *frame, xhprof_operation_kind kind,
								   const char *text)
{
	if (!tracer->operations.on) {
		return;
	}
	xhprof_tracer_close_segment(tracer);
	xhprof_open_operation open = {frame,
								  tracer->current,
								  xhprof_operations_text(&tracer->operations, kind, text, strlen(text)),
								  0,
								  xhprof_tracer_last_time(tracer),
								  xhprof_code_context_number(tracer)};
	xhprof_operations_open(&tracer->operations, &open);
	xhprof_tracer_skip(tracer);
}

void xhprof_operation_end_engine(xhprof_tracer *tracer, const void *frame)
{
	xhprof_open_operation *open = tracer->operations.on && xhprof_tracer_running(tracer)
									  ? xhprof_operations_find(&tracer->operations, frame)
									  : NULL;
	if (open) {
		xhprof_tracer_close_segment(tracer);
		xhprof_operations_close(&tracer->operations, open, tracer->tree.root, xhprof_tracer_last_time(tracer));
		xhprof_tracer_skip(tracer);
	}
}

void xhprof_operation_rshutdown(void)
{
	xhprof_operation_subject_rshutdown();
}
