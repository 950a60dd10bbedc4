#include "operation_count.h"

#include "operation/operation_subject.h"

void xhprof_operation_count_start(void)
{
	memset(XHPROF_G(operation_count).counts, 0, sizeof(XHPROF_G(operation_count).counts));
	XHPROF_G(operation_count).counting = XHPROF_G(operation_count).counted = true;
}

void xhprof_operation_count_stop(void)
{
	XHPROF_G(operation_count).counting = false;
}

void xhprof_operation_count_keep(bool keep)
{
	XHPROF_G(operation_count).kept = keep;
}

bool xhprof_operation_count_kept(void)
{
	return XHPROF_G(operation_count).kept;
}

void xhprof_operation_count_forget(void)
{
	XHPROF_G(operation_count).counting = XHPROF_G(operation_count).counted = XHPROF_G(operation_count).kept = false;
}

bool xhprof_operation_count_on(void)
{
	return XHPROF_G(operation_count).counting;
}

static bool is_recorded(const xhprof_tracer *tracer)
{
	return xhprof_tracer_running(tracer) && tracer->operations.on;
}

bool xhprof_operation_counting(void)
{
	const xhprof_tracer *tracer = &XHPROF_G(tracer);
	return XHPROF_G(operation_count).counting && !is_recorded(tracer) && XHPROF_G(session).state != XHPROF_CALIBRATING;
}

void xhprof_operation_count_recorded(const xhprof_tracer *tracer, uint64_t numbers[XHPROF_OPERATION_KINDS])
{
	for (const xhprof_operation *operation = tracer->operations.first; operation; operation = operation->next) {
		numbers[operation->text->kind] += operation->calls;
	}
}

void xhprof_operation_count_take(const xhprof_tracer *tracer)
{
	if (XHPROF_G(operation_count).counting && tracer->operations.on) {
		xhprof_operation_count_recorded(tracer, XHPROF_G(operation_count).counts);
	}
}

bool xhprof_operation_count_since(const uint64_t before[XHPROF_OPERATION_KINDS],
								  uint64_t numbers[XHPROF_OPERATION_KINDS])
{
	const xhprof_tracer *tracer = &XHPROF_G(tracer);
	if (!XHPROF_G(operation_count).counted) {
		return false;
	}
	for (int kind = 0; kind < XHPROF_OPERATION_KINDS; kind++) {
		numbers[kind] = XHPROF_G(operation_count).counts[kind] - before[kind];
	}
	if (XHPROF_G(operation_count).counting && is_recorded(tracer)) {
		xhprof_operation_count_recorded(tracer, numbers);
	}
	return true;
}

void xhprof_operation_count_engine(xhprof_operation_kind kind)
{
	if (xhprof_operation_counting()) {
		XHPROF_G(operation_count).counts[kind]++;
	}
}

void xhprof_operation_count_begin(const xhprof_operation_function *function, zend_execute_data *call)
{
	if (xhprof_operation_counting() && function->source != XHPROF_TEXT_MAY_ASK) {
		XHPROF_G(operation_count).counts[xhprof_operation_subject_kind(function, call)]++;
	}
}

void xhprof_operation_count_end(const xhprof_operation_function *function, const zval *return_value)
{
	if (function->source == XHPROF_TEXT_MAY_ASK && xhprof_operation_subject_asked(return_value)) {
		xhprof_operation_count_engine(function->kind);
	}
}
